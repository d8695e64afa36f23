import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runConfig } from './run-config.ts';

const good =
  'rules:\n  - { risk: [change, destructive], then: deny }\n  - { risk: read, roles: [anyone], then: allow }\n';
const doubtful = `${good}  - { risk: change, then: deny }\n`;
const wrong = 'rulse: []\n';

describe('npm run config -- check', () => {
  it('is silent about nothing and fails where a start would', async () => {
    const ran = await runConfig(['check'], { 'bellhop.yaml': wrong });
    expect(ran).toEqual({
      code: 1,
      out: 'bellhop.yaml:1:1: rulse: is not a valid key here. Did you mean “rules”?\nbellhop.yaml: 1 error, 0 warnings.\n',
      err: '',
    });
    const missing = await runConfig(['check']);
    expect(missing.code).toBe(1);
    expect(missing.out).toMatch(/^bellhop.yaml does not exist/u);
  });

  it('passes a file with warnings, unless it is strict', async () => {
    const out =
      'mine.yaml:4:5: warning: rules[2]: never decides anything: rule 1 before it decides everything it matches.\nmine.yaml: 0 errors, 1 warning.\n';
    const files = { 'mine.yaml': doubtful };
    expect(await runConfig(['check', 'mine.yaml'], files)).toEqual({ code: 0, out, err: '' });
    expect(await runConfig(['check', '--strict', 'mine.yaml'], files)).toEqual({ code: 2, out, err: '' });
    expect(await runConfig(['check', '--strict'], { 'bellhop.yaml': good })).toEqual({
      code: 0,
      out: 'bellhop.yaml is good.\n',
      err: '',
    });
  });

  it('finds nothing in the file that people copy, which is short', async () => {
    const minimal = readFileSync(join(import.meta.dirname, '../../../examples/bellhop.minimal.yaml'), 'utf8');
    expect(minimal.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect(await runConfig(['check', '--strict'], { 'bellhop.yaml': minimal })).toEqual({
      code: 0,
      out: 'bellhop.yaml is good.\n',
      err: '',
    });
  });

  it('writes findings as JSON', async () => {
    const { out } = await runConfig(['check', '--format', 'json'], { 'bellhop.yaml': wrong });
    expect(JSON.parse(out)).toEqual([
      {
        file: 'bellhop.yaml',
        line: 1,
        column: 1,
        path: 'rulse',
        severity: 'error',
        message: 'is not a valid key here.',
        suggestion: 'Did you mean “rules”?',
      },
    ]);
  });

  it('explains itself, and mistakes in a line', async () => {
    expect((await runConfig(['check', '--help'])).out).toMatch(/^Usage: npm run config -- check/u);
    expect((await runConfig(['--help'])).out).toMatch(/^Usage: npm run config -- <command>/u);
    const misspelt = await runConfig(['chekc']);
    expect(misspelt.code).toBe(2);
    expect(misspelt.err).toMatch(/^Unknown command .*\n$/u);
  });
});
