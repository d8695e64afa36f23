import { canonical } from '../audit/audit.ts';
import type { Entry } from '../registry.ts';
import type { Environment } from '../context.ts';
import { maskTexts } from '../redactor.ts';
import type { Observation, RunContext } from '../model/operation.ts';
import { report } from '../model/report.ts';
import type { Request } from './request.ts';
import { stepFrom } from './step.ts';

/** A look that takes longer is not waited for, in milliseconds: a change is not held back by it. */
const patienceMs = 2000;

/** When the target is looked at after an unknown outcome, in milliseconds after the look before. */
const lookAfter = [0, 2000, 5000];

const canObserve = (environment: Environment, { operation }: Entry): boolean =>
  operation.observe !== undefined && environment.rulebook().extensions.includes('instance-read');

/** What the target looks like now, where the service can be asked and answers in time. */
export async function observe(
  environment: Environment,
  entry: Entry,
  context: RunContext,
): Promise<Observation | undefined> {
  if (!canObserve(environment, entry)) return undefined;
  const patience = new AbortController();
  try {
    return await Promise.race([
      entry.operation.observe?.({ ...context, signal: patience.signal }),
      environment.clock.wait(patienceMs).then(() => undefined),
    ]);
  } finally {
    patience.abort();
  }
}

/**
 * Keeps with an unknown outcome what is seen at the target beside what was seen before the change, until a difference is
 * seen. It proves nothing, because anybody may have done it: the outcome stays unknown.
 */
export async function keepSighting(
  environment: Environment,
  entry: Entry,
  unknown: Request,
  context: RunContext,
): Promise<void> {
  if (!canObserve(environment, entry)) return;
  const { before, target } = unknown;
  let current = unknown;
  let known = before;
  for (const pause of lookAfter) {
    await environment.clock.wait(pause);
    const now = await observe(environment, entry, context);
    if (!now) continue;
    const differs = known !== undefined && canonical(known) !== canonical(now);
    if (current !== unknown && !differs) continue;
    const parts = entry.operation.sighting?.(before, now, target);
    if (!parts) return;
    const seen = maskTexts(parts, (text) => environment.mask(text));
    const changes = { outcome: { ...current.outcome, sighting: report.parse(seen) } };
    const kept = await environment.store.advance(stepFrom(environment, current, 'unknown', changes, []));
    if (!kept) return;
    environment.messages.changed(kept);
    if (differs) return;
    current = kept;
    known = now;
  }
}
