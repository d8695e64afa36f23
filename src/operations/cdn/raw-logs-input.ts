import { z } from '../../bellhop/bellhop.ts';

import { raise } from '../../service/schemas/fields.ts';
import { rawLogSettingsIssues, rawLogStorageTypes, s3Types } from '../../service/schemas/cdn/raw-logs.ts';
import { readAs } from '../../command/grammar/words.ts';
import { spellHost } from '../../model/host.ts';

const longest = 200;

const text = (label: string, description: string) =>
  z
    .string()
    .trim()
    .max(longest, `is longer than ${longest} characters`)
    .optional()
    .describe(description)
    .meta({ label });

const host = (label: string, description: string) =>
  z
    .string()
    .trim()
    .max(longest, `is longer than ${longest} characters`)
    .transform(readAs(spellHost, 'is the name of a host, such as logs.example.com, without scheme or path'))
    .optional()
    .describe(description)
    .meta({ label, hostName: true });

const whole = (label: string, description: string, least: number) =>
  z
    .number('is a whole number')
    .int('is a whole number')
    .min(least, `is at least ${least}`)
    .max(Number.MAX_SAFE_INTEGER, 'is too large')
    .optional()
    .describe(description)
    .meta({ label });

const secret = (label: string, description: string, hosts: readonly string[]) =>
  z
    .string()
    .trim()
    .regex(
      /^secret:[a-z0-9-]{1,64}$/u,
      'takes the name of a secret, such as secret:log-bucket. What you entered may be a pasted secret: rotate it',
    )
    .optional()
    .describe(description)
    .meta({ label, secret: true, hosts });

const folder = z.strictObject({
  cdn_resource: whole('CDN resource', 'Number of the resource whose logs these are.', 0),
  bucket: text('Bucket', 'Bucket that the logs go to.'),
  folder: text('Folder', 'Folder that the logs go to.'),
  id: whole('Rule id', 'Number of an existing rule. Left out: the service makes one.', 0),
});

/**
 * What `cdn.raw-logs` takes: the raw-log settings of the interface under their own names, secrets as names. What a
 * storage type needs beyond the shape is checked by the rules that the client sends by.
 */
export const rawLogsInput = z
  .strictObject({
    storage_type: z
      .enum(rawLogStorageTypes, `is one of ${rawLogStorageTypes.join(', ')}`)
      .describe('Where the logs go.'),
    enabled: z.boolean().default(true).describe('Logs are exported.').meta({ label: 'Export logs' }),
    s3_type: z
      .enum(s3Types, `is one of ${s3Types.join(', ')}`)
      .optional()
      .describe('Whose S3 it is.')
      .meta({ label: 'S3 type' }),
    s3_aws_region: whole('AWS region', 'Region of the bucket, as the number that the service uses.', 0),
    s3_access_key_id: text('Access key id', 'The id of the key, not the key.'),
    s3_secret_key: secret(
      'Secret key',
      'Left out: the service keeps the one it has, for the same host and access key.',
      ['s3_hostname', 's3_host_bucket'],
    ),
    s3_hostname: host('S3 host', 'Host of the storage.'),
    s3_host_bucket: host('S3 bucket host', 'Host name of a bucket.'),
    s3_bucket_location: text('Bucket location', 'Location of the bucket.'),
    ftp_hostname: host('FTP host', 'Host of the FTP server.'),
    ftp_login: text('FTP login', 'Login on the FTP server.'),
    ftp_password: secret(
      'FTP password',
      'Left out: the service keeps the one it has, for the same host and login.',
      ['ftp_hostname'],
    ),
    ftp_prepend_folder: text('Parent folder', 'Folder on the FTP server that all others are put in.'),
    sftp_hostname: host('SFTP host', 'Host of the SFTP server.'),
    sftp_login: text('SFTP login', 'Login on the SFTP server.'),
    sftp_password: secret(
      'SFTP password',
      'Or a private key. Both left out: the service keeps what it has, for the same host and login.',
      ['sftp_hostname'],
    ),
    sftp_private_key: secret('SFTP private key', 'Or a password.', ['sftp_hostname']),
    sftp_key_passphrase: secret('Passphrase of the key', 'Where the private key has one.', ['sftp_hostname']),
    sftp_prepend_folder: text('Parent folder', 'Folder on the SFTP server that all others are put in.'),
    for_all_resources: z
      .boolean()
      .default(true)
      .describe('One place for the logs of all CDN resources.')
      .meta({ label: 'One place for all resources' }),
    all_resources_bucket: text('Bucket for all resources', 'Bucket that the logs of all resources go to.'),
    all_resources_folder: text('Folder for all resources', 'Folder that the logs of all resources go to.'),
    folders: z
      .array(folder)
      .max(100, 'has at most 100 rows')
      .optional()
      .describe('A place for the logs of each resource.')
      .meta({ label: 'Places by resource' }),
    archive_size_mb: whole('Archive size in MB', 'Logs are sliced at this size. Left out: no slicing.', 1),
    ignore_empty_logs: z.boolean().default(false).describe('Empty logs are not exported.'),
  })
  .check((context) => raise(context, rawLogSettingsIssues(context.value, 'unknown')));

export type RawLogsInput = z.output<typeof rawLogsInput>;
