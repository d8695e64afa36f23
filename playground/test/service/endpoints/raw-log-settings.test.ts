import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rawLogSecrets, rawLogSettings } from '../../../../src/areas/cdn/client/raw-logs.ts';
import { openServiceStore } from '../../../service/state/service-store.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { type OpenService, openService, sharedService, startForTests } from '../open-service.ts';

const path = '/cdn/raw_log_settings';

const common = { enabled: true, for_all_resources: true };
const s3 = {
  ...common,
  storage_type: 's3',
  all_resources_bucket: 'logs',
  s3_type: 'amazon',
  s3_access_key_id: 'AKIA',
  s3_secret_key: 'hidden-1',
};
const ftp = {
  ...common,
  storage_type: 'ftp',
  all_resources_folder: '/logs',
  ftp_hostname: 'ftp.example.net',
  ftp_login: 'me',
  ftp_password: 'hidden-2',
};
const sftp = {
  ...common,
  storage_type: 'sftp',
  all_resources_folder: '/logs',
  sftp_hostname: 'sftp.example.net',
  sftp_login: 'me',
};
const byPassword = { ...sftp, sftp_password: 'hidden-3' };
const byKey = { ...sftp, sftp_private_key: 'hidden-4', sftp_key_passphrase: 'hidden-5' };

const every = {
  ...s3,
  ...ftp,
  ...byPassword,
  storage_type: 's3',
  ignore_empty_logs: true,
  for_all_resources: false,
  folders: [{ id: 3, bucket: 'b', folder: 'f', cdn_resource: 1001 }],
  s3_type: 'other',
  s3_aws_region: 2,
  s3_hostname: 's3.example.net',
  s3_host_bucket: '%(bucket)s.s3.example.net',
  s3_bucket_location: 'eu',
  ftp_prepend_folder: 'cdn',
  sftp_prepend_folder: 'cdn',
  sftp_private_key: 'hidden-4',
  sftp_key_passphrase: 'hidden-5',
  archive_size_mb: 500,
};

const less = (settings: Record<string, unknown>, ...fields: string[]) =>
  Object.fromEntries(Object.entries(settings).filter(([field]) => !fields.includes(field)));

describe('raw-log settings: accepted values', () => {
  it.each([
    ['s3', s3],
    ['ftp', ftp],
    ['sftp by password', byPassword],
    ['sftp by key', byKey],
    ['every field of the interface', every],
    [
      '"" in fields that are not used',
      { ...s3, ftp_hostname: '', s3_aws_region: '', folders: '', sftp_password: '' },
    ],
    ['archives of any size', { ...s3, archive_size_mb: null }],
    [
      'a folder that may be empty, in a bucket',
      { ...s3, for_all_resources: false, folders: [{ bucket: 'b', folder: '' }] },
    ],
    [
      'a folder without a bucket',
      { ...ftp, for_all_resources: false, folders: [{ folder: 'f', cdn_resource: 7 }] },
    ],
    ['switched off', { ...s3, enabled: false }],
  ])('%s: 200 with the settings and no secret', async (_what, settings) => {
    const { call } = await openService();
    const { status, body } = await call('PUT', path, { body: settings });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('hidden');
    const secrets: readonly string[] = rawLogSecrets;
    const sent = Object.entries(settings).filter(
      ([field, value]) => value !== '' && !secrets.includes(field),
    );
    expect(body).toMatchObject(Object.fromEntries(sent));
    expect(Object.keys(Object(body) as object).length).toBe(sent.length);
  });

  it('covers every field of the settings', () => {
    expect(Object.keys(every).toSorted()).toEqual(Object.keys(rawLogSettings.shape).toSorted());
  });

  it('gives folders without an id one of their own', async () => {
    const { call } = await openService();
    const folders = [{ bucket: 'a' }, { id: 9, bucket: 'b' }, { bucket: 'c' }];
    const { body } = await call('PUT', path, { body: { ...s3, for_all_resources: false, folders } });
    expect(body).toMatchObject({ folders: [{ id: 10 }, { id: 9 }, { id: 11 }] });
  });
});

describe('raw-log settings: refused values', () => {
  const { call } = sharedService();

  it.each([
    ['enabled', less(s3, 'enabled')],
    ['storage_type', less(s3, 'storage_type')],
    ['storage_type', { ...s3, storage_type: 'tape' }],
    ['storage_type', { ...s3, storage_type: '' }],
    ['for_all_resources', less(s3, 'for_all_resources')],
    ['enabled', { ...s3, enabled: 'yes' }],
    ['all_resources_bucket', less(s3, 'all_resources_bucket')],
    ['all_resources_folder', { ...ftp, all_resources_folder: '' }],
    ['all_resources_folder', less(byKey, 'all_resources_folder')],
    ['s3_type', less(s3, 's3_type')],
    ['s3_type', { ...s3, s3_type: 'blue' }],
    ['s3_access_key_id', less(s3, 's3_access_key_id')],
    ['s3_secret_key', less(s3, 's3_secret_key')],
    ['s3_hostname', { ...s3, s3_type: 'other', s3_host_bucket: 'x' }],
    ['s3_host_bucket', { ...s3, s3_type: 'other', s3_hostname: 'x' }],
    ['s3_aws_region', { ...s3, s3_aws_region: 'eu' }],
    ['ftp_hostname', less(ftp, 'ftp_hostname')],
    ['ftp_login', { ...ftp, ftp_login: '' }],
    ['ftp_password', { ...ftp, ftp_password: '' }],
    ['sftp_hostname', less(byKey, 'sftp_hostname')],
    ['sftp_login', less(byKey, 'sftp_login')],
    ['sftp_password', sftp],
    ['sftp_private_key', { ...byKey, sftp_password: 'both' }],
    ['archive_size_mb', { ...s3, archive_size_mb: 1.5 }],
    ['archive_size_mb', { ...s3, archive_size_mb: -1 }],
    ['folders', { ...s3, for_all_resources: false }],
    ['folders', { ...s3, for_all_resources: false, folders: [] }],
    ['folders[0].bucket', { ...s3, for_all_resources: false, folders: [{ folder: 'f' }] }],
    ['folders[1].folder', { ...ftp, for_all_resources: false, folders: [{ folder: 'f' }, { bucket: 'b' }] }],
    [
      'folders[0].cdn_resource',
      { ...s3, for_all_resources: false, folders: [{ bucket: 'b', cdn_resource: 'x' }] },
    ],
    ['s3_acces_key_id', { ...s3, s3_acces_key_id: 'x' }],
  ])('%s: 400 that names the field', async (field, body) => {
    const answer = await call('PUT', path, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field]);
  });
});

const statusOf = async (call: OpenService['call'], body: unknown) =>
  (await call('PUT', path, { body })).status;

describe('raw-log settings: secrets', () => {
  it.each([
    ['omitted', less(s3, 's3_secret_key')],
    ['empty', { ...s3, s3_secret_key: '' }],
  ])('%s: keeps the stored secret, and is required if there is none', async (_what, without) => {
    const { call } = await openService();
    expect(await statusOf(call, without)).toBe(400);
    expect(await statusOf(call, s3)).toBe(200);
    expect(await statusOf(call, without)).toBe(200);
    expect(await statusOf(call, less(ftp, 'ftp_password'))).toBe(400);
    expect(await statusOf(call, ftp)).toBe(200);
    expect(await statusOf(call, without)).toBe(200);
  });

  it('a new password or key replaces the other of the two', async () => {
    const dataDir = temporaryFolder();
    const keptAfter = async (settings: unknown) => {
      const { call, service } = await startForTests({ dataDir });
      expect(await statusOf(call, settings)).toBe(200);
      await service.close();
      const store = openServiceStore(dataDir, []);
      const secrets = store.rawLogSettings()?.secrets;
      store.close();
      return secrets;
    };
    expect(await keptAfter(byKey)).toEqual(['sftp_private_key', 'sftp_key_passphrase']);
    expect(await keptAfter(sftp)).toEqual(['sftp_private_key', 'sftp_key_passphrase']);
    expect(await keptAfter(byPassword)).toEqual(['sftp_password']);
    expect(await keptAfter(s3)).toEqual(['s3_secret_key', 'sftp_password']);
    expect(await keptAfter(less(byKey, 'sftp_key_passphrase'))).toEqual([
      's3_secret_key',
      'sftp_private_key',
    ]);
  });

  it('themselves are not on the disk, only their names are', async () => {
    const dataDir = temporaryFolder();
    const { call } = await openService({ dataDir });
    await call('PUT', path, { body: every });
    const files = readdirSync(dataDir).map((file) => readFileSync(`${dataDir}/${file}`, 'latin1'));
    expect(files.join('')).toContain('sftp_private_key');
    expect(files.join('')).not.toContain('hidden');
  });
});
