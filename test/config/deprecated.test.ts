import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { upgradeFile } from '../../src/app/cli/upgrade.ts';
import { readEnvironment } from '../../src/config/environment/environment.ts';
import { parseRulebook } from '../../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../../src/config/yaml/findings.ts';
import { withoutDeprecated } from '../../src/config/yaml/deprecated-keys.ts';
import { operations } from '../../src/operations/index.ts';
import { runConfig } from '../app/cli/run-config.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const goneIn = '0.3.0';
const keys = [
  { name: 'standard_project', instead: 'project', goneIn },
  { name: 'requests.expiry', instead: 'expire_after', goneIn },
  { name: 'rules[].what', instead: 'operations', goneIn },
  { name: 'instances.<name>.tags', instead: 'labels', goneIn },
];

const before = `# mine
"standard_project": 7   # the first one
region:   76

instances:
  web-1: { id: abc,   tags: { env: staging } } # “tags: x” in a comment
  web-2: { id: def }
roles: { ops: { users: [U0ALICE] } }
rules:
  - what: [cloud.*]   # reboot and stop
    risk: [read]
    roles: [ops]
    then: allow
requests: { expiry: 20m }
`;
const after = before
  .replace('"standard_project"', 'project')
  .replace(',   tags:', ',   labels:')
  .replace('- what:', '- operations:')
  .replace('expiry', 'expire_after');

const parse = (yaml: string) =>
  parseRulebook(Buffer.from(yaml), 'bellhop.yaml', operations, { deprecated: keys });

const text = (name: string, instead: string): string =>
  `warning: ${name}: is deprecated and will be removed in 0.3.0: write ${instead} instead.`;

describe('a deprecated key of bellhop.yaml', () => {
  it('works, and its place and the new name are in the warnings', () => {
    const [old, upgraded] = [parse(before), parse(after)];
    if (!old.ok || !upgraded.ok) throw new Error('not read');
    expect(old.rulebook.inventory).toEqual(upgraded.rulebook.inventory);
    expect(old.rulebook.policy.rules).toEqual(upgraded.rulebook.policy.rules);
    expect(old.rulebook.expireAfterMs).toBe(20 * 60_000);
    expect(findingLines(old.warnings()).filter((line) => line.includes('deprecated'))).toEqual([
      `bellhop.yaml:2:1: ${text('standard_project', 'project')}`,
      `bellhop.yaml:6:23: ${text('instances.<name>.tags', 'labels')}`,
      `bellhop.yaml:10:5: ${text('rules[].what', 'operations')}`,
      `bellhop.yaml:14:13: ${text('requests.expiry', 'expire_after')}`,
    ]);
    expect(findingLines(upgraded.warnings()).join()).not.toContain('deprecated');
  });

  it('is a mistake beside the new one', () => {
    const result = parse('standard_project: 7\nproject: 8\n');
    expect(result.ok ? [] : findingLines(result.findings)).toEqual([
      'bellhop.yaml:1:1: standard_project: is deprecated. Remove it, because project is set, too.',
      expect.stringContaining('bellhop.yaml:1:1: standard_project: is not a valid key here.'),
    ]);
  });
});

describe('npm run config -- upgrade', () => {
  it('writes the new names, and keeps every other byte and the mode', () => {
    const file = join(temporaryFolder(), 'bellhop.yaml');
    writeFileSync(file, before, { mode: 0o640 });
    expect(upgradeFile(file, keys)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(after);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(upgradeFile(file, keys)).toBe(false);
    expect(withoutDeprecated(after, keys)).toBe(after);
  });

  it('changes no byte where nothing is deprecated, and touches no file with a mistake', async () => {
    const files = { 'bellhop.yaml': '# mine\r\nproject:   7 # x\r\n\r\n' };
    expect(await runConfig(['upgrade'], files)).toEqual({
      code: 0,
      out: 'bellhop.yaml has nothing deprecated.\n',
      err: '',
    });
    const wrong = await runConfig(['upgrade'], { 'bellhop.yaml': 'projekt: 7\n' });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('bellhop.yaml is invalid.')]);
  });
});

it('a deprecated variable works, and the new name is in the warnings', () => {
  const table = [{ name: 'SLACK_TOKEN', instead: 'SLACK_BOT_TOKEN', goneIn }];
  const env = { SLACK_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret', API_BASE_URL: 'local' };
  const { settings, warnings, problems } = readEnvironment(env, '/', table);
  expect(problems).toEqual([]);
  expect(settings?.slack).toMatchObject({ botToken: 'xoxb-1' });
  expect(warnings).toEqual([
    'SLACK_TOKEN is deprecated and will be removed in 0.3.0: write SLACK_BOT_TOKEN instead.',
  ]);
  expect(readEnvironment({ ...env, SLACK_BOT_TOKEN: 'xoxb-2' }, '/', table).settings?.slack).toMatchObject({
    botToken: 'xoxb-2',
  });
});
