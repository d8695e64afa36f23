import type { Config } from '../../config/config.ts';
import { createSecrets } from '../../config/environment/secrets.ts';
import type { LogKeys, SealedLog } from '../../core/audit/sealed-log.ts';
import type { AuditStatus } from '../../core/introspection/status.ts';
import type { Log } from '../../core/model/ports.ts';
import type { Redactor } from '../../core/redactor.ts';
import { formatVerifierKey, openNote, verifierOf } from '../../core/transparency/signed-note.ts';
import { formatSigningKey } from '../../core/transparency/signing-key.ts';
import { configuredKeys, keepOwnKey, ownKeyFile } from './audit-keys.ts';

/** What signs the audit log here. */
export interface Signing {
  readonly keys: LogKeys;
  /** Where no key is configured: whether this start made the one in the data directory. */
  readonly own?: { readonly made: boolean } | undefined;
}

/** The keys that `audit.key` names, else one of this replica's own. @throws BellhopError `configuration` */
export function openSigning({ rulebook, secretsDir, dataDir }: Config, mask: Redactor): Signing {
  const configured = configuredKeys(rulebook.audit.keys, createSecrets(process.env, secretsDir, mask));
  if (configured) return { keys: configured };
  const { key, made } = keepOwnKey(dataDir);
  mask.learn(formatSigningKey(key));
  return { keys: [key], own: { made } };
}

/** Says at the start what is to be done about the keys, so that others can rely on them. */
export async function reportSigning(
  { keys, own }: Signing,
  { store: location, dataDir, production }: Config,
  store: Pick<SealedLog, 'newestCheckpoint'>,
  log: Log,
): Promise<void> {
  const move = { file: ownKeyFile(dataDir), setting: 'audit: { key: secret:audit-key }' };
  if (own && 'databaseUrl' in location) {
    log.warn(
      move,
      'this replica signs the audit log with a key of its own: put one into the secret audit-key for all',
    );
  } else if (own && production) {
    log.warn(move, 'the key of the audit log lies beside the log: move it into the secret audit-key');
  } else if (own?.made) {
    log.info(move, 'made a key for the audit log; to move it, put it into the secret audit-key');
  }
  const newest = await store.newestCheckpoint();
  if (!newest) return;
  const checkpoint = newest.number;
  try {
    if (openNote(newest.note, verifiersOf(keys, newest.note)).signatures.length > 0) return;
    log.warn(
      { checkpoint },
      'the audit log was signed with another key until now: whoever verifies it needs that verifier key too',
    );
  } catch (error) {
    log.error({ err: error, checkpoint }, 'the audit log is damaged: see npm run audit -- verify');
  }
}

const verifiersOf = (keys: LogKeys, note: string) =>
  keys.map((key) => verifierOf(key, note.split('\n', 1)[0] ?? ''));

/** What others verify the log with, and how far it is sealed; undefined before the first checkpoint. */
export async function auditStatus(
  { keys }: Signing,
  store: Pick<SealedLog, 'newestCheckpoint'>,
): Promise<AuditStatus | undefined> {
  const newest = await store.newestCheckpoint();
  return (
    newest && {
      keys: verifiersOf(keys, newest.note).map(formatVerifierKey),
      checkpoint: newest.number,
      entries: newest.size,
    }
  );
}
