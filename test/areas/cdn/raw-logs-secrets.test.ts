import { describe, expect, test, vi } from 'vitest';

import { faultsOf } from '../../../src/run/forms.ts';
import { submitForm } from '../../../src/run/run-command.ts';
import { resolve } from '../../../src/command/resolve.ts';
import type { Rulebook, SecretBinding } from '../../../src/model/rulebook/rulebook.ts';
import { send } from '../../../src/request/send-request.ts';
import { renderCard } from '../../../src/slack/cards/render-card.ts';
import { coreFor } from '../../core.ts';
import { openStage } from '../../operations/stage.ts';
import { s3 } from './raw-log-values.ts';
import { rulesOf } from '../../rules-of.ts';
import { alice, peopleDirectory } from '../../people.ts';

const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c-form' };
const secrets = { BELLHOP_SECRET_LOG_KEY: 'the-key', BELLHOP_SECRET_OTHER: 'another' };
const bound: SecretBinding = { fields: ['s3_secret_key'], hosts: ['s3.example.com'], operations: [] };
const bindings = { 'log-key': bound };
const other = {
  ...s3,
  s3_type: 'other',
  s3_hostname: 's3.example.com',
  s3_host_bucket: 'logs.s3.example.com',
};
const ftp = {
  storage_type: 'ftp',
  ftp_hostname: 's3.example.com',
  ftp_login: 'logs',
  ftp_password: 'secret:log-key',
  all_resources_folder: 'logs',
};
const onlyThere = 'Secret key: secret:log-key can only be sent to s3.example.com.';

describe('a secret is sent', () => {
  test.each<[string, Record<string, unknown>]>([
    ['to its host', other],
    ['to a host below it', { ...other, s3_hostname: 'EU.S3.example.com.:9000' }],
    ['to its host with a place for the bucket', { ...other, s3_host_bucket: '%(bucket)s.s3.example.com' }],
    ['where the type of storage has no host', s3],
    ['where it is not bound, in the playground', { ...other, s3_secret_key: 'secret:other' }],
  ])('%s', async (_, values) => {
    const stage = await openStage({ env: secrets, secrets: bindings });
    const ended = await stage.confirm(await stage.submit('cdn.raw-logs', values));
    expect(ended.state).toBe('succeeded');
  });
});

describe('a secret is rejected next to its field, and in every other kind of request', () => {
  test.each<[string, Record<string, unknown>, string, boolean?]>([
    ['for another host', { ...other, s3_hostname: 'evil.example.com' }, onlyThere],
    ['for another host of buckets', { ...other, s3_host_bucket: 'evil.example.net' }, onlyThere],
    ['for a host that only ends alike', { ...other, s3_hostname: 'evils3.example.com' }, onlyThere],
    ['for a host in letters that look alike', { ...other, s3_hostname: 's3.exаmple.com' }, onlyThere],
    ['for another field', ftp, "can't be used in this field, only in s3_secret_key."],
    [
      'outside the playground if it is not listed',
      { ...other, s3_secret_key: 'secret:other' },
      "bellhop.yaml doesn't allow secret:other to be sent",
      false,
    ],
    [
      'that does not exist',
      { ...other, s3_secret_key: 'secret:gone' },
      'Secret key: The secret “gone” does not exist. Set BELLHOP_SECRET_GONE,',
    ],
  ])('%s', async (_, values, says, playground = true) => {
    const stage = await openStage({ env: secrets, secrets: bindings, playground });
    const faults = await faultsOf(stage.context, stage.entry('cdn.raw-logs'), values);
    expect(faults.map(({ field }) => field)).toEqual([values === ftp ? 'ftp_password' : 's3_secret_key']);
    expect(faults[0]?.text).toContain(says);
    await expect(submitForm(stage.context, caller, 'cdn.raw-logs', values, {})).rejects.toThrow(says);
    expect(await stage.sent()).toBe(0);
  });
});

test('a host with a path is rejected', async () => {
  const stage = await openStage({ env: secrets, secrets: bindings });
  const values = { ...other, s3_hostname: 'evil.net/.s3.example.com' };
  const says = '--s3-hostname must be a host name, such as logs.example.com, without scheme or path';
  const faults = await faultsOf(stage.context, stage.entry('cdn.raw-logs'), values);
  expect(faults.map(({ field }) => field)).toEqual(['s3_hostname']);
  await expect(submitForm(stage.context, caller, 'cdn.raw-logs', values, {})).rejects.toThrow(says);
});

describe('a secret whose binding was changed', () => {
  test('between the question and the approval ends the request, and is not sent', async () => {
    const stage = await openStage({ env: secrets, secrets: bindings });
    const request = await stage.submit('cdn.raw-logs', other);
    const moved = { ...bound, hosts: ['s3.example.org'], operations: [] };
    stage.rulebook = { ...stage.rulebook, secrets: { 'log-key': moved } };
    await expect(stage.confirm(request)).rejects.toThrow(
      'Not run. Secret key: secret:log-key can only be sent to s3.example.org. Change the host, or enter another secret.',
    );
    expect((await stage.store.find(request.id))?.state).toBe('refused');
    expect(await stage.sent('updateRawLogSettings')).toBe(0);
  });

  test('after the approval is not sent either', async () => {
    const stage = await openStage({ env: secrets, secrets: bindings });
    const request = await stage.submit('cdn.raw-logs', other);
    const sent: unknown[] = [];
    const later = coreFor({
      registry: stage.context.registry,
      directory: peopleDirectory,
      rulebook: {
        inventory: stage.rulebook.inventory,
        policy: { roles: {}, rules: [], freeze: [], hash: '' },
        secrets: { 'log-key': { fields: ['ftp_password'], operations: [] } },
      },
      service: { updateRawLogSettings: (settings: unknown) => sent.push(settings) },
    });
    const { context: core } = later;
    const entered = { entry: stage.entry('cdn.raw-logs'), values: request.input, options: {} };
    const end = await send(core, resolve(entered, stage.rulebook.inventory), request, () => true);
    expect(end.state).toBe('failed');
    expect(end.outcome.error?.message).toContain("can't be used in this field, only in ftp_password.");
    expect(sent).toEqual([]);
  });
});

describe('a secret that the service keeps', () => {
  const entered = { ...ftp, ftp_password: 'secret:ftp' };
  const left = { ...ftp, ftp_password: undefined };
  const amazon = { ...s3, s3_secret_key: undefined };
  const sftp = {
    storage_type: 'sftp',
    sftp_hostname: 'a.example.com',
    sftp_login: 'logs',
    sftp_private_key: 'secret:ftp',
    all_resources_folder: 'logs',
  };
  const kept = { BELLHOP_SECRET_FTP: 'the-password', BELLHOP_SECRET_LOG_KEY: 'the-key' };

  test.each<[string, Record<string, unknown> | undefined, Record<string, unknown>, string]>([
    [
      'another FTP host',
      entered,
      { ...left, ftp_hostname: 'evil.example.com' },
      'FTP password: FTP host differs from the stored settings',
    ],
    [
      'another FTP login',
      entered,
      { ...left, ftp_login: 'mallory' },
      'FTP password: FTP login differs from the stored settings',
    ],
    [
      'another access key',
      s3,
      { ...amazon, s3_access_key_id: 'AKIA2' },
      'Secret key: Access key id differs from the stored settings',
    ],
    [
      'another S3',
      s3,
      { ...other, s3_secret_key: undefined },
      'Secret key: S3 type, S3 host and S3 bucket host differ from the stored settings',
    ],
    [
      'another SFTP host, kept as a key',
      sftp,
      { ...sftp, sftp_private_key: undefined, sftp_hostname: 'evil.example.com' },
      'SFTP password: SFTP host differs from the stored settings',
    ],
    [
      'a host that was sent along with another type of storage',
      { ...s3, ftp_hostname: 'evil.example.com', ftp_login: 'logs' },
      { ...left, ftp_hostname: 'evil.example.com' },
      'FTP password: Storage type differs from the stored settings',
    ],
    ['a host of which nothing is on record', undefined, left, 'Bellhop has no record of the stored settings'],
  ])('has to be entered for %s', async (_, before, values, says) => {
    const stage = await openStage({ env: kept });
    if (before) await stage.confirm(await stage.submit('cdn.raw-logs', before));
    const faults = await faultsOf(stage.context, stage.entry('cdn.raw-logs'), values);
    expect(faults.map(({ text }) => text).join()).toContain(says);
    await expect(submitForm(stage.context, caller, 'cdn.raw-logs', values, {})).rejects.toThrow(says);
    expect(await stage.sent('updateRawLogSettings')).toBe(before ? 1 : 0);
  });

  test('has to be entered after an unknown outcome, which may have stored another host', async () => {
    const stage = await openStage({ env: kept });
    await stage.confirm(await stage.submit('cdn.raw-logs', entered));
    await stage.control('PUT', 'faults/updateRawLogSettings', { status: 500, after: true, times: 1 });
    await stage.confirm(await stage.submit('cdn.raw-logs', { ...entered, ftp_hostname: 'b.example.com' }));
    await expect(submitForm(stage.context, caller, 'cdn.raw-logs', left, {})).rejects.toThrow(
      'FTP password: the outcome of r-2 is unknown',
    );
  });

  test('is sent to the same host and login, and the card says so', async () => {
    const stage = await openStage({ env: kept });
    await stage.confirm(await stage.submit('cdn.raw-logs', entered));
    const request = await stage.submit('cdn.raw-logs', { ...left, all_resources_folder: 'other' });
    const { operation, verb } = stage.entry('cdn.raw-logs');
    expect(
      JSON.stringify(renderCard(request, { operation, verb, done: 'succeeded', disclaimers: [] })),
    ).toContain('the service will send the stored password to s3.example.com');
    expect((await stage.confirm(request)).state).toBe('succeeded');
  });

  test('is not sent where an outcome got unknown between the question and the approval', async () => {
    const stage = await openStage({ env: kept });
    await stage.confirm(await stage.submit('cdn.raw-logs', entered));
    const request = await stage.submit('cdn.raw-logs', left);
    vi.spyOn(stage.store, 'list').mockResolvedValueOnce([]);
    await expect(stage.confirm(request)).rejects.toThrow('Not run. FTP password: Bellhop has no record');
    expect(await stage.sent('updateRawLogSettings')).toBe(1);
  });
});

const listed = (yaml: string): Pick<Rulebook, 'ownSecrets'> => rulesOf(`rules: []\n${yaml}\n`);

describe('a secret that Bellhop uses itself', () => {
  const own = [
    ['audit keys', listed('audit: { key: secret:log-key }')],
    ['forwarding', listed('audit: { forward: { url: https://siem.example, token: secret:log-key } }')],
    ['hooks', listed('hooks: { am: { secret: secret:log-key, channel: C0OPS, kind: alertmanager } }')],
    ['schedules', listed('schedules: { primary: { ical: secret:log-key, match: email } }')],
    ['agents', listed('agents: { triage: { token: secret:log-key, channel: C0OPS } }')],
    [
      'identity',
      listed(
        'identity: { issuer: https://sso.example, client_id: b, client_secret: secret:log-key, match: email }',
      ),
    ],
  ] as const;
  test.each(own)(
    'for %s is in no form, even in the playground and if listed for the host',
    async (_, { ownSecrets }) => {
      const stage = await openStage({ env: secrets, secrets: bindings, ownSecrets });
      const says = 'secret:log-key is reserved for Bellhop itself. Enter another secret.';
      const [fault] = await faultsOf(stage.context, stage.entry('cdn.raw-logs'), other);
      expect(fault?.text).toContain(says);
      await expect(submitForm(stage.context, caller, 'cdn.raw-logs', other, {})).rejects.toThrow(says);
    },
  );
});
