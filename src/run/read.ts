import { tryRecord } from '../audit/entries.ts';
import type { Context } from '../model/ports.ts';
import { format } from '../command/grammar/format.ts';
import { introspect } from './introspect.ts';
import { type Caller, type Person, programOf } from '../model/values/actor.ts';
import { BellhopError } from '../model/values/errors.ts';
import type { ReadContext } from '../model/operation.ts';
import { type NextCommand, report, type Report } from '../model/values/report.ts';
import type { Target } from '../model/rulebook/target.ts';
import type { Authorization } from '../policy/authorize.ts';
import { redactReport } from '../command/redactor.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import { inTime, reachOf } from '../policy/reach.ts';

export interface AuthorizedRead {
  readonly kind: 'read';
  readonly command: ResolvedCommand;
  readonly authorization: Authorization;
}

/** The answer to a read, or help. */
export interface ReportResult {
  readonly kind: 'report';
  readonly report: Report;
  /** The command in words, for running it again. */
  readonly words?: string | undefined;
}

/** Runs a read even if its audit entry can't be written, because only changes depend on the audit log. @throws BellhopError */
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
    answers: authorization.answers,
  };
  try {
    caller.onRead?.(words);
    const output = await inTime(
      context,
      async (signal) =>
        operation.run(input, readContextOf(context, caller, command, authorization.person, signal)),
      (waitedMs) => lateAnswer(target, waitedMs),
    );
    const parts = operation.report(output, { target, input });
    const read = report.parse(redactReport(parts, (text) => context.redact(text)));
    const answer = { ...read, next: await allowedNow(context, caller, read.next) };
    await tryRecord(context, 'read', { ...about, outcome: 'answered' });
    return { kind: 'report', report: answer, words };
  } catch (error) {
    const code = error instanceof BellhopError ? error.code : 'unexpected';
    await tryRecord(context, 'read', { ...about, outcome: 'failed', error: code });
    throw error;
  }
}

/** Returns the follow-up commands that are not denied to the reader here. Commands whose extension is off are dropped too. */
async function allowedNow(
  context: Context,
  caller: Caller,
  next: readonly NextCommand[] = [],
): Promise<NextCommand[] | undefined> {
  const bellhop = introspect(context);
  const kept = await Promise.all(
    next.map(async (command) => {
      const [, area = '', words = ''] = /^\/(\S+)\s+(.+)$/su.exec(command.words) ?? [];
      try {
        const { decision } = await bellhop.explain(caller, area, words);
        return decision.effect === 'deny' ? [] : [command];
      } catch (error) {
        if (error instanceof BellhopError) return [];
        throw error;
      }
    }),
  );
  return next.length === 0 ? undefined : kept.flat();
}

const lateAnswer = ({ kind }: Target, waitedMs: number): BellhopError => {
  const who = kind === 'bellhop' ? '' : 'The service is not answering. Bellhop is fine. ';
  const text = `${who}No answer came within ${waitedMs / 1000} s.`;
  return new BellhopError('rejected', text, { retryable: true });
};

const readContextOf = (
  context: Context,
  { actor, place, correlationId }: Caller,
  { entry, target, values }: ResolvedCommand,
  person: Person,
  signal: AbortSignal,
): ReadContext => ({
  ...reachOf(context, entry, {
    correlationId,
    values,
    target,
    signal,
    once: programOf(actor) !== undefined,
  }),
  target,
  now: context.clock.now(),
  request: { id: correlationId, requester: actor.user },
  confirmed: [],
  maySend: () => true,
  actor,
  person,
  place,
  inventory: context.rulebook().inventory,
  extensions: context.rulebook().extensions,
  bellhop: introspect(context),
});
