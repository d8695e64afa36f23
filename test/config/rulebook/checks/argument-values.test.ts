import { describe, expect, it } from 'vitest';

import { resolve } from '../../../../src/command/resolve.ts';
import { findingLines } from '../../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../../src/config/rulebook/read-rulebook.ts';
import { extensions } from '../../../../src/model/rulebook/schema.ts';
import { createRegistry } from '../../../../src/command/grammar/registry.ts';
import { parse } from '../../../../src/command/grammar/grammar.ts';
import { authorize } from '../../../../src/policy/authorize.ts';
import { operations } from '../../../../src/operations/index.ts';
import { coreFor } from '../../../core.ts';
import { alice, peopleDirectory } from '../../../people.ts';

const registry = createRegistry(operations, extensions);

const targets = `
project: 1186668
region: 76
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }
  db-1: { id: 0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11, region: 180 }
  odd: { id: vm-A-1 }
containers:
  api: { region: 180 }
`;

const read = (argument: string) =>
  parseRulebook(
    Buffer.from(
      `${targets}rules:
  - { operations: [cloud.*, cdn.metrics, storage.*], arguments: ${argument}, then: deny }
  - { roles: [anyone], then: confirm }
`,
    ),
    'bellhop.yaml',
    operations,
  );

/** The decision about a typed command if the first rule denies this argument. */
async function effectOf(argument: string, typed: string): Promise<string> {
  const result = read(argument);
  if (!result.ok) return findingLines(result.findings).join('\n');
  const { context } = coreFor({ registry, directory: peopleDirectory, rulebook: result.rulebook });
  const [area = '', text = ''] = typed.slice(1).split(/ (.*)/su);
  const parsed = parse(registry, area, text);
  if (parsed.kind !== 'command') throw new Error(`${typed} is not a complete command`);
  const { decision } = await authorize(context, resolve(parsed, result.rulebook.inventory), {
    actor: alice,
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
  });
  return decision.effect;
}

const db = '0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11';
const post = '/storage post reaching_used_space --bucket media --storage main --bytes';

const at = (column: number, field: string): string =>
  `bellhop.yaml:11:${column}: rules[0].arguments.${field}: `;

describe('a rule on arguments', () => {
  it.each([
    ['{ region: 180 }', '/cloud reboot db-1'],
    ['{ region: "0180" }', `/cloud reboot 1186668/180/${db}`],
    ['{ region: 180 }', '/cloud reboot db-1 --region 180'],
    ['{ region: 180 }', '/cloud reboot 1/180/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99'],
    ['{ region: 76 }', '/cloud reboot web-1'],
    ['{ region: 76 }', '/cloud ips'],
    ['{ region: 180 }', '/cloud container api'],
    ['{ project: 1186668, region: 76 }', '/cloud container other'],
    ['{ instance: db-1 }', '/cloud reboot db-1'],
    ['{ instance: db-1 }', `/cloud stop 1186668/180/${db}`],
    ['{ instance: db-1 }', `/cloud stop 1186668/180/${db.toUpperCase().replaceAll('-', '')}`],
    [`{ instance: ${db} }`, '/cloud reboot db-1'],
    [`{ instance: ${db.replaceAll('-', '').toUpperCase()} }`, '/cloud reboot db-1'],
    [`{ instance: 1186668/180/${db} }`, '/cloud reboot db-1'],
    ['{ instance: VM-a-1 }', '/cloud reboot odd'],
    [
      '{ instance: 1/9/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a77 }',
      '/cloud reboot 01/09/0D9C0A3A-52A5-4A1B-8F0E-0D5F4C1B7A77',
    ],
    ['{ name: api }', '/cloud container api'],
    ['{ unassigned: false }', '/cloud ips'],
    ['{ last: 7d }', '/cdn metrics 5xx --last 7d'],
    ['{ last: 168h }', '/cdn metrics 5xx --last 1w'],
    ['{ every: 1h }', '/cdn metrics 5xx --every PT60M'],
    ['{ names: 5xx }', '/cdn metrics 2xx edge_status_5xx'],
    ['{ names: edge_status_4xx }', '/cdn metrics'],
    ['{ resource: 0012 }', '/cdn metrics 5xx --resource 12'],
    ['{ bytes: 10GB }', `${post} 10000MB`],
    ['{ bytes: 10000000000 }', `${post} 10GB`],
    ['{ bytes: 1 KiB }', `${post} 1024`],
    ['{ bucket: media, storage: main }', `${post} 1GB`],
    ['{ kind: reaching_used_space }', '/storage events reaching_files_quantity,reaching_used_space'],
  ])('%s holds for %s', async (argument, typed) => {
    expect(await effectOf(argument, typed)).toBe('deny');
  });

  it.each([
    ['{ region: 180 }', '/cloud reboot web-1'],
    ['{ instance: web-1 }', '/cloud reboot db-1'],
    ['{ instance: db-1 }', '/cloud reboot 1/2/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99'],
    [
      '{ instance: 1/9/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a77 }',
      '/cloud reboot 1/8/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a77',
    ],
    ['{ bytes: 10GB }', `${post} 10GiB`],
    ['{ unassigned: true }', '/cloud ips'],
    ['{ region: 180 }', '/cdn metrics 5xx'],
    ['{ last: 7d }', '/cdn metrics 5xx'],
  ])('%s does not hold for %s', async (argument, typed) => {
    expect(await effectOf(argument, typed)).toBe('confirm');
  });

  it.each([
    [
      '{ region: Frankfurt }',
      'region',
      'no command can have “Frankfurt”: must be a whole number, 0 or more.',
    ],
    ['{ region: -1 }', 'region', 'no command can have “-1”: must be a whole number, 0 or more.'],
    [
      '{ last: 1 month }',
      'last',
      'no command can have “1 month”: must be a duration such as 15m, 2h or 7d, at most 3660d.',
    ],
    ['{ bytes: ten }', 'bytes', 'no command can have “ten”: must be a size such as 10GB, 512MiB or 1500.'],
    [
      '{ kind: reaching_used_spaec }',
      'kind',
      'no command can have “reaching_used_spaec”: must be one of reaching_files_quantity, reaching_used_requests, reaching_used_space, reaching_used_traffic. Did you mean “reaching_used_space”?',
    ],
    ['{ names: 5xy }', 'names', 'no command can have “5xy”: 5xy is not a metric. Did you mean “5xx”?'],
    ['{ unassigned: yes }', 'unassigned', 'no command can have “yes”: takes true or false.'],
    ['{ follow: true }', 'follow', '--follow was removed. Use Refresh under the answer. Remove it here.'],
    [
      '{ instance: bd-1 }',
      'instance',
      'no command can have “bd-1”: use a name or id from the inventory, or project/region/id. Did you mean “db-1”?',
    ],
    [
      `{ instance: 1186668/76/${db} }`,
      'instance',
      `no command can have “1186668/76/${db}”: use a name or id from the inventory, or project/region/id.`,
    ],
    ['{ from: yesterday }', 'from', "rules can't compare this field. Remove it."],
  ])('%s is an error with line and column: it could never hold', (argument, field, text) => {
    const result = read(argument);
    const column =
      argument.indexOf(':') + 2 + '  - { operations: [cloud.*, cdn.metrics, storage.*], arguments: '.length;
    expect(result.ok ? [] : findingLines(result.findings)).toEqual([`${at(column + 1, field)}${text}`]);
  });
});
