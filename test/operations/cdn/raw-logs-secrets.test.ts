import { describe, expect, test } from 'vitest';

import { resolve } from '../../../src/core/command/resolve.ts';
import { contextOf } from '../../../src/core/request/run-request.ts';
import type { SecretBinding } from '../../../src/core/model/rulebook.ts';
import { send } from '../../../src/core/request/send-request.ts';
import { peopleDirectory } from '../../core/people-directory.ts';
import { stageFor } from '../../core/core-setup.ts';
import { alice, openStage } from '../stage.ts';
import { s3 } from './raw-log-values.ts';

const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c-form' };
const secrets = { BELLHOP_SECRET_LOG_KEY: 'the-key', BELLHOP_SECRET_OTHER: 'another' };
const bound: SecretBinding = { fields: ['s3_secret_key'], hosts: ['s3.example.com'] };
const bindings = () => ({ 'log-key': bound });
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
const onlyThere = 'Secret key: secret:log-key may be sent to s3.example.com only.';

describe('a secret is sent', () => {
  test.each<[string, Record<string, unknown>]>([
    ['to its host', other],
    ['to a host below it', { ...other, s3_hostname: 'EU.S3.example.com.:9000' }],
    ['to its host with a place for the bucket', { ...other, s3_host_bucket: '%(bucket)s.s3.example.com' }],
    ['where the type of storage has no host', s3],
    ['where it is not bound, outside production', { ...other, s3_secret_key: 'secret:other' }],
  ])('%s', async (_, values) => {
    const stage = await openStage({ secrets, bindings });
    const ended = await stage.confirm(await stage.submit('cdn.raw-logs', values));
    expect(ended.state).toBe('succeeded');
  });
});

describe('a secret is refused beside its field, and when it is asked for in any other way', () => {
  test.each<[string, Record<string, unknown>, string, boolean?]>([
    ['for another host', { ...other, s3_hostname: 'evil.example.com' }, onlyThere],
    ['for another host of buckets', { ...other, s3_host_bucket: 'evil.example.net' }, onlyThere],
    ['for a host that only ends alike', { ...other, s3_hostname: 'evils3.example.com' }, onlyThere],
    ['for a host with a path', { ...other, s3_hostname: 'evil.net/.s3.example.com' }, onlyThere],
    ['for a host in letters that look alike', { ...other, s3_hostname: 's3.exаmple.com' }, onlyThere],
    ['for another field', ftp, 'may not be sent in this field, only in s3_secret_key.'],
    [
      'in production where nothing is said of it',
      { ...other, s3_secret_key: 'secret:other' },
      'bellhop.yaml does not say where secret:other may be sent.',
      true,
    ],
    [
      'that does not exist',
      { ...other, s3_secret_key: 'secret:gone' },
      'Secret key: There is no secret “gone”: set BELLHOP_SECRET_GONE',
    ],
  ])('%s', async (_, values, says, production = false) => {
    const stage = await openStage({ secrets, bindings, production });
    const faults = stage.bellhop.faults(stage.entry('cdn.raw-logs'), values);
    expect(faults.map(({ field }) => field)).toEqual([values === ftp ? 'ftp_password' : 's3_secret_key']);
    expect(faults[0]?.text).toContain(says);
    await expect(stage.bellhop.submitForm(caller, 'cdn.raw-logs', values, {})).rejects.toThrow(says);
    expect(await stage.sent()).toBe(0);
  });
});

describe('a secret whose binding was changed', () => {
  test('between the question and the approval ends the request, and is not sent', async () => {
    let current: SecretBinding = bound;
    const stage = await openStage({ secrets, bindings: () => ({ 'log-key': current }) });
    const request = await stage.submit('cdn.raw-logs', other);
    current = { ...bound, hosts: ['s3.example.org'] };
    await expect(stage.confirm(request)).rejects.toThrow(
      'Not run. Secret key: secret:log-key may be sent to s3.example.org only. Change the host, or enter another secret.',
    );
    expect((await stage.store.find(request.id))?.state).toBe('refused');
    expect(await stage.sent('updateRawLogSettings')).toBe(0);
  });

  test('after the approval is not sent either', async () => {
    const stage = await openStage({ secrets, bindings });
    const request = await stage.submit('cdn.raw-logs', other);
    const sent: unknown[] = [];
    const later = stageFor({
      registry: stage.bellhop.registry,
      directory: peopleDirectory,
      inventory: stage.inventory,
      policy: { roles: {}, rules: [], freeze: [], hash: '' },
      service: { updateRawLogSettings: (settings: unknown) => sent.push(settings) },
    });
    later.rulebook = { ...later.rulebook, secrets: { 'log-key': { fields: ['ftp_password'] } } };
    const { context: core } = later;
    const context = contextOf(core, request);
    const entered = { entry: stage.entry('cdn.raw-logs'), values: request.input, options: {} };
    const end = await send(core, resolve(entered, stage.inventory), request, context);
    expect(end.state).toBe('failed');
    expect(end.outcome.error?.message).toContain('may not be sent in this field, only in ftp_password.');
    expect(sent).toEqual([]);
  });
});
