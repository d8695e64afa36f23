import { createHash } from 'node:crypto';

import { type Handler, pauseOf } from '../../due/work.ts';
import type { AuditLog, Forwarding, Forwardings } from '../../model/records/audit.ts';
import type { Due, DueDraft, Outcome } from '../../model/records/due.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { ForwardSettings, Rulebook } from '../../model/rulebook/rulebook.ts';
import { batchOf, type ForwardResult, type Receipt, sendBatch } from './forward-batch.ts';

export interface ForwarderPorts {
  readonly store: Forwardings & Pick<AuditLog, 'auditFrom'>;
  readonly rulebook: () => Pick<Rulebook, 'audit'>;
  readonly resolveSecret: (reference: string) => string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the progress, with `off` if nothing is forwarded, or with `unknown` if the store can't be read. */
  readonly onSeen: (forwarding: Forwarding | 'off' | 'unknown') => void;
  readonly onBatch: (result: ForwardResult) => void;
}

export interface Forwarder {
  readonly handler: Handler;
  readonly dueWhenSealed: () => readonly DueDraft[];
  /** Starts with a new destination in the rules, schedules the remaining work, and reports the progress. Called once a second. */
  readonly look: () => Promise<void>;
  /** Stops after the batch in flight. Never rejects. */
  readonly close: () => Promise<void>;
}

const second = 1000;
const minute = 60 * second;

const maxEntries = 200;
/** Bellhop pauses at most this long, even if the collector asks for more. */
const longestPauseMs = 10 * minute;
const graceMs = 2 * second;

const trouble = 'audit entries were not forwarded; retrying';

/**
 * Sends sealed entries to the collector that `audit.forward` names. Entries are sent by number, each at least once. The
 * cursor in the store moves once a batch is accepted. After a crash in between, the batch is sent again. No request
 * waits for forwarding.
 */
export function createForwarder(ports: ForwarderPorts): Forwarder {
  const { store, clock, log, onSeen } = ports;
  const sender = createSender(ports);
  let [begun, beginAgainAt] = ['', 0];

  const destination = (): Destination | undefined => {
    const { forward } = ports.rulebook().audit;
    return forward && destinationOf(forward);
  };

  const begin = async ({ id, host, from }: Destination): Promise<void> => {
    // A replica with older rules may have dropped this work.
    if (begun === id && clock.now() < beginAgainAt) return;
    const isNew = await store.beginForwarding(id, from === 'now' ? 'newest' : from - 1, clock.now());
    if (isNew) log.info({ to: host, from }, 'forwarding of audit entries started');
    [begun, beginAgainAt] = [id, clock.now() + minute];
  };

  return {
    handler: {
      atOnce: 1,
      trouble,
      async handle(due) {
        const to = destination();
        return to?.id === due.key ? sender.send(to, due) : { done: true };
      },
    },
    dueWhenSealed() {
      const to = destination();
      return to ? [{ kind: 'forward', key: to.id, at: clock.now(), keepsTime: true }] : [];
    },
    async look() {
      const to = destination();
      if (!to) return onSeen('off');
      let seen: Forwarding | undefined;
      try {
        await begin(to);
        seen = await store.findForwarding(to.id);
      } finally {
        onSeen(seen ?? 'unknown');
      }
    },
    close: () => sender.close(),
  };
}

function createSender(ports: ForwarderPorts) {
  const { store, clock, log, onBatch } = ports;
  const stopping = new AbortController();
  let closing = false;
  let underWay: Promise<unknown> | undefined;
  let batchSize = maxEntries;

  const sendNext = async (to: Destination, due: Due): Promise<Outcome> => {
    const at = await store.findForwarding(to.id);
    const batch = at && batchOf(await store.auditFrom(at.sent, batchSize));
    if (!batch) return { done: true };
    const receipt = await sendBatch(batch, to, { ...ports, stopping: stopping.signal });
    const { result, waitMs = 0 } = receipt;
    if (stopping.signal.aborted && result !== 'accepted') return { retryIn: second };
    onBatch(result);
    batchSize = nextBatchSize(batchSize, batch.count, result);
    // Only a rejected entry that was sent alone is known to be at fault.
    if (result === 'rejected' && batch.count > 1) return { retryIn: 0 };
    const sent = result === 'accepted' ? batch.last : at.sent;
    const alone = result === 'rejected' ? ` to entry ${batch.first}, sent alone` : '';
    const problem = receipt.problem && receipt.problem + alone;
    if (!(await store.moveForwarding(to.id, at.sent, { sent, problem }))) return { retryIn: second };
    if (problem !== at.problem) tell(log, to, { ...batch, ...receipt, problem });
    if (result !== 'accepted') return { retryIn: pauseOf(due, Math.min(waitMs, longestPauseMs)) };
    return sent < at.newest ? { againIn: 0 } : { done: true };
  };

  return {
    async send(to: Destination, due: Due): Promise<Outcome> {
      if (closing) return { retryIn: second };
      const work = sendNext(to, due);
      underWay = work.catch(() => undefined);
      return work;
    },
    async close(): Promise<void> {
      closing = true;
      await Promise.race([underWay, clock.wait(graceMs)]);
      stopping.abort();
      await underWay;
    },
  };
}

interface Destination extends ForwardSettings {
  /** A new address or start position is a new destination with a new cursor. */
  readonly id: string;
  readonly host: string;
}

const destinationOf = (settings: ForwardSettings): Destination => ({
  ...settings,
  id: createHash('sha256').update(`${settings.url} ${settings.from}`).digest('hex'),
  host: new URL(settings.url).host,
});

/** A rejected batch is halved until the entry at fault is found. Then batches grow again. */
function nextBatchSize(batchSize: number, sent: number, result: ForwardResult): number {
  if (result === 'accepted') return Math.min(maxEntries, batchSize * 2);
  return result === 'rejected' ? Math.ceil(sent / 2) : batchSize;
}

interface News extends Receipt {
  readonly first: number;
  readonly last: number;
}

function tell(
  log: Log,
  { host: to, token }: Destination,
  { first, last, result, problem, answer }: News,
): void {
  const about = { to, problem, answer };
  if (result === 'accepted') log.info({ to, last }, 'audit entries are forwarded again');
  else if (result === 'unauthorized') {
    const setting = `audit.forward.token: ${token}`;
    log.error({ ...about, setting }, 'the token for forwarding audit entries is not accepted');
  } else if (result === 'rejected') {
    log.error({ ...about, entry: first }, 'the collector rejects an audit entry; all later ones wait');
  } else log.warn({ ...about, first, last }, trouble);
}
