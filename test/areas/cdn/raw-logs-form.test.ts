import { describe, expect, test } from 'vitest';

import { faultsOf, sourceOf } from '../../../src/run/forms.ts';
import { runAgain, submitForm } from '../../../src/run/run-command.ts';
import { rawLogsForm } from '../../../src/areas/cdn/raw-logs.ts';
import { openStage } from '../../operations/stage.ts';
import { s3 } from './raw-log-values.ts';
import { alice } from '../../people.ts';

const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c-form' };

describe('a form that begins with what was sent before', () => {
  const byResource = {
    storage_type: 'ftp',
    enabled: false,
    ftp_hostname: 'ftp.example.net',
    ftp_login: 'logs',
    ftp_password: 'secret:ftp',
    for_all_resources: false,
    folders: [{ cdn_resource: 12, folder: 'twelve' }, { folder: 'rest' }],
  };

  test('has the last settings that the service took, secrets as names, under what is typed', async () => {
    const stage = await openStage({
      env: { BELLHOP_SECRET_LOG_KEY: 'the-key', BELLHOP_SECRET_FTP: 'f' },
    });
    expect(await stage.ask('/cdn raw-logs')).toMatchObject({ kind: 'form', values: {} });
    await stage.confirm(await stage.submit('cdn.raw-logs', s3));
    await stage.submit('cdn.raw-logs', byResource);
    expect(await stage.ask('/cdn raw-logs')).toMatchObject({ values: s3, source: { id: 'r-1' } });
    expect(await stage.ask('/cdn raw-logs --storage-type sftp --all-resources-bucket b')).toMatchObject({
      values: { ...s3, storage_type: 'sftp', all_resources_bucket: 'b' },
    });
  });

  test('has all of the very request that is asked again, rows and reason too', async () => {
    const stage = await openStage({
      env: { BELLHOP_SECRET_LOG_KEY: 'the-key', BELLHOP_SECRET_FTP: 'f' },
    });
    await stage.confirm(await stage.submit('cdn.raw-logs', s3));
    const asked = await submitForm(stage.context, caller, 'cdn.raw-logs', byResource, { reason: 'moving' });
    if (asked.kind !== 'request') throw new Error(`it came to a ${asked.kind}`);
    await stage.serve('updateRawLogSettings', {}, 403);
    const failed = await stage.confirm(asked.request);
    expect(failed.state).toBe('failed');
    const again = await runAgain(stage.context, caller, failed.id);
    expect(again).toMatchObject({ kind: 'form', values: byResource, options: { reason: 'moving' } });
    const entry = stage.entry('cdn.raw-logs');
    expect(await sourceOf(stage.context, caller, entry, failed.id)).toMatchObject({ input: byResource });
  });

  test('has nothing of a request of another operation, whatever the form claims', async () => {
    const stage = await openStage();
    const { id } = await stage.change('/cloud reboot web-1');
    expect(await sourceOf(stage.context, caller, stage.entry('cdn.raw-logs'), id)).toBeUndefined();
    expect(await sourceOf(stage.context, caller, stage.entry('cdn.raw-logs'), 'r-gone')).toBeUndefined();
    const elsewhere = { ...caller, place: { team: 'T0LOCAL', channel: 'C0RANDOM' } };
    await expect(sourceOf(stage.context, elsewhere, stage.entry('cdn.raw-logs'), id)).rejects.toThrow(
      "You can't run /cdn raw-logs in this channel. Use C0OPS.",
    );
  });
});

describe('the form', () => {
  test('shows what the choices so far need, * for what must be filled in', () => {
    const choices = [
      {},
      { storage_type: 's3' },
      { storage_type: 's3', s3_type: 'amazon' },
      { storage_type: 's3', s3_type: 'other', for_all_resources: false },
      { storage_type: 'ftp', s3_type: 'amazon' },
      { storage_type: 'sftp', for_all_resources: false },
      { storage_type: 'nfs', for_all_resources: 'x' },
    ];
    const plans = choices.map((values) => {
      const { fields, required = [], columns } = rawLogsForm(values);
      const said = fields.map((field) => `${field}${required.includes(field) ? '*' : ''}`);
      const cells = (columns?.['folders'] ?? []).map(
        (name) => `${name}${required.includes(`folders/${name}`) ? '*' : ''}`,
      );
      return `${JSON.stringify(values)}: ${said.join(' ')} ${cells.join('/')}`;
    });
    expect(plans.join('\n')).toMatchInlineSnapshot(`
      "{}: storage_type 
      {"storage_type":"s3"}: storage_type enabled s3_type* for_all_resources all_resources_bucket* all_resources_folder archive_size_mb ignore_empty_logs cdn_resource/bucket/folder/id
      {"storage_type":"s3","s3_type":"amazon"}: storage_type enabled s3_type* s3_aws_region s3_access_key_id* s3_secret_key s3_bucket_location for_all_resources all_resources_bucket* all_resources_folder archive_size_mb ignore_empty_logs cdn_resource/bucket/folder/id
      {"storage_type":"s3","s3_type":"other","for_all_resources":false}: storage_type enabled s3_type* s3_access_key_id* s3_secret_key s3_hostname* s3_host_bucket* s3_bucket_location for_all_resources folders* archive_size_mb ignore_empty_logs cdn_resource/bucket*/folder/id
      {"storage_type":"ftp","s3_type":"amazon"}: storage_type enabled ftp_hostname* ftp_login* ftp_password ftp_prepend_folder for_all_resources all_resources_folder* archive_size_mb ignore_empty_logs cdn_resource/folder/id
      {"storage_type":"sftp","for_all_resources":false}: storage_type enabled sftp_hostname* sftp_login* sftp_password sftp_private_key sftp_key_passphrase sftp_prepend_folder for_all_resources folders* archive_size_mb ignore_empty_logs cdn_resource/folder*/id
      {"storage_type":"nfs","for_all_resources":"x"}: storage_type "
    `);
  });

  test('has a place for each field of the interface, and for none twice', () => {
    const plans = [
      { storage_type: 's3', s3_type: 'amazon' },
      { storage_type: 's3', s3_type: 'other', for_all_resources: false },
      { storage_type: 'ftp' },
      { storage_type: 'sftp' },
    ].map((values) => rawLogsForm(values).fields);
    expect(plans.map((fields) => new Set(fields).size)).toEqual(plans.map(({ length }) => length));
    expect(new Set(plans.flat()).size).toBe(25);
  });

  const wrong: readonly [string, Record<string, unknown>][] = [
    ['nothing at all', {}],
    ['no type of s3', { ...s3, s3_type: undefined }],
    ['another s3 without its hosts', { ...s3, s3_type: 'other' }],
    ['no bucket', { ...s3, all_resources_bucket: '' }],
    ['by resource without a row', { ...s3, for_all_resources: false }],
    ['a row without its bucket', { ...s3, for_all_resources: false, folders: [{ bucket: 'a' }, { id: 1 }] }],
    ['ftp without anything', { storage_type: 'ftp' }],
    [
      'sftp with both ways in',
      {
        storage_type: 'sftp',
        sftp_hostname: 'h',
        sftp_login: 'l',
        all_resources_folder: 'f',
        sftp_password: 'secret:p',
        sftp_private_key: 'secret:k',
      },
    ],
    ['a pasted secret', { ...s3, s3_secret_key: 'AKIA-pasted-by-mistake' }],
    ['an invalid name of a secret', { ...s3, s3_secret_key: 'secret:Log Key' }],
    ['an unknown storage', { ...s3, storage_type: 'nfs' }],
    ['a negative region', { ...s3, s3_aws_region: -1 }],
    ['half a megabyte', { ...s3, archive_size_mb: 0.5 }],
    ['words for a number', { ...s3, archive_size_mb: 'ten' }],
    ['3,000 characters', { ...s3, all_resources_bucket: 'x'.repeat(3_000) }],
    [
      '101 rows',
      { ...s3, for_all_resources: false, folders: Array.from({ length: 101 }, () => ({ bucket: 'b' })) },
    ],
    ['an unknown field', { ...s3, s3_password: 'x' }],
  ];

  test('says next to the field what is wrong with it, and sends nothing', async () => {
    const stage = await openStage();
    const entry = stage.entry('cdn.raw-logs');
    const said: string[] = [];
    for (const [what, values] of wrong) {
      const faults = await faultsOf(stage.context, entry, values);
      const lines = [
        `${what}:`,
        ...faults.map(({ field, cell, text }) => {
          const beside = cell ? `${field} ${cell.row} ${cell.column}` : field;
          return `  ${beside} | ${text}`;
        }),
      ];
      said.push(lines.join('\n'));
    }
    expect(said.join('\n')).toMatchInlineSnapshot(`
      "nothing at all:
        storage_type | Storage type must be one of s3, ftp, sftp.
      no type of s3:
        s3_type | S3 type is required for s3.
      another s3 without its hosts:
        s3_hostname | S3 host is required for S3 type “other”.
        s3_host_bucket | S3 bucket host is required for S3 type “other”.
      no bucket:
        all_resources_bucket | Bucket for all resources is required when all resources share one destination.
      by resource without a row:
        folders | Add at least one destination, or choose one destination for all resources.
      a row without its bucket:
        folders 1 bucket | Bucket is required for s3.
      ftp without anything:
        ftp_hostname | FTP host is required for ftp.
        ftp_login | FTP login is required for ftp.
        all_resources_folder | Folder for all resources is required when all resources share one destination.
      sftp with both ways in:
        sftp_private_key | Enter a password or a private key, not both.
      a pasted secret:
        s3_secret_key | Secret key takes the name of a secret, such as secret:log-bucket. If you pasted the secret itself, rotate it.
      an invalid name of a secret:
        s3_secret_key | Secret key takes the name of a secret, such as secret:log-bucket. If you pasted the secret itself, rotate it.
      an unknown storage:
        storage_type | Storage type must be one of s3, ftp, sftp.
      a negative region:
        s3_aws_region | AWS region must be at least 0.
      half a megabyte:
        archive_size_mb | Archive size in MB must be a whole number.
      words for a number:
        archive_size_mb | Archive size in MB must be a whole number.
      3,000 characters:
        all_resources_bucket | Bucket for all resources is longer than 200 characters.
      101 rows:
        folders | Destinations by resource takes at most 100 rows.
      an unknown field:
         | Unrecognized key: "s3_password"."
    `);
    expect(said.join('\n')).not.toContain('pasted-by-mistake');
    expect(await stage.sent()).toBe(0);
  });
});
