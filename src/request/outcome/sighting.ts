import { canonical } from '../../model/audit.ts';
import type { Entry } from '../../model/registry.ts';
import type { Rules, RunnerContext } from '../../model/context.ts';
import { redactTexts } from '../../command/redactor.ts';
import type { Observation, RunContext } from '../../model/operation.ts';
import { report, type Report, type ReportParts } from '../../model/report.ts';
import { canObserve } from '../steps/run-context.ts';
import type { Notice } from '../../model/requests.ts';
import type { Request, RequestOutcome } from '../../model/request.ts';
import { stepFrom } from '../steps/step.ts';

/** A look that takes longer is not waited for, in milliseconds: a change is not held back by it. */
const patienceMs = 2000;

/** When the target is looked at after an unknown outcome, in milliseconds after the look before. */
const lookAfter = [0, 2000, 5000];

/** What the target looks like now, where the service can be asked and answers in time. */
export async function observe(
  context: Rules,
  entry: Entry,
  runContext: RunContext,
): Promise<Observation | undefined> {
  if (!canObserve(context, entry)) return undefined;
  return patiently(context, runContext, (looking) => entry.operation.observe?.(looking));
}

/** A look at the service that is given up after `patienceMs`: then undefined. */
export async function patiently<T>(
  context: Rules,
  runContext: RunContext,
  look: (runContext: RunContext) => Promise<T> | undefined,
): Promise<T | undefined> {
  const patience = new AbortController();
  try {
    return await Promise.race([
      look({ ...runContext, signal: patience.signal }),
      context.clock.wait(patienceMs).then(() => undefined),
    ]);
  } finally {
    patience.abort();
  }
}

/** Most tries to write beside others who write to the same request. */
export const mostTries = 10;

/**
 * Changes a request whose outcome is still unknown, whoever else writes to it. Undefined once it is not.
 * @param tellsSighting whoever waits is told of a sighting that is new
 */
export async function amendUnknown(
  context: RunnerContext,
  id: string,
  change: (outcome: RequestOutcome | undefined) => RequestOutcome,
  tellsSighting = false,
): Promise<Request | undefined> {
  for (let tries = 0; tries < mostTries; tries += 1) {
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
 * Keeps with an unknown outcome what is seen at the target beside what was seen before the change, until a difference is
 * seen. It proves nothing, because anybody may have done it: the outcome stays unknown.
 */
export async function keepSighting(
  context: RunnerContext,
  entry: Entry,
  unknown: Request,
  runContext: RunContext,
): Promise<void> {
  if (!canObserve(context, entry)) return;
  const { before, target } = unknown;
  let first = true;
  let known = before;
  for (const pause of lookAfter) {
    await context.clock.wait(pause);
    const now = await observe(context, entry, runContext);
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

/** Looks once more. What differs from before the change replaces what was seen; what looks as before does not. */
export async function lookAgain(
  context: RunnerContext,
  entry: Entry,
  { id, before, target }: Request,
  runContext: RunContext,
): Promise<void> {
  const now = await observe(context, entry, runContext);
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
  report.parse(redactTexts(parts, (text) => context.redact(text)));

const lookOf = ({ clock }: Rules, { title }: Report) => ({ at: clock.now(), title });
