import { canonical } from '../../model/records/audit.ts';
import type { Entry } from '../../model/registry.ts';
import { type RunnerContext, within } from '../../model/ports.ts';
import { readInput } from '../../command/grammar/check-input.ts';
import { redactReport } from '../../command/redactor.ts';
import type { Observation, RunContext } from '../../model/operation.ts';
import { report, type Report } from '../../model/values/report.ts';
import { canObserve, contextOf, stepFrom, stepOnNewest } from '../steps/step.ts';
import type { Notice } from '../../model/records/requests.ts';
import { type Request, startOf } from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import { namesOfPeople } from '../../policy/denied.ts';
import { plainPart } from '../../text/parts.ts';

/** In milliseconds: how long a change waits for a read of its target. */
const patienceMs = 2000;

/** In milliseconds: pauses between reads of the target after an unknown outcome. */
const lookAfter = [0, 2000, 5000];

/** Undefined if the service does not report the state in time. A failure is only logged. */
export async function observe(
  context: RunnerContext,
  entry: Entry,
  request: Request,
): Promise<Observation | undefined> {
  if (!canObserve(context, entry)) return undefined;
  try {
    const input = readInput(entry, request.input);
    return await readWithinTime(context, entry, request, (reach) => entry.operation.observe?.(reach, input));
  } catch (error) {
    const { id: requestId, operation } = request;
    context.log.warn({ err: error, operation, requestId }, 'a target could not be read');
    return undefined;
  }
}

/** A read that takes too long counts as cancelled, because a timeout could open the circuit breaker before the change is sent. */
export async function readWithinTime<T>(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  look: (runContext: RunContext) => Promise<T> | undefined,
): Promise<T | undefined> {
  const givenUp = new AbortController();
  const reach = contextOf(context, entry, request, givenUp.signal);
  try {
    return await within(context.clock, patienceMs, async () => look(reach));
  } finally {
    givenUp.abort();
  }
}

/**
 * Tries again if another writer was faster. Resolves to undefined once the outcome is known.
 * @param newsIn news about the change for the requester
 */
export const amendUnknown = (
  context: RunnerContext,
  id: string,
  change: (outcome: RequestOutcome | undefined) => RequestOutcome,
  newsIn?: News,
): Promise<Request | undefined> =>
  stepOnNewest(context, async () => {
    const current = await context.store.find(id);
    if (current?.state !== 'unknown') return undefined;
    const outcome = change(current.outcome);
    const news = newsIn?.(outcome, current.outcome);
    const notices = news ? [{ requestId: id, at: context.clock.now(), ...news }] : [];
    return { ...stepFrom(context, current, 'unknown', { outcome }, []), notices };
  });

export type News = (now: RequestOutcome, before?: RequestOutcome) => Pick<Notice, 'kind' | 'why'> | undefined;

const newSighting: News = (now, before) =>
  isSame(now.sighted, before?.sighted) ? undefined : { kind: 'seen', why: now.sighting?.title };

/**
 * Stores the target's latest state until it differs from the state before the change. Anyone may have caused the difference, so the outcome
 * stays unknown.
 */
export async function keepSighting(context: RunnerContext, entry: Entry, unknown: Request): Promise<void> {
  if (!canObserve(context, entry)) return;
  let first = true;
  let known = unknown.before;
  for (const pause of lookAfter) {
    await context.clock.wait(pause);
    const now = await observe(context, entry, unknown);
    if (!now) continue;
    const differs = known !== undefined && !isSame(known, now);
    if (!first && !differs) continue;
    const kept = await keepSeen(context, entry, unknown, { now, differs });
    if (!kept || differs) return;
    first = false;
    known = now;
  }
}

/** Only a changed state replaces the stored one. */
export async function lookAgain(context: RunnerContext, entry: Entry, request: Request): Promise<void> {
  const { before } = request;
  const now = await observe(context, entry, request);
  if (!now) return;
  await keepSeen(context, entry, request, { now, differs: before !== undefined && !isSame(before, now) });
}

interface Seen {
  readonly now: Observation;
  readonly differs: boolean;
}

/** A state that a later change by Bellhop may have caused is not evidence, so it is only shown as the newest check. */
async function keepSeen(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  { now, differs }: Seen,
): Promise<Request | undefined> {
  const { id, before, target } = request;
  const parts = entry.operation.sighting?.(before, now, target);
  if (!parts) return undefined;
  const later = await laterText(context, request);
  const state = entry.operation.watch?.words(now);
  const is = state === undefined ? '' : `${target.name} is ${state}. `;
  const title = later === undefined ? parts.title : `${is}${later}`;
  const seen: Report = report.parse(redactReport({ ...parts, title }, (text) => context.redact(text)));
  const isEvidence = differs && later === undefined;
  const at = context.clock.now();
  const change = (outcome: RequestOutcome = {}): RequestOutcome => {
    const stays = later !== undefined || (!isEvidence && outcome.sighting);
    const next = stays ? outcome : { ...outcome, sighting: seen, sighted: now, sightedAt: at };
    const isSighting = later === undefined && isSame(next.sighted, now);
    return { ...next, look: { at, title: seen.title, ...(isSighting && { isSighting }) } };
  };
  return amendUnknown(context, id, change, isEvidence ? newSighting : undefined);
}

/** Names the newest change of the target that Bellhop has started after this one. Undefined if there is none. */
async function laterText(context: RunnerContext, request: Request): Promise<string | undefined> {
  const { targetKey, target } = request;
  const since = startOf(request) + 1;
  const [other] = await context.store.started([{ since, targetKey, limit: 1 }]);
  if (!other) return undefined;
  const who = await namesOfPeople(context, [other.requester]);
  return (
    `That may be ${who}'s later change of ${target.name} (${other.id}, ${plainPart({ at: other.startedAt })}), ` +
    'so neither its state nor its uptime shows whether this one ran'
  );
}

const isSame = (one: Observation | undefined, other: Observation | undefined): boolean =>
  canonical(one) === canonical(other);
