import type { Config } from '../config/environment/environment.ts';
import { createSecrets } from '../config/environment/secrets.ts';
import { type LogKeys, formatSigningKey } from '../audit/tree/signing-key.ts';
import type { SealedLog } from '../model/records/sealed-log.ts';
import type { AuditStatus } from '../model/introspection.ts';
import type { Log } from '../model/ports.ts';
import type { Redactor } from '../command/redactor.ts';
import { originOf } from '../audit/tree/checkpoint.ts';
import { formatVerifierKey, namesKey, verifierOf } from '../audit/tree/signed-note.ts';
import { configuredKeys, keepOwnKey, ownKeyFile } from '../audit/own-files.ts';

/** Sealing continues only from a checkpoint that one of these keys signed. */
export interface Signing {
  readonly keys: LogKeys;
  /** Set if no key is configured. `made` says whether this start created the key in the data directory. */
  readonly own?: { readonly made: boolean } | undefined;
}

type SigningConfig = Pick<Config, 'rulebook' | 'secretsDir' | 'dataDir'>;

/** @throws BellhopError `configuration` */
export const configuredSigning = (
  { rulebook, secretsDir }: SigningConfig,
  mask: Redactor,
): LogKeys | undefined => configuredKeys(rulebook.auditKeys, createSecrets(process.env, secretsDir, mask));

/** Without `audit.key`, this replica's own key. @throws BellhopError `configuration` */
export function openSigning(config: SigningConfig, mask: Redactor): Signing {
  const configured = configuredSigning(config, mask);
  if (configured) return { keys: configured };
  const { key, made } = keepOwnKey(config.dataDir);
  mask.learn(formatSigningKey(key));
  return { keys: [key], own: { made } };
}

export function reportSigning(
  { own }: Signing,
  { store: location, dataDir, production }: Pick<Config, 'store' | 'dataDir' | 'production'>,
  log: Log,
): void {
  const move = { file: ownKeyFile(dataDir), setting: 'audit: { key: secret:audit-key }' };
  if (own && 'databaseUrl' in location) {
    log.warn(
      move,
      'only this replica can seal the audit log, with its own key; store the key as the secret audit-key for all replicas',
    );
  } else if (own && production) {
    log.warn(move, 'the key of the audit log is stored next to the log; move it into the secret audit-key');
  } else if (own?.made) {
    log.info(move, 'created a key for the audit log; to move it, store it as the secret audit-key');
  }
}

/** Undefined before the first checkpoint. */
export async function auditStatus(
  { keys }: Signing,
  store: Pick<SealedLog, 'newestCheckpoint'>,
): Promise<AuditStatus | undefined> {
  const newest = await store.newestCheckpoint();
  if (!newest) return undefined;
  const verifiers = keys.map((key) => verifierOf(key, originOf(newest.note)));
  const signed = verifiers.some((verifier) => namesKey(newest.note, verifier));
  return {
    keys: signed ? verifiers.map(formatVerifierKey) : [],
    checkpoint: newest.number,
    entries: newest.size,
  };
}
