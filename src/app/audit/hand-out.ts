import { createHash } from 'node:crypto';

import type { Cosignatures, SealedLog, StoredCheckpoint } from '../../core/audit/sealed-log.ts';
import type { Clock, Log } from '../../core/model/ports.ts';
import type { AuditSettings, Rulebook } from '../../core/model/rulebook.ts';
import { contextBlock, type Message, preformatted, section } from '../../slack/render/blocks.ts';
import { noticeLines } from '../../slack/render/report/report.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import type { Inbox } from '../../store/store.ts';
import { publish } from './publish.ts';
import { createWitness, SetBackError, type Witness } from './witness.ts';

interface HandOutPorts {
  readonly store: Pick<SealedLog, 'newestCheckpoint' | 'readHashes'> &
    Cosignatures &
    Pick<Inbox, 'claimOnce'>;
  readonly toLog: () => Promise<void>;
  readonly api: Pick<SlackApi, 'postMessage'>;
  readonly rulebook: () => Pick<Rulebook, 'audit'>;
  readonly notices: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

export interface HandOut {
  /**
   * Takes the newest checkpoint to wherever it was not yet. What fails is logged and tried again with the next round.
   * Called once a minute.
   */
  readonly round: () => Promise<void>;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Writes the newest checkpoint to the log, where that does not have it. */
export function createCheckpointLog(
  store: Pick<SealedLog, 'newestCheckpoint'>,
  log: Log,
): () => Promise<void> {
  let newestLogged = 0;
  return async () => {
    const newest = await store.newestCheckpoint();
    if (!newest || newest.number === newestLogged) return;
    const { number: checkpoint, size, note } = newest;
    log.info({ checkpoint, size, note }, 'audit checkpoint');
    newestLogged = checkpoint;
  };
}

/**
 * Hands the newest checkpoint out, so that nobody can take back what it says: to the log, once a day to a channel, to
 * addresses, folders and witnesses. Of several replicas one does it in a minute, but for the log and folders, which each has
 * of its own.
 */
export function createHandOut(ports: HandOutPorts): HandOut {
  const { store, rulebook, clock, log } = ports;
  const handed = new Map<string, number>();
  const witnesses = new Map<string, Witness>();

  const isNew = (to: string, { number }: StoredCheckpoint): boolean => handed.get(to) !== number;

  /** Once a round over all replicas, until it succeeded here. */
  const claimed = (to: string, every: number): Promise<boolean> => {
    const now = clock.now();
    const name = createHash('sha256').update(to).digest('base64url').slice(0, 22);
    return store.claimOnce(`checkpoint ${name} ${Math.floor(now / every)}`, now, 2 * every);
  };

  const toPlace = async (to: string, newest: StoredCheckpoint): Promise<void> => {
    if (!isNew(to, newest)) return;
    if (to.includes('://') && !(await claimed(to, minute))) return;
    await publish(to, newest);
    handed.set(to, newest.number);
  };

  const toWitness = async (
    witness: AuditSettings['witnesses'][number],
    newest: StoredCheckpoint,
  ): Promise<void> => {
    const to = `${witness.url} ${witness.key}`;
    if (!isNew(to, newest) || !(await claimed(to, minute))) return;
    const asked = witnesses.get(to) ?? createWitness(witness, store);
    witnesses.set(to, asked);
    const { line, at = clock.now() } = await asked.cosign(newest);
    await store.keepCosignature({ number: newest.number, witness: asked.name, line, at });
    handed.set(to, newest.number);
  };

  let owed: string | undefined;
  const toChannel = async (channel: string, newest: StoredCheckpoint): Promise<void> => {
    if (await claimed(`channel ${channel}`, day)) owed = channel;
    if (owed !== channel) return;
    await ports.api.postMessage(channel, renderCheckpoint(newest, ports.notices));
    owed = undefined;
  };

  return {
    async round() {
      await ports.toLog();
      const newest = await store.newestCheckpoint();
      if (!newest) return;
      const { channel, publish: places, witnesses: asked } = rulebook().audit;
      await Promise.all([
        ...(channel === undefined ? [] : [tryOne(log, channel, () => toChannel(channel, newest))]),
        ...places.map((to) => tryOne(log, to, () => toPlace(to, newest))),
        ...asked.map((witness) => tryOne(log, witness.url, () => toWitness(witness, newest))),
      ]);
    },
  };
}

/** Never rejects: what one does not take, the others still get. */
async function tryOne(log: Log, to: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SetBackError) {
      log.error({ err: error, to }, 'the audit log was set back: entries that a witness has seen are gone');
    } else {
      log.warn({ err: error, to }, 'an audit checkpoint was not handed out');
    }
  }
}

function renderCheckpoint({ number, size, note }: StoredCheckpoint, notices: readonly string[]): Message {
  const text = `Audit checkpoint ${number}: ${size} ${size === 1 ? 'entry' : 'entries'}`;
  return {
    text,
    blocks: [
      section(
        `${text}. Saved as a file, \`npm run audit -- verify --checkpoint FILE\` tells whether the log still continues it.`,
      ),
      preformatted(note),
      ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))]),
    ],
  };
}
