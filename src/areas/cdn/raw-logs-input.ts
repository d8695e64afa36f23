import { readAs, readHost, z } from '../../bellhop/bellhop.ts';
import { checkRawLogSettings, rawLogStorageTypes, s3Types } from './client/raw-logs.ts';

const longest = 200;

const line = z.string().trim().max(longest, `is longer than ${longest} characters`);

const text = (label: string, description: string) => line.optional().describe(description).meta({ label });

/** Returns a host as it is sent, such as `ftp.example.com:2121`, or undefined if the text is not just a host. */
function spellHost(typed: string): string | undefined {
  const { name, port } = readHost(typed) ?? {};
  return name === undefined || port === undefined ? name : `${name}:${port}`;
}

const host = (label: string, description: string) =>
  line
    .transform(readAs(spellHost, 'must be a host name, such as logs.example.com, without scheme or path'))
    .optional()
    .describe(description)
    .meta({ label, hostName: true });

const whole = (label: string, description: string, least: number) =>
  z
    .number('must be a whole number')
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
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
      'takes the name of a secret, such as secret:log-bucket. If you pasted the secret itself, rotate it',
    )
    .optional()
    .describe(description)
    .meta({ label, secret: true, hosts });

const folder = z.strictObject({
  cdn_resource: whole('CDN resource', 'Number of the resource.', 0),
  bucket: text('Bucket', 'Bucket for the logs.'),
  folder: text('Folder', 'Folder for the logs.'),
  id: whole('Rule id', 'Number of an existing rule. Leave empty to create one.', 0),
});

/**
 * The input of `cdn.raw-logs` has the interface's raw-log settings under their own names, with secrets as names. The
 * client's own rules check what each storage type requires.
 */
export const rawLogsInput = z
  .strictObject({
    storage_type: z
      .enum(rawLogStorageTypes, `must be one of ${rawLogStorageTypes.join(', ')}`)
      .describe('Destination of the logs.')
      .meta({ label: 'Storage type', choiceLabels: { s3: 'S3', ftp: 'FTP', sftp: 'SFTP' } }),
    enabled: z
      .boolean()
      .default(true)
      .describe('If the box is not ticked, the export of logs is turned off.')
      .meta({ label: 'Export logs' }),
    s3_type: z
      .enum(s3Types, `must be one of ${s3Types.join(', ')}`)
      .optional()
      .describe('S3 provider.')
      .meta({ label: 'S3 type', choiceLabels: { amazon: 'Amazon S3', other: 'Another S3 provider' } }),
    s3_aws_region: whole('AWS region', "The service's number for the bucket's region.", 0),
    s3_access_key_id: text('Access key id', 'The id of the key, not the key.'),
    s3_secret_key: secret(
      'Secret key',
      'Leave empty to keep the current one (only if the host and the access key stay the same).',
      ['s3_hostname', 's3_host_bucket'],
    ),
    s3_hostname: host('S3 host', 'Host name of the storage.'),
    s3_host_bucket: host('S3 bucket host', 'Host name of the bucket.'),
    s3_bucket_location: text('Bucket location', 'Location of the bucket.'),
    ftp_hostname: host('FTP host', 'Host name of the FTP server.'),
    ftp_login: text('FTP login', 'Login on the FTP server.'),
    ftp_password: secret(
      'FTP password',
      'Leave empty to keep the current one (only if the host and the login stay the same).',
      ['ftp_hostname'],
    ),
    ftp_prepend_folder: text('Parent folder', 'The folder on the FTP server that contains all log folders.'),
    sftp_hostname: host('SFTP host', 'Host name of the SFTP server.'),
    sftp_login: text('SFTP login', 'Login on the SFTP server.'),
    sftp_password: secret(
      'SFTP password',
      'Or enter a private key. Leave both empty to keep the current one (only if the host and the login stay the same).',
      ['sftp_hostname'],
    ),
    sftp_private_key: secret('SFTP private key', 'Or enter a password.', ['sftp_hostname']),
    sftp_key_passphrase: secret('Passphrase of the key', 'Only if the private key has a passphrase.', [
      'sftp_hostname',
    ]),
    sftp_prepend_folder: text(
      'Parent folder',
      'The folder on the SFTP server that contains all log folders.',
    ),
    for_all_resources: z
      .boolean()
      .default(true)
      .describe(
        'Untick the box to enter a destination for each CDN resource instead. The fields below then change.',
      )
      .meta({ label: 'One destination for all resources' }),
    all_resources_bucket: text('Bucket for all resources', 'Bucket for the logs of all resources.'),
    all_resources_folder: text('Folder for all resources', 'Folder for the logs of all resources.'),
    folders: z
      .array(folder)
      .max(100, 'takes at most 100 rows')
      .optional()
      .describe('A destination for the logs of each resource.')
      .meta({ label: 'Destinations by resource' }),
    archive_size_mb: whole(
      'Archive size in MB',
      'Logs are split at this size. Leave empty for no splitting.',
      1,
    ),
    ignore_empty_logs: z
      .boolean()
      .default(false)
      .describe('If the box is not ticked, empty logs are exported, too.')
      .meta({ label: 'Ignore empty logs' }),
  })
  .check(checkRawLogSettings);

export type RawLogsInput = z.output<typeof rawLogsInput>;

export const settingLabels: ReadonlyMap<string, string> = new Map(
  Object.entries(rawLogsInput.shape).map(([name, field]) => [name, field.meta()?.label ?? name]),
);
