import { tryRecord } from '../audit/entries.ts';
import type { Context } from '../model/ports.ts';
import { format } from '../command/grammar/grammar.ts';
import { introspect } from './introspect.ts';
import type { Caller, Person } from '../model/actor.ts';
import { BellhopError } from '../model/errors.ts';
import type { ReadContext } from '../model/operation.ts';
import { report, type Report } from '../model/report.ts';
import type { Target } from '../model/target.ts';
import type { Authorization } from '../policy/authorize.ts';
import type { ResolvedCommand } from '../command/resolve.ts';

/** A read that may run. */
export interface AuthorizedRead {
  readonly kind: 'read';
  readonly command: ResolvedCommand;
  readonly authorization: Authorization;
}

/** The answer of a read, or help. */
export interface ReportResult {
  readonly kind: 'report';
  readonly report: Report;
  /** The command in words, to run it again. */
  readonly words?: string | undefined;
}

/**
 * Runs a read, with one audit entry whether it is answered or fails. It is also answered while that cannot be written:
 * only changes wait for the audit log. @throws BellhopError
 */
export async function runRead(
  context: Context,
  caller: Caller,
  { command, authorization }: AuthorizedRead,
): Promise<ReportResult> {
  const { entry, input, target, values } = command;
  const { operation } = entry;
  const words = format(entry, values);
  const about = {
    actor: caller.actor,
    place: caller.place,
    correlationId: caller.correlationId,
    operation: operation.name,
    input: values,
    target,
    decision: authorization.decision.effect,
    rule: authorization.decision.rule,
    onCall: authorization.onCall,
  };
  try {
    const reading = readContextOf(context, caller, authorization.person, target);
    caller.onRead?.(words);
    const output = await inTime(context, target, (signal) => operation.run(input, { ...reading, signal }));
    const answer = report.parse(operation.report(output, { target, input }));
    await tryRecord(context, 'read', { ...about, outcome: 'answered' });
    return { kind: 'report', report: answer, words };
  } catch (error) {
    const note = error instanceof BellhopError ? error.code : 'unexpected';
    await tryRecord(context, 'read', { ...about, outcome: 'failed', note });
    throw error;
  }
}

/** Gives up what takes longer than a read may. @throws BellhopError */
async function inTime<T>(
  context: Context,
  target: Target,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { readTimeoutMs } = context.rulebook();
  const limit = new AbortController();
  const over = Promise.withResolvers<never>();
  const stop = context.clock.every(readTimeoutMs, () => {
    over.reject(lateAnswer(target, readTimeoutMs));
    // As AbortSignal.timeout says it: a time limit, not somebody who gave it up.
    limit.abort(new DOMException('The read took too long.', 'TimeoutError'));
  });
  try {
    return await Promise.race([work(limit.signal), over.promise]);
  } finally {
    stop();
  }
}

const lateAnswer = ({ kind }: Target, waitedMs: number): BellhopError => {
  const who = kind === 'bellhop' ? '' : 'The service is not answering; Bellhop is fine. ';
  const text = `${who}No answer came within ${waitedMs / 1000} s.`;
  return new BellhopError('rejected', text, { retryable: true });
};

const readContextOf = (
  context: Context,
  { actor, place, correlationId }: Caller,
  person: Person,
  target: Target,
): ReadContext => ({
  target,
  service: context.service,
  resolveSecret: context.resolveSecret,
  now: context.clock.now(),
  correlationId,
  actor,
  person,
  place,
  inventory: context.rulebook().inventory,
  extensions: context.rulebook().extensions,
  bellhop: introspect(context),
});
