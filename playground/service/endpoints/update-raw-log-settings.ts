import {
  type RawLogSecret,
  type RawLogSettings,
  type RawLogSettingsReply,
  rawLogSecrets,
  rawLogSettings,
  rawLogSettingsReply,
} from '../../../src/areas/cdn/client/raw-logs.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { acceptedRawLogSettings } from '../schemas/raw-log-settings.ts';

const given = (settings: RawLogSettings, secret: RawLogSecret): boolean => Boolean(settings[secret]);

/**
 * Which secrets are stored afterwards: the old and the new ones. A new password replaces a stored key, and a new key a
 * stored password.
 */
const secretsAfter = (settings: RawLogSettings, before: ReadonlySet<RawLogSecret>): RawLogSecret[] => {
  const replaced = new Set<RawLogSecret>([
    ...(given(settings, 'sftp_password') ? (['sftp_private_key', 'sftp_key_passphrase'] as const) : []),
    ...(given(settings, 'sftp_private_key') ? (['sftp_password'] as const) : []),
  ]);
  return rawLogSecrets.filter(
    (secret) => given(settings, secret) || (before.has(secret) && !replaced.has(secret)),
  );
};

const withoutSecrets = (
  settings: RawLogSettings,
  stored: RawLogSettingsReply | undefined,
): RawLogSettingsReply => {
  const {
    s3_secret_key: _s3,
    ftp_password: _ftp,
    sftp_password: _sftp,
    sftp_private_key: _key,
    sftp_key_passphrase: _passphrase,
    folders,
    ...rest
  } = settings;
  if (!folders) return rest;
  const highest = Math.max(0, ...[...folders, ...(stored?.folders ?? [])].map(({ id = 0 }) => id));
  let next = highest + 1;
  return { ...rest, folders: folders.map((folder) => Object.assign({ id: folder.id ?? next++ }, folder)) };
};

export const updateRawLogSettings = endpoint({
  name: 'updateRawLogSettings',
  method: 'put',
  path: '/cdn/raw_log_settings',
  summary: 'Replace the raw log settings',
  description:
    'A full replace, except that an omitted secret keeps its stored value. A field that is "" counts as omitted. Answers the settings without any secret. s3 needs s3_type, s3_access_key_id and s3_secret_key, with s3_type other also s3_hostname and s3_host_bucket; ftp needs ftp_hostname, ftp_login and ftp_password; sftp needs sftp_hostname, sftp_login and either sftp_password or sftp_private_key. for_all_resources needs all_resources_bucket (s3) or all_resources_folder, otherwise folders.',
  changes: true,
  body: rawLogSettings,
  response: rawLogSettingsReply,
  run: (call, { store, clock }) => {
    const stored = store.rawLogSettings();
    const before = new Set(stored?.secrets);
    const settings = read(acceptedRawLogSettings(before), call.json);
    const reply = withoutSecrets(settings, stored?.settings);
    store.keepClock(clock.now());
    store.keepRawLogSettings({ settings: reply, secrets: secretsAfter(settings, before) });
    return reply;
  },
});
