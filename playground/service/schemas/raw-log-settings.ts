import { z } from 'zod';
import {
  type RawLogSecret,
  rawLogSettings,
  type RawLogSettings,
  rawLogSettingsIssues,
  withoutEmptyFields,
} from '../../../src/areas/cdn/client/raw-logs.ts';
import { type FieldIssue, fieldIssue, raise } from '../../../src/service/schemas/fields.ts';

/** The secrets that must be in the body, because none is stored. */
const missingSecrets = (settings: RawLogSettings, stored: ReadonlySet<RawLogSecret>): FieldIssue[] => {
  const isMissing = (secret: RawLogSecret): boolean => !settings[secret] && !stored.has(secret);
  const type = settings.storage_type;
  if (type !== 'sftp') {
    const secret = type === 's3' ? 's3_secret_key' : 'ftp_password';
    return isMissing(secret) ? [fieldIssue([secret], `is required for ${type}: none is stored`)] : [];
  }
  return isMissing('sftp_password') && isMissing('sftp_private_key')
    ? [fieldIssue(['sftp_password'], 'Enter a password or a private key for sftp: none is stored.')]
    : [];
};

/** The service accepts this body of `updateRawLogSettings`. */
export const acceptedRawLogSettings = (stored: ReadonlySet<RawLogSecret>) =>
  z.preprocess(
    withoutEmptyFields,
    rawLogSettings.check((context) => {
      const { value } = context;
      raise(context, [...rawLogSettingsIssues(value), ...missingSecrets(value, stored)]);
    }),
  );
