import { z } from 'zod';

import { type FieldIssue, fieldIssue, flag, integer, raise, text } from '../../../service/schemas/fields.ts';
import { isObject } from '../../../text/exact.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';

export const rawLogSecrets = [
  's3_secret_key',
  'ftp_password',
  'sftp_password',
  'sftp_private_key',
  'sftp_key_passphrase',
] as const;

export type RawLogSecret = (typeof rawLogSecrets)[number];

type Field = keyof RawLogSettings;

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const requiredForOther: readonly Field[] = ['s3_hostname', 's3_host_bucket'];

const requiredFields = (settings: RawLogSettings): readonly Field[] => {
  if (settings.storage_type === 'ftp') return ['ftp_hostname', 'ftp_login'];
  if (settings.storage_type === 'sftp') return ['sftp_hostname', 'sftp_login'];
  return ['s3_type', 's3_access_key_id', ...(settings.s3_type === 'other' ? requiredForOther : [])];
};

const secretIssues = ({
  storage_type: type,
  sftp_password: password,
  sftp_private_key: key,
}: RawLogSettings) =>
  type === 'sftp' && !isEmpty(password) && !isEmpty(key)
    ? [fieldIssue(['sftp_private_key'], 'Enter a password or a private key, not both.')]
    : [];

const placeIssues = (settings: RawLogSettings): FieldIssue[] => {
  const isS3 = settings.storage_type === 's3';
  if (settings.for_all_resources) {
    const field = isS3 ? 'all_resources_bucket' : 'all_resources_folder';
    return isEmpty(settings[field])
      ? [fieldIssue([field], 'is required when all resources share one destination')]
      : [];
  }
  const { folders } = settings;
  if (folders === undefined || folders.length === 0) {
    return [
      fieldIssue(['folders'], 'Add at least one destination, or choose one destination for all resources.'),
    ];
  }
  const field = isS3 ? 'bucket' : 'folder';
  return folders.flatMap((folder, index) =>
    isEmpty(folder[field])
      ? [fieldIssue(['folders', index, field], `is required for ${settings.storage_type}`)]
      : [],
  );
};

/**
 * Returns what is wrong with raw log settings beyond their shape: a missing field or place for the logs, or both a
 * password and a private key. Only the service knows which secrets are stored, so none is required.
 */
export const rawLogSettingsIssues = (settings: RawLogSettings): FieldIssue[] => [
  ...requiredFields(settings)
    .filter((field) => isEmpty(settings[field]))
    .map((field) => {
      const what = requiredForOther.includes(field) ? 'S3 type “other”' : settings.storage_type;
      return fieldIssue([field], `is required for ${what}`);
    }),
  ...secretIssues(settings),
  ...placeIssues(settings),
];

/** Adds the issues of raw log settings to a schema, as its `check`. */
export const checkRawLogSettings = (context: z.core.ParsePayload<RawLogSettings>): void =>
  raise(context, rawLogSettingsIssues(context.value));

/** Removes fields that are "". Such a field is unused, or missing if it is required. */
export const withoutEmptyFields = (body: unknown): unknown =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) : body;

export const rawLogStorageTypes = ['s3', 'ftp', 'sftp'] as const;

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
  folders: z
    .array(z.strictObject(folderShape))
    .optional()
    .describe('destinations by resource, unless one destination is for all'),
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

export const rawLogSettings = z.strictObject({ ...commonShape, ...secretShape });

export type RawLogSettings = z.output<typeof rawLogSettings>;

/** Returns the fields that only this storage type uses. */
export const rawLogFieldsOf = (type: RawLogSettings['storage_type']): readonly Field[] =>
  rawLogSettings.keyof().options.filter((name) => name.startsWith(`${type}_`));

/**
 * The body of `updateRawLogSettings` is as strict as the interface; "" counts as omitted. The settings are replaced as
 * a whole, except that omitted secrets keep the stored ones.
 */
export const rawLogSettingsRequest = z.preprocess(
  withoutEmptyFields,
  rawLogSettings.check(checkRawLogSettings),
);

/** The reply to `updateRawLogSettings` has the settings without any secret. */
export const rawLogSettingsReply = z.strictObject(commonShape);

export const rawLogSettingsReplyRead = lenient(rawLogSettingsReply);

export type RawLogSettingsReply = z.output<typeof rawLogSettingsReply>;
export type RawLogSettingsReplyRead = ReadBy<typeof rawLogSettingsReplyRead>;
