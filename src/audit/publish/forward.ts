import { createHash } from 'node:crypto';

import { backoffMs } from '../../http/attempt.ts';
import type { AuditLog, Forwarding, ForwardingPosition, Forwardings } from '../../model/audit.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { ForwardSettings, Rulebook } from '../../model/rulebook.ts';
import {
  authorizationOf,
  type Batch,
  batchOf,
  type ForwardResult,
  type Receipt,
  sendBatch,
  timeoutMs,
} from './forward-batch.ts';

export interface ForwarderPorts {
  readonly store: Forwardings & Pick<AuditLog, 'auditFrom'>;
  readonly rulebook: () => Pick<Rulebook, 'audit'>;
  /** The value behind `secret:name`. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  readonly clock: Clock;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
  readonly log: Log;
  /** How far it is; `off` where nothing is to be forwarded, `unknown` where the store cannot tell. */
  readonly onSeen: (forwarding: Forwarding | 'off' | 'unknown') => void;
  readonly onBatch: (result: ForwardResult) => void;
}

export interface Forwarder {
  /** Sends what is sealed and not sent yet, a bounded number of batches, unless another replica does. */
  readonly round: () => Promise<void>;
  /** Ends a round after the batch that is on its way. Never rejects. */
  readonly close: () => Promise<void>;
}

const second = 1000;
const minute = 60 * second;

/** Twice as long as a batch is on its way at most, for a clock that is behind. */
const claimMs = 2 * timeoutMs;
const mostEntries = 200;
const batchesInRound = 20;
const firstPauseMs = second;
/** Also where the collector asks for more. */
const longestPauseMs = 10 * minute;
const mostDoublings = 8;
/** A batch that is on its way when Bellhop stops has so long. */
const graceMs = 2 * second;

/**
 * Sends sealed entries to the collector that `audit.forward` names, by number, each at least once. The cursor in the
 * store moves when a batch was taken: whoever crashes between the two sends it again. Nothing waits for it.
 */
export function createForwarder(ports: ForwarderPorts): Forwarder {
  const { store, rulebook, clock, onSeen, onBatch } = ports;
  const tell = createTeller(ports.log);
  const stopping = new AbortController();
  let closing = false;
  let underWay: Promise<void> | undefined;
  /** Entries in the next batch, at most. */
  let batchSize = mostEntries;

  /** Resolves to whether there is more to do for whoever has the claim. */
  const sendNext = async (destination: Destination, claim: Claim): Promise<boolean> => {
    const sent = await tryToSend(ports, destination, claim.at.sent, batchSize, stopping.signal);
    if (!sent || (stopping.signal.aborted && sent.result !== 'accepted')) return false;
    onBatch(sent.result);
    batchSize = nextBatchSize(batchSize, sent);
    const { waitMs, ...next } = positionAfter(claim.at, sent, ports);
    tell(destination, next.problem, sent);
    const tryAt = clock.now() + waitMs;
    // Somebody else sends, or it is left alone for a while: the claim is over.
    claim.held =
      (await store.moveForwarding(destination.id, claim.at.sent, { ...next, tryAt })) &&
      next.failures <= claim.at.failures;
    claim.at = next;
    return claim.held && !closing;
  };

  const sendClaimed = async (destination: Destination, claim: Claim): Promise<void> => {
    try {
      let left = batchesInRound;
      while (left > 0 && (await sendNext(destination, claim))) left -= 1;
    } finally {
      if (claim.held) {
        await store.moveForwarding(destination.id, claim.at.sent, { ...claim.at, tryAt: clock.now() });
      }
    }
  };

  const round = async (): Promise<void> => {
    const settings = rulebook().audit.forward;
    if (!settings) return onSeen('off');
    const destination = destinationOf(settings);
    const seen = await lookUp(ports, destination);
    if (!seen || seen.sent >= seen.newest) return;
    const at = await store.claimForwarding(destination.id, clock.now(), claimMs);
    if (at) await sendClaimed(destination, { at, held: true });
  };

  return {
    async round() {
      if (closing) return;
      underWay ??= round().finally(() => {
        underWay = undefined;
      });
      await underWay;
    },
    async close() {
      closing = true;
      const ended = underWay?.catch(() => undefined);
      if (ended === undefined) return;
      await Promise.race([ended, clock.wait(graceMs)]);
      stopping.abort();
      await ended;
    },
  };
}

interface Destination extends ForwardSettings {
  /** Another address, or another beginning, is another destination with a cursor of its own. */
  readonly id: string;
  /** Its host, for people. */
  readonly to: string;
}

const destinationOf = (settings: ForwardSettings): Destination => ({
  ...settings,
  id: createHash('sha256').update(`${settings.url} ${settings.from}`).digest('hex'),
  to: new URL(settings.url).host,
});

interface Claim {
  at: ForwardingPosition;
  held: boolean;
}

/** How far it is; begins where it has not. */
async function lookUp(
  { store, log, onSeen }: ForwarderPorts,
  { id, to, from }: Destination,
): Promise<Forwarding | undefined> {
  let seen: Forwarding | undefined;
  try {
    seen = await store.findForwarding(id);
    if (!seen) {
      const begun = await store.beginForwarding(id, from === 'now' ? 'newest' : from - 1);
      if (begun) log.info({ to, from }, 'audit entries are forwarded from now on');
      seen = await store.findForwarding(id);
    }
    return seen;
  } finally {
    onSeen(seen ?? 'unknown');
  }
}

type Sent = Pick<Batch, 'first' | 'last' | 'count'> & Receipt;

/** Resolves to undefined where nothing is left to send. */
async function tryToSend(
  { store, clock, resolveSecret }: ForwarderPorts,
  { url, contentType, token }: Destination,
  after: number,
  batchSize: number,
  stopping: AbortSignal,
): Promise<Sent | undefined> {
  const batch = batchOf(await store.auditFrom(after, batchSize));
  if (!batch) return undefined;
  const late = new AbortController();
  const cancel = clock.every(timeoutMs, () => late.abort());
  try {
    const authorization = authorizationOf(token, resolveSecret);
    const signal = AbortSignal.any([stopping, late.signal]);
    const receipt = await sendBatch(batch, {
      url,
      contentType,
      authorization,
      signal,
      now: () => clock.now(),
    });
    return { ...batch, ...receipt };
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return { ...batch, result: 'unauthorized', problem: `cannot be asked: ${error.message}` };
  } finally {
    cancel();
  }
}

/** A batch that is rejected is halved until it is known which entry it is for; then they grow again. */
function nextBatchSize(batchSize: number, { result, count }: Sent): number {
  if (result === 'accepted') return Math.min(mostEntries, batchSize * 2);
  return result === 'rejected' ? Math.ceil(count / 2) : batchSize;
}

/** Where it stands after a batch, and for how long nobody else sends. */
function positionAfter(
  at: ForwardingPosition,
  { first, last, count, result, problem, waitMs = 0 }: Sent,
  chance: Pick<ForwarderPorts, 'random'>,
): ForwardingPosition & { readonly waitMs: number } {
  if (result === 'accepted') return { sent: last, failures: 0, problem: undefined, waitMs: claimMs };
  if (result === 'rejected' && count > 1) return { ...at, waitMs: claimMs };
  const backoff = backoffMs(firstPauseMs, Math.min(at.failures, mostDoublings), chance);
  return {
    sent: at.sent,
    failures: at.failures + 1,
    problem: result === 'rejected' ? `${problem} to entry ${first}, sent alone` : problem,
    // Whole milliseconds: PostgreSQL takes no part of one.
    waitMs: Math.ceil(Math.min(Math.max(backoff, waitMs), longestPauseMs)),
  };
}

/** Says in the log once what keeps entries here, and once that nothing does any more. */
function createTeller(log: Log) {
  let told: string | undefined;
  return ({ to, token }: Destination, problem: string | undefined, sent: Sent): void => {
    const { first, last, count, result, answer } = sent;
    // Which entry is meant is not known before it was sent alone.
    if (problem === told || (result === 'rejected' && count > 1)) return;
    told = problem;
    const about = { to, problem, answer };
    if (problem === undefined) {
      log.info({ to, last }, 'audit entries are forwarded again');
    } else if (result === 'unauthorized') {
      const setting = `audit.forward.token: ${token}`;
      log.error({ ...about, setting }, 'the token for forwarding audit entries is not accepted');
    } else if (result === 'rejected') {
      log.error({ ...about, entry: first }, 'an audit entry is refused, and all after it wait');
    } else {
      log.warn({ ...about, first, last }, 'audit entries were not forwarded; they are sent again');
    }
  };
}
