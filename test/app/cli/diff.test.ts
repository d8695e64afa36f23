import { describe, expect, it } from 'vitest';

import { runConfig } from './run-config.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openStore } from '../../store/open-store.ts';

const rules = (then: string): string => `project: 1
region: 2
instances: { web-1: { id: w1, labels: { env: staging } }, db-1: { id: d1, labels: { env: production } } }
roles: { ops: { users: [U0OPS], usergroups: [S0OPS] }, leads: { users: [U0CAROL] } }
rules:
  - { name: reads, risk: read, roles: [anyone], then: allow }
  - { name: production, operations: [cloud.*], labels: { env: production }, roles: [ops], ${then} }
  - { name: staging, operations: [cloud.*], labels: { env: staging }, channels: [C0OPS], roles: [ops], then: confirm }
`;

const files = { 'old.yaml': rules('then: approve, approvers: [leads]'), 'new.yaml': rules('then: confirm') };

const asked = (
  user: string,
  operation: string,
  input: object,
  ago: number,
  event: 'proposed' | 'denied',
) => ({
  at: Date.now() - ago,
  event,
  actor: { team: 'T0', user },
  place: { team: 'T0', channel: 'C0OPS' },
  operation,
  input: { ...input },
  policyHash: '0',
});

const day = 24 * 60 * 60_000;

/** An audit log of some days: the requested commands and their people. */
async function auditLog(): Promise<string> {
  const dataDir = temporaryFolder();
  const store = await openStore({ dataDir });
  await store.record([
    asked('U0OPS', 'cloud.reboot', { instance: 'db-1' }, 40 * day, 'proposed'),
    asked('U0OPS', 'cloud.stop', { instance: 'db-1' }, 3 * day, 'proposed'),
    asked('U0OPS', 'cloud.stop', { instance: 'web-1' }, 2 * day, 'proposed'),
    asked('U0NEW', 'cloud.reboot', { instance: '1/2/d1' }, day, 'proposed'),
    asked('U0CAROL', 'cloud.reboot', { instance: 'db-1' }, day, 'denied'),
  ]);
  await store.close();
  return dataDir;
}

const freezeOf = (to: string, except = ''): string =>
  `freeze: [{ labels: { env: production }, from: 2026-12-24T18:00:00+01:00, to: ${to}${except}, reason: holidays }]\n`;

const stop = (user: string, event: 'proposed' | 'denied', onCall: readonly object[]) => ({
  ...asked(user, 'cloud.stop', { instance: 'db-1' }, day, event),
  onCall,
});

/** The same rules for anyone who is on call. */
const ofSchedule = (then: string) =>
  `schedules: { primary: { ical: 'https://calendar.example.com/a.ics', match: email } }\n${rules(then).replace(/ops: \{[^}]*\}/u, 'ops: { schedule: primary }')}`;

describe('npm run config -- diff', () => {
  it('groups the changed decisions, and names the requested commands', async () => {
    const { code, out, err } = await runConfig(['diff', 'old.yaml', 'new.yaml'], files, {
      DATA_DIR: await auditLog(),
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/gu, 'then').split('\n');
    expect(lines).toEqual([
      'rules “production”.then: approve → confirm',
      'rules “production”.approvers: ["leads"] → (not set)',
      'ops: approve by leads → confirm: cloud.reboot on db-1; cloud.stop on db-1',
      '',
      'Of 4 commands in the last 30d, 2 would be decided differently.',
      'then, U0OPS in C0OPS, /cloud stop db-1: approve by leads → confirm',
      'then, U0NEW in C0OPS, /cloud reboot 1/2/d1: approve by leads → confirm (for members of S0OPS)',
      '',
    ]);
  });

  it('says that approvers_after reaches only new requests, if it differs', async () => {
    const later = rules('then: approve, approvers: [leads], approvers_after: { 5m: [ops] }');
    const { out } = await runConfig(['diff', 'old.yaml', 'new.yaml'], { ...files, 'new.yaml': later });
    expect(out).toContain(
      "\napprovers_after: open requests keep the old times, but roles that the new file no longer contains can't approve them.\n",
    );
    const same = await runConfig(['diff', 'old.yaml', 'new.yaml'], { 'old.yaml': later, 'new.yaml': later });
    expect(same.out).not.toContain('already wait');
  });

  it('uses the log to find who was on call', async () => {
    const dataDir = temporaryFolder();
    const store = await openStore({ dataDir });
    const at = Date.parse('2026-11-20T03:00:00Z');
    await store.record([
      stop('U0EVE', 'proposed', [{ schedule: 'primary', held: 'held', at }]),
      stop('U0BOB', 'denied', [
        { schedule: 'other', held: 'held' },
        { schedule: 'primary', held: 'not held', at, users: ['U0EVE'] },
      ]),
      stop('U0DAN', 'denied', [{ schedule: 'primary', held: 'unknown', at }]),
    ]);
    await store.close();
    const { out, err } = await runConfig(
      ['diff', 'old.yaml', 'new.yaml'],
      {
        'old.yaml': ofSchedule('then: approve, approvers: [leads]'),
        'new.yaml': ofSchedule('then: confirm'),
      },
      { DATA_DIR: dataDir },
    );
    expect(err).toBe('');
    expect(
      out
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/gu, 'then')
        .split('\n')
        .slice(4),
    ).toEqual([
      'Of 3 commands in the last 30d, 1 would be decided differently.',
      'then, U0EVE in C0OPS, /cloud stop db-1: approve by leads → confirm',
      '',
    ]);
  });

  it('says that there is nothing to report', async () => {
    const { out } = await runConfig(['diff', 'old.yaml', 'old.yaml'], files, { DATA_DIR: 'nowhere' });
    expect(out).toBe(
      'No difference.\n\nNo audit log found. Set DATABASE_URL or DATA_DIR to compare its commands.\n',
    );
  });

  it.each([
    ['one file', ['old.yaml'], 2, 'diff takes two files'],
    ['an invalid time', ['old.yaml', 'new.yaml', '--since', 'ever'], 2, '--since takes a'],
    ['a file that is not there', ['old.yaml', 'gone.yaml'], 1, 'gone.yaml does not exist.'],
  ])('explains %s', async (_, args, code, text) => {
    const ran = await runConfig(['diff', ...args], files);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(text);
  });

  it('compares freezes as they are written', async () => {
    const base = rules('then: confirm');
    const ran = await runConfig(
      ['diff', 'old.yaml', 'new.yaml'],
      {
        'old.yaml': base + freezeOf('2026-12-27T06:00:00Z'),
        'new.yaml': base + freezeOf('2026-12-26T06:00:00Z', ', except: [leads]'),
      },
      { DATA_DIR: temporaryFolder() },
    );
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out.split('\n').slice(0, 2)).toEqual([
      'freeze[0].to: 2026-12-27T06:00:00Z → 2026-12-26T06:00:00Z',
      'freeze[0].except: (not set) → ["leads"]',
    ]);
  });
});

const whole = `${rules('then: approve, approvers: [leads]')}limits: [{ per: person, at_most: 2, within: 10m }]
guard: [{ labels: { env: production }, approvers: [leads] }]
secrets: { log-bucket: { fields: [s3_secret_key], hosts: [s3.example.com] } }
announce: { break_glass: C0OPS }
requests: { lease: 60s }
extensions: [tasks]
`;

describe('what no rule decides', () => {
  it.each([
    ['a new approver', 'users: [U0CAROL]', 'users: [U0CAROL, U0EVE]', 'roles.leads.users: added: U0EVE'],
    [
      'a guard removed',
      /guard: .*\n/u,
      '',
      'guard: [{"approvers":["leads"],"labels":{"env":"production"}}] → (not set)',
    ],
    ['a higher limit', 'at_most: 2', 'at_most: 1000', 'limits[0].at_most: 2 → 1000'],
    [
      'a secret for any host',
      ', hosts: [s3.example.com]',
      '',
      'secrets.log-bucket.hosts: ["s3.example.com"] → (not set)',
    ],
    [
      'announcements elsewhere',
      'break_glass: C0OPS',
      'break_glass: C0ELSE',
      'announce.break_glass: C0OPS → C0ELSE',
    ],
    ['a target elsewhere', 'id: d1', 'id: d2', 'instances.db-1.id: d1 → d2'],
    ['another default', 'project: 1', 'project: 3', 'project: 1 → 3'],
    ['an extension less', 'extensions: [tasks]\n', '', 'extensions: ["tasks"] → (not set)'],
    [
      'a name not to be typed',
      'then: approve',
      'confirm: type-name, then: approve',
      'rules “production”.confirm: (not set) → type-name',
    ],
    ['rules reordered', /( {2}- \{ name: production.*\n)( {2}.*\n)/u, '$2$1', 'rules: reordered'],
  ])('is a difference too: %s', async (_, from, to, line) => {
    const after = whole.replace(from, to);
    expect(after).not.toBe(whole);
    const ran = await runConfig(
      ['diff', 'old.yaml', 'new.yaml'],
      { 'old.yaml': whole, 'new.yaml': after },
      { DATA_DIR: 'nowhere' },
    );
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out.split('\n')[0]).toBe(line);
    expect(ran.out).not.toContain('No difference');
  });

  it('is empty if only the wording changed', async () => {
    const after = whole.replace('within: 10m', 'within: 600s').replace('lease: 60s', 'lease: 1m');
    const ran = await runConfig(
      ['diff', 'old.yaml', 'new.yaml'],
      { 'old.yaml': whole, 'new.yaml': after },
      { DATA_DIR: 'nowhere' },
    );
    expect(ran.out).toMatch(/^No difference\.\n/u);
  });
});
