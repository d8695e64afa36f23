import { hash } from 'node:crypto';

import { z } from 'zod';

import { pauseOf } from '../../due/work.ts';
import type { EventMeanings } from '../../model/audit-event.ts';
import type { AuditLog } from '../../model/records/audit.ts';
import {
  type Due,
  type DueDraft,
  dueKind,
  type DueWork,
  type Handler,
  type Outcome,
} from '../../model/records/due.ts';
import type { SealedLog } from '../../model/records/sealed-log.ts';
import type { Log } from '../../model/ports.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { type ForwardSettings, publicationSection } from './section.ts';
import {
  type Batch,
  batchOf,
  type ForwardResult,
  type Receipt,
  sendBatch,
  type SendPorts,
  stubOf,
} from './forward-batch.ts';

export interface ForwarderPorts extends SendPorts {
  readonly store: Pick<
    DueWork & AuditLog & SealedLog,
    'findDue' | 'setDue' | 'auditFrom' | 'timeAfter' | 'newestCheckpoint'
  >;
  readonly rulebook: () => Pick<Rulebook, 'sections'>;
  readonly log: Log;
  readonly events: EventMeanings;
  /** `off` if nothing is forwarded, or `unknown` if the store can't be read. */
  readonly onSeen: (forwarding: Forwarding | 'off' | 'unknown') => void;
  readonly onBatch: (result: ForwardResult) => void;
}

/** Times are epoch milliseconds. */
export interface Forwarding {
  /** The number of the last accepted entry. */
  readonly sent: number;
  readonly newest: number;
  /** The time of the first entry after `sent`, if any. */
  readonly oldestAt: number | undefined;
  readonly problem: string | undefined;
}

const second = 1000;
const maxEntries = 200;
/** Bellhop pauses at most this long, even if the collector asks for more. */
const longestPauseMs = 600 * second;
const graceMs = 2 * second;

const trouble = 'audit entries were not forwarded; retrying';

/** In milliseconds. After an entry was rejected for this long, a stub is sent in its place. */
const stubAfterMs = 24 * 60 * 60 * second;

/** `sent` is the number of the last accepted entry. `problem` says why the next batch was not accepted. */
const cursor = z.object({
  sent: z.number(),
  problem: z.string().optional(),
  /** When the next entry was first rejected, sent alone. Zero if an operator wants a stub at once. */
  rejectedAt: z.number().optional(),
  /** The entry itself is always tried right before the stub. */
  stub: z.boolean().optional(),
  /** To this destination. */
  stubs: z.boolean().optional(),
});
type Cursor = z.output<typeof cursor>;

const forwardKind = dueKind('forward');

/**
 * Sends sealed entries by number, each at least once. Each destination has a row of due work, which rests while nothing is left to send.
 * After a crash between the collector's answer and the new cursor, the batch is sent again. No request waits for forwarding.
 */
export function createForwarder(ports: ForwarderPorts) {
  const { store, rulebook, clock, events, onSeen, onBatch } = ports;
  const stopping = new AbortController();
  let closing = false;
  let underWay: Promise<unknown> | undefined;
  let batchSize = maxEntries;

  const dueNow = (): readonly DueDraft[] => {
    const to = publicationSection.of(rulebook()).forward;
    return to ? [{ kind: forwardKind, key: keyOf(to), at: clock.now(), keepsTime: true }] : [];
  };

  const sendNext = async (to: ForwardSettings, due: Due): Promise<Outcome> => {
    const at = due.about === undefined ? await begin(ports, to) : cursor.parse(due.about);
    const entries = await store.auditFrom(at.sent, at.rejectedAt === undefined ? batchSize : 1);
    const batch = at.stub ? stubOf(entries, events, at.problem) : batchOf(entries, events);
    if (!batch) return { rests: true, about: at };
    const receipt = await sendBatch(batch, to, ports, stopping.signal);
    const { result } = receipt;
    if (stopping.signal.aborted && result !== 'accepted') return { retryIn: second, about: at };
    const isStub = at.stub === true && result === 'accepted';
    onBatch(isStub ? 'stub' : result);
    const count = batch.last - batch.first + 1;
    if (result === 'accepted') batchSize = Math.min(maxEntries, batchSize * 2);
    // A rejected batch is halved until the entry at fault is sent alone. Then batches grow again.
    if (result === 'rejected') batchSize = Math.ceil(count / 2);
    if (result === 'rejected' && count > 1) return { retryIn: 0, about: at };
    return outcomeOf(ports, { to, due, at, batch, receipt, isStub, entryAt: entries[0]?.at });
  };

  const handle: Handler['handle'] = async (due) => {
    const to = publicationSection.of(rulebook()).forward;
    // The row of another destination keeps its cursor, because the rules may name it again.
    if (!to || keyOf(to) !== due.key) return { rests: true, about: due.about };
    if (closing) return { retryIn: second };
    const work = sendNext(to, due);
    underWay = work.catch(() => undefined);
    return work;
  };

  return {
    handler: { kind: forwardKind, atOnce: 1, trouble, handle } satisfies Handler,
    dueWhenSealed: dueNow,
    /** Also makes forwarding due if a replica with other rules sealed entries or did not send them. */
    async look(): Promise<void> {
      const [due] = dueNow();
      if (!due) return onSeen('off');
      let seen: Forwarding | undefined;
      try {
        seen = await progressOf(ports, due);
      } finally {
        onSeen(seen ?? 'unknown');
      }
    },
    /** Stops after the batch in flight. Never rejects. */
    async close(): Promise<void> {
      closing = true;
      await Promise.race([underWay, clock.wait(graceMs)]);
      stopping.abort();
      await underWay;
    },
  };
}

interface Sent {
  readonly to: ForwardSettings;
  readonly due: Due;
  readonly at: Cursor;
  readonly batch: Batch;
  readonly receipt: Receipt;
  readonly isStub: boolean;
  readonly entryAt: number | undefined;
}

function outcomeOf({ log, clock }: ForwarderPorts, sent: Sent): Outcome {
  const { to, due, at, batch, receipt, isStub, entryAt } = sent;
  const { result, waitMs = 0 } = receipt;
  const alone = result === 'rejected' ? ` to entry ${batch.first}, sent alone` : '';
  const problem = receipt.problem && receipt.problem + alone;
  if (isStub) reportStub(log, to, batch, at);
  else if (problem !== at.problem) report(log, to, batch, { ...receipt, problem });
  if (result === 'accepted') return { againIn: 0, about: { sent: batch.last, stubs: at.stubs ?? at.stub } };
  const about = rejectedOnce({ ...at, problem }, result, clock.now(), entryAt);
  if (about.stub) return { retryIn: 0, about };
  return { retryIn: pauseOf(due, Math.min(waitMs, longestPauseMs)), about };
}

/** A stub is due after a day of rejections. If the destination got a stub before, the age of the entry counts instead. */
function rejectedOnce(
  { sent, problem, stub, stubs, rejectedAt: since }: Cursor,
  result: ForwardResult,
  now: number,
  entryAt = now,
): Cursor {
  if (result !== 'rejected') return { sent, problem, stubs, rejectedAt: since };
  const rejectedAt = since ?? now;
  const isOver = now - (stubs ? Math.min(entryAt, rejectedAt) : rejectedAt) >= stubAfterMs;
  return { sent, problem, stubs, rejectedAt, stub: isOver && !stub };
}

async function begin({ store, log }: ForwarderPorts, to: ForwardSettings): Promise<Cursor> {
  const { from } = to;
  const sent = from === 'now' ? await newestSealed(store) : from - 1;
  log.info({ to: hostOf(to), from }, 'forwarding of audit entries started');
  return { sent };
}

/** Undefined if nothing was forwarded yet. Makes the row due if it rests although entries are left. */
async function progressOf({ store, clock }: ForwarderPorts, due: DueDraft): Promise<Forwarding | undefined> {
  const row = await store.findDue(forwardKind, due.key);
  const newest = await newestSealed(store);
  const at = cursor.optional().parse(row?.about);
  const isBehind = at === undefined || at.sent < newest;
  if (isBehind && (row?.rests ?? true)) await store.setDue([{ ...due, version: newest }], clock.now());
  return at && { problem: undefined, ...at, newest, oldestAt: await store.timeAfter(at.sent) };
}

/**
 * A running Bellhop sends the stub as soon as the collector has rejected the entry once more.
 * @returns undefined if the stub is requested; otherwise the number of the entry that the collector rejects, if any
 */
export async function requestStub(
  store: DueWork,
  to: ForwardSettings,
  entry: number,
  now: number,
): Promise<{ readonly rejected: number | undefined } | undefined> {
  const key = keyOf(to);
  const at = cursor.optional().parse((await store.findDue(forwardKind, key))?.about);
  const rejected = at?.rejectedAt === undefined ? undefined : at.sent + 1;
  if (!at || rejected !== entry) return { rejected };
  await store.setDue([{ kind: forwardKind, key, at: now, about: { ...at, rejectedAt: 0 } }], now);
  return undefined;
}

const newestSealed = async (store: Pick<SealedLog, 'newestCheckpoint'>): Promise<number> =>
  (await store.newestCheckpoint())?.size ?? 0;

/** A new address or start position is a new destination with a new cursor. */
const keyOf = ({ url, from }: ForwardSettings): string => hash('sha256', `${url} ${from}`);
const hostOf = ({ url }: ForwardSettings): string => new URL(url).host;

function reportStub(log: Log, to: ForwardSettings, { first }: Batch, { problem }: Cursor): void {
  log.error({ to: hostOf(to), entry: first, problem }, 'a stub replaced a rejected audit entry');
}

function report(log: Log, settings: ForwardSettings, { first, last }: Batch, receipt: Receipt): void {
  const { result, problem, answer } = receipt;
  const to = hostOf(settings);
  const about = { to, problem, answer };
  if (result === 'accepted') log.info({ to, last }, 'audit entries are forwarded again');
  else if (result === 'unauthorized') {
    const setting = `audit.forward.token: ${settings.token}`;
    log.error({ ...about, setting }, 'the token for forwarding audit entries is not accepted');
  } else if (result === 'rejected')
    log.error({ ...about, entry: first }, 'the collector rejects an audit entry; all later ones wait');
  else log.warn({ ...about, first, last }, trouble);
}
