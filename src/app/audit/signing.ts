import type { Config } from '../../config/config.ts';
import { createSecrets } from '../../config/environment/secrets.ts';
import { AnotherKeySigned, type LogKeys, type SealedLog } from '../../core/audit/sealed-log.ts';
import type { AuditStatus } from '../../core/introspection/status.ts';
import type { Log } from '../../core/model/ports.ts';
import type { Redactor } from '../../core/redactor.ts';
import { formatVerifierKey, namesKey, openNote, verifierOf } from '../../core/transparency/signed-note.ts';
import { formatSigningKey } from '../../core/transparency/signing-key.ts';
import { configuredKeys, keepOwnKey, ownKeyFile } from './audit-keys.ts';

/** What signs the audit log here. */
export interface Signing {
  readonly keys: LogKeys;
  /** Where no key is configured: whether this start made the one in the data directory. */
  readonly own?: { readonly made: boolean } | undefined;
  /**
   * Whether these keys sign what follows this note. A key that a replica made for itself follows no other replica's, so that
   * one public key verifies all of a log. One that is configured may follow any, and so may that of an embedded store,
   * which lies beside its log.
   */
  readonly mayFollow: (note: string) => boolean;
}

/** The keys that `audit.key` names, else one of this replica's own. @throws BellhopError `configuration` */
export function openSigning(
  {
    rulebook,
    secretsDir,
    dataDir,
    store: location,
  }: Pick<Config, 'rulebook' | 'secretsDir' | 'dataDir' | 'store'>,
  mask: Redactor,
): Signing {
  const configured = configuredKeys(rulebook.audit.keys, createSecrets(process.env, secretsDir, mask));
  if (configured) return { keys: configured, mayFollow: () => true };
  const { key, made } = keepOwnKey(dataDir);
  mask.learn(formatSigningKey(key));
  const mayFollow = (note: string): boolean =>
    !('databaseUrl' in location) || verifiersOf([key], note).some((verifier) => namesKey(note, verifier));
  return { keys: [key], own: { made }, mayFollow };
}

/** Says at the start what is to be done about the keys, so that others can rely on them. */
export async function reportSigning(
  { keys, own, mayFollow }: Signing,
  { store: location, dataDir, production }: Pick<Config, 'store' | 'dataDir' | 'production'>,
  store: Pick<SealedLog, 'newestCheckpoint'>,
  log: Log,
): Promise<void> {
  const move = { file: ownKeyFile(dataDir), setting: 'audit: { key: secret:audit-key }' };
  const newest = await store.newestCheckpoint();
  if (newest && !mayFollow(newest.note)) {
    log.error(move, new AnotherKeySigned().message);
    return;
  }
  if (own && 'databaseUrl' in location) {
    log.warn(
      move,
      'this replica alone seals the audit log, with a key of its own: put it into the secret audit-key for all',
    );
  } else if (own && production) {
    log.warn(move, 'the key of the audit log lies beside the log: move it into the secret audit-key');
  } else if (own?.made) {
    log.info(move, 'made a key for the audit log; to move it, put it into the secret audit-key');
  }
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
  { keys, mayFollow }: Signing,
  store: Pick<SealedLog, 'newestCheckpoint'>,
): Promise<AuditStatus | undefined> {
  const newest = await store.newestCheckpoint();
  return (
    newest && {
      keys: mayFollow(newest.note) ? verifiersOf(keys, newest.note).map(formatVerifierKey) : [],
      checkpoint: newest.number,
      entries: newest.size,
    }
  );
}
