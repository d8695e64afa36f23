import { createHash } from 'node:crypto';

import type { Cosignatures, SealedLog, StoredCheckpoint } from '../../model/sealed-log.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { AuditSettings, Rulebook } from '../../model/rulebook.ts';
import { noticeBlocks, preformatted, section, type Message } from '../../slack/render/blocks.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import type { Inbox } from '../../model/outbox.ts';
import { ContradictedError, createPlace, type CheckpointPlace } from './publish.ts';
import { createWitness, type Witness } from './witness.ts';

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
  readonly onHandedOut: (to: HandOutKind, outcome: HandOutOutcome) => void;
}

/** Where checkpoints go, besides the log. */
export const handOutKinds = ['channel', 'address', 'folder', 'witness'] as const;
export type HandOutKind = (typeof handOutKinds)[number];

/** `contradicted`: who has it holds one that the log does not continue. */
export const handOutOutcomes = ['taken', 'failed', 'contradicted'] as const;
export type HandOutOutcome = (typeof handOutOutcomes)[number];

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
  const { store, rulebook, clock } = ports;
  const handed = new Map<string, number>();
  const places = new Map<string, CheckpointPlace>();
  const witnesses = new Map<string, Witness>();

  const isNew = (to: string, { number }: StoredCheckpoint): boolean => handed.get(to) !== number;

  /** The first in this round over all replicas to say so. Kept for no time at all, it only asks. */
  const claimed: Claim = (to, every, keepMs = 2 * every) => {
    const now = clock.now();
    const name = createHash('sha256').update(to).digest('base64url').slice(0, 22);
    return store.claimOnce(`checkpoint ${name} ${Math.floor(now / every)}`, now, keepMs);
  };

  const toPlace = async (to: string, newest: StoredCheckpoint): Promise<boolean> => {
    if (!isNew(to, newest)) return false;
    if (to.includes('://') && !(await claimed(to, minute))) return false;
    const place = places.get(to) ?? createPlace(to, store);
    places.set(to, place);
    await place.publish(newest);
    handed.set(to, newest.number);
    return true;
  };

  const toWitness = async (
    witness: AuditSettings['witnesses'][number],
    newest: StoredCheckpoint,
  ): Promise<boolean> => {
    const to = `${witness.url} ${witness.key}`;
    if (!isNew(to, newest) || !(await claimed(to, minute))) return false;
    const asked = witnesses.get(to) ?? createWitness(witness, store);
    witnesses.set(to, asked);
    const { line, at = clock.now() } = await asked.cosign(newest);
    await store.keepCosignature({ number: newest.number, witness: asked.name, line, at });
    handed.set(to, newest.number);
    return true;
  };

  const toChannel = createDailyPost(ports, claimed);

  return {
    async round() {
      await ports.toLog();
      const newest = await store.newestCheckpoint();
      if (!newest) return;
      const { channel, publish, witnesses: asked } = rulebook().audit;
      const hand = (kind: HandOutKind, to: string, work: () => Promise<boolean>): Promise<void> =>
        tryOne(ports, kind, to, work);
      await Promise.all([
        ...(channel === undefined ? [] : [hand('channel', channel, () => toChannel(channel, newest))]),
        ...publish.map((to) =>
          hand(to.includes('://') ? 'address' : 'folder', to, () => toPlace(to, newest)),
        ),
        ...asked.map((witness) => hand('witness', witness.url, () => toWitness(witness, newest))),
      ]);
    },
  };
}

type Claim = (to: string, every: number, keepMs?: number) => Promise<boolean>;

/**
 * Posts to a channel once a day. The day is taken once the message is posted, so that a restart or a failure in between
 * leaves it to the next minute.
 */
function createDailyPost({ clock, api, notices }: HandOutPorts, claimed: Claim) {
  let postedOn: number | undefined;
  return async (channel: string, newest: StoredCheckpoint): Promise<boolean> => {
    const today = Math.floor(clock.now() / day);
    if (postedOn === today || !(await claimed(`posting to ${channel}`, minute))) return false;
    const posted = `channel ${channel}`;
    const due = await claimed(posted, day, 0);
    if (due) {
      await api.postMessage(channel, renderCheckpoint(newest, notices));
      await claimed(posted, day);
    }
    postedOn = today;
    return due;
  };
}

/**
 * Never rejects: what one does not take, the others still get.
 * @param work resolves to whether there was anything to hand out
 */
async function tryOne(
  { log, onHandedOut }: Pick<HandOutPorts, 'log' | 'onHandedOut'>,
  kind: HandOutKind,
  to: string,
  work: () => Promise<boolean>,
): Promise<void> {
  try {
    if (await work()) onHandedOut(kind, 'taken');
  } catch (error) {
    const contradicted = error instanceof ContradictedError;
    onHandedOut(kind, contradicted ? 'contradicted' : 'failed');
    if (contradicted)
      log.error({ err: error, to }, 'the audit log contradicts a checkpoint that was handed out');
    else log.warn({ err: error, to }, 'an audit checkpoint was not handed out');
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
      ...noticeBlocks(notices),
    ],
  };
}
