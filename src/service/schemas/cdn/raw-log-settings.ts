import { z } from 'zod';
import { flag, integer, text } from '../fields.ts';
import { type ReadBy, lenient } from '../lenient.ts';

/** Values of `storage_type`. */
export const rawLogStorageTypes = ['s3', 'ftp', 'sftp'] as const;

/** Values of `s3_type`. */
export const s3Types = ['amazon', 'other'] as const;

const folderShape = {
  id: integer('identifier of the folder rule').optional(),
  bucket: text('bucket that the logs go to').optional(),
  folder: text('folder that the logs go to').optional(),
  cdn_resource: integer('CDN resource whose logs these are').optional(),
};

const commonShape = {
  enabled: flag('logs are exported'),
  storage_type: z.enum(rawLogStorageTypes).describe('s3, ftp or sftp'),
  ignore_empty_logs: flag('empty logs are not exported').optional(),
  for_all_resources: flag('one place for the logs of all CDN resources'),
  all_resources_bucket: text('bucket for all resources: s3').optional(),
  all_resources_folder: text('folder for all resources: ftp, sftp').optional(),
  folders: z.array(z.strictObject(folderShape)).optional().describe('places by resource, where not for all'),
  s3_type: z.enum(s3Types).optional().describe('amazon or other'),
  s3_aws_region: integer('region of the bucket').optional(),
  s3_access_key_id: text('access key').optional(),
  s3_hostname: text('host of the storage, for s3_type other').optional(),
  s3_host_bucket: text('host name of a bucket, for s3_type other').optional(),
  s3_bucket_location: text('location of the bucket').optional(),
  ftp_hostname: text('host of the FTP server').optional(),
  ftp_prepend_folder: text('folder before all others').optional(),
  ftp_login: text('login on the FTP server').optional(),
  sftp_hostname: text('host of the SFTP server').optional(),
  sftp_prepend_folder: text('folder before all others').optional(),
  sftp_login: text('login on the SFTP server').optional(),
  archive_size_mb: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('size of an archive in megabytes; null: no slicing'),
};

const secretShape = {
  s3_secret_key: text('secret key').optional(),
  ftp_password: text('password on the FTP server').optional(),
  sftp_password: text('password on the SFTP server').optional(),
  sftp_private_key: text('private key for the SFTP server').optional(),
  sftp_key_passphrase: text('passphrase of the private key').optional(),
};

/** The body of `updateRawLogSettings` by shape alone. */
export const rawLogSettings = z.strictObject({ ...commonShape, ...secretShape });

export type RawLogSettings = z.output<typeof rawLogSettings>;

/** The reply of `updateRawLogSettings`: the settings without any secret. */
export const rawLogSettingsReply = z.strictObject(commonShape);

/** The same, read leniently; an empty body is read by whoever calls. */
export const rawLogSettingsReplyRead = lenient(rawLogSettingsReply);

export type RawLogSettingsReply = z.output<typeof rawLogSettingsReply>;
export type RawLogSettingsReplyRead = ReadBy<typeof rawLogSettingsReplyRead>;
