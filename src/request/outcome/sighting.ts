import { canonical } from '../../model/records/audit.ts';
import type { Entry } from '../../model/registry.ts';
import type { Rules, RunnerContext } from '../../model/ports.ts';
import { redactReport } from '../../command/redactor.ts';
import type { Observation, RunContext } from '../../model/operation.ts';
import { report, type Report, type ReportParts } from '../../model/values/report.ts';
import { canObserve, contextOf, stepFrom } from '../steps/step.ts';
import type { Notice } from '../../model/records/requests.ts';
import type { Request, RequestOutcome } from '../../model/records/request.ts';

/** In milliseconds. A change does not wait longer than this for a read of its target. */
const patienceMs = 2000;

/** In milliseconds. The pauses between the reads of the target after an unknown outcome. */
const lookAfter = [0, 2000, 5000];

/**
 * Reads the target's current state. Resolves to undefined if the service does not report the state in time. A failure is only
 * logged.
 */
export async function observe(
  context: RunnerContext,
  entry: Entry,
  request: Request,
): Promise<Observation | undefined> {
  if (!canObserve(context, entry)) return undefined;
  try {
    return await readWithinTime(context, entry, request, (reach) => entry.operation.observe?.(reach));
  } catch (error) {
    const { id: requestId, operation } = request;
    context.log.warn({ err: error, operation, requestId }, 'a target could not be read');
    return undefined;
  }
}

export async function readWithinTime<T>(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  look: (runContext: RunContext) => Promise<T> | undefined,
): Promise<T | undefined> {
  const patience = new AbortController();
  try {
    return await Promise.race([
      look(contextOf(context, entry, request, patience.signal)),
      context.clock.wait(patienceMs).then(() => undefined),
    ]);
  } finally {
    patience.abort();
  }
}

export const maxTries = 10;

/**
 * Changes a request whose outcome is still unknown, despite concurrent writers. Resolves to undefined once the outcome is known.
 * @param tellsSighting notifies the requester of a new sighting
 */
export async function amendUnknown(
  context: RunnerContext,
  id: string,
  change: (outcome: RequestOutcome | undefined) => RequestOutcome,
  tellsSighting = false,
): Promise<Request | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const current = await context.store.find(id);
    if (current?.state !== 'unknown') return undefined;
    const changes = { outcome: change(current.outcome) };
    const why = changes.outcome.sighting?.title;
    const tells = tellsSighting && why !== current.outcome?.sighting?.title;
    const notices: readonly Notice[] = tells
      ? [{ requestId: id, kind: 'seen', at: context.clock.now(), why }]
      : [];
    const step = stepFrom(context, current, 'unknown', changes, []);
    const amended = await context.store.advance({ ...step, notices });
    if (amended) {
      context.messages.changed(amended);
      return amended;
    }
  }
  return undefined;
}

/**
 * Stores the target's latest state with a request of unknown outcome, until that state differs from the state before the change.
 * Anyone may have caused the difference, so the outcome stays unknown.
 */
export async function keepSighting(context: RunnerContext, entry: Entry, unknown: Request): Promise<void> {
  if (!canObserve(context, entry)) return;
  const { before, target } = unknown;
  let first = true;
  let known = before;
  for (const pause of lookAfter) {
    await context.clock.wait(pause);
    const now = await observe(context, entry, unknown);
    if (!now) continue;
    const differs = known !== undefined && canonical(known) !== canonical(now);
    if (!first && !differs) continue;
    const parts = entry.operation.sighting?.(before, now, target);
    if (!parts) return;
    const sighting = sightingOf(context, parts);
    const kept = await amendUnknown(
      context,
      unknown.id,
      (outcome) => ({ ...outcome, sighting, look: lookOf(context, sighting) }),
      differs,
    );
    if (!kept || differs) return;
    first = false;
    known = now;
  }
}

/** Checks once more. Only a changed state replaces the stored one. */
export async function lookAgain(context: RunnerContext, entry: Entry, request: Request): Promise<void> {
  const { id, before, target } = request;
  const now = await observe(context, entry, request);
  const parts = now && entry.operation.sighting?.(before, now, target);
  if (!parts) return;
  const seen = sightingOf(context, parts);
  const differs = before !== undefined && canonical(before) !== canonical(now);
  await amendUnknown(
    context,
    id,
    (outcome) => ({
      ...outcome,
      sighting: differs ? seen : (outcome?.sighting ?? seen),
      look: lookOf(context, seen),
    }),
    differs,
  );
}

const sightingOf = (context: RunnerContext, parts: ReportParts): Report =>
  report.parse(redactReport(parts, (text) => context.redact(text)));

const lookOf = ({ clock }: Rules, { title }: Report) => ({ at: clock.now(), title });
