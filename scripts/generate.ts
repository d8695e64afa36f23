import { readFile, writeFile } from 'node:fs/promises';
import { argv, exit, stderr } from 'node:process';

import { riskOf } from '../src/model/operation.ts';
import type { Risk } from '../src/model/rulebook/rulebook.ts';
import { extensions } from '../src/model/rulebook/schema.ts';
import { createRegistry } from '../src/command/grammar/registry.ts';
import type { Registry } from '../src/model/registry.ts';
import { usageHint } from '../src/command/grammar/help.ts';
import { policyTestsFile } from '../src/config/policy/run-tests.ts';
import { rulebookFile } from '../src/config/rulebook/rulebook-file.ts';
import { operations } from '../src/operations/index.ts';
import { exampleAddress, manifestOf } from '../src/slack/manifest.ts';
import { botScopes } from '../src/slack/web-api/scopes.ts';
import { editorSchema, keyList, testKeyList, variableList } from './configuration-tables.ts';
import { dashboard } from './dashboard.ts';
import { developmentTable, licenceTable, productionTable } from './dependencies.ts';
import { withSection } from './document-section.ts';
import { interfaceOfBellhop } from './interface.ts';
import { deprecatedKeys, deprecatedVariables } from '../src/model/deprecated.ts';

/**
 * Writes the files that are derived from the operations, the schemas and the lock file: the manifest and the tables in
 * the documents. With `--check`, it writes nothing and fails if a committed file differs.
 */
const check = argv.includes('--check');
const registry = createRegistry(operations, []);
const stale: string[] = [];

await write('manifest.json', json(manifestOf(registry, exampleAddress)));
await writeTable('docs/commands.md', 'commands', commandTable(registry));
await writeTable(
  'docs/commands.md',
  'extension commands',
  extensionTable(createRegistry(operations, extensions)),
);
await writeTable('docs/slack.md', 'scopes', scopeTable());
await writeTable('docs/configuration.md', 'variables', variableList());
await writeTable('docs/configuration.md', 'keys', keyList());
await writeTable('docs/policy.md', 'test keys', testKeyList());
await writeTable('docs/dependencies.md', 'production packages', productionTable());
await writeTable('docs/dependencies.md', 'licences', licenceTable());
await writeTable('docs/dependencies.md', 'development packages', developmentTable());
await write('deploy/grafana-dashboard.json', json(dashboard()));
await write('docs/interface-of-bellhop.json', json(await interfaceOfBellhop()));
await writeTable('docs/deprecated.md', 'deprecated', deprecatedTable());
await write('docs/bellhop.schema.json', json(editorSchema(rulebookFile, 'bellhop.yaml')));
await write('docs/bellhop.tests.schema.json', json(editorSchema(policyTestsFile, 'bellhop.tests.yaml')));

if (stale.length > 0) {
  stderr.write(`Generated files differ: ${stale.join(', ')}. Run: npm run generate\n`);
  exit(1);
}

async function write(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => '');
  if (before === text) return;
  if (check) stale.push(path);
  else await writeFile(path, text);
}

async function writeTable(path: string, name: string, table: string): Promise<void> {
  await write(path, withSection(await readFile(path, 'utf8'), name, table));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The usage, without the options that the page names once for all commands. */
function usageOf(entry: Registry['entries'][number]): string {
  return usageHint(entry).replaceAll(/ \[--(?:project|region|reason) [^\]]*\]/gu, '');
}

function commandTable({ entries }: Registry): string {
  const rows = entries.map(
    (entry) =>
      `| \`/${entry.area} ${usageOf(entry)}\` | ${entry.operation.summary} | ${entry.operation.atOnce ? 'at once' : entry.operation.risk} |`,
  );
  return ['| typed | what it does | risk |', '|---|---|---|', ...rows].join('\n');
}

/** The table of extensions: the commands that each adds, the options of other commands, and those that raise the risk. */
function extensionTable({ entries }: Registry): string {
  const rows = entries.flatMap((entry) => {
    const { area, verb, operation, fields } = entry;
    const { extension: adds, escalatedBy, summary, risk } = operation;
    const row = (words: string, what: string, how: Risk, extension = ''): string =>
      `| \`/${area} ${words}\` | ${what} | ${how} | \`${extension}\` |`;
    const added = fields.flatMap(({ name, option, description, extension = adds }) =>
      extension === adds && name !== escalatedBy
        ? []
        : [row(`${verb} … --${option}`, description, riskOf(operation, { [name]: true }), extension)],
    );
    return adds === undefined ? added : [row(usageOf(entry), summary, risk, adds), ...added];
  });
  return ['| typed | what it does | risk | extension |', '|---|---|---|---|', ...rows].join('\n');
}

function deprecatedTable(): string {
  const rows = [...deprecatedKeys, ...deprecatedVariables].map(
    ({ name, instead, goneIn }) => `| \`${name}\` | \`${instead}\` | ${goneIn} |`,
  );
  if (rows.length === 0) return 'Nothing is deprecated.';
  return ['| deprecated | instead | removed in |', '|---|---|---|', ...rows].join('\n');
}

function scopeTable(): string {
  const rows = Object.entries(botScopes).map(
    ([scope, { use, without }]) => `| \`${scope}\` | ${use} | ${without?.text ?? 'Bellhop does not start'} |`,
  );
  return ['| scope | what for | without it |', '|---|---|---|', ...rows].join('\n');
}
