import { stepEntry } from '../audit/entries.ts';
import type { StepContext } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { Request } from './request.ts';
import type { End } from './send-request.ts';
import { stepFrom } from './step.ts';

/** While the store is away: milliseconds before each new try. What is known now would else become unknown. */
const triedAgainAfter = [500, 1000, 2000, 5000, 10_000, 20_000, 20_000];

/** When the target of what was accepted is looked at first, in milliseconds. */
const firstLookMs = 2000;

/** Whoever recovered it may keep a few sightings at the same time. */
const mostTries = 10;

/** The end of a running request, also where recovery took it for crashed meanwhile: what is known now counts. */
export async function endRequest(
  context: StepContext,
  request: Request,
  end: End,
): Promise<Request | undefined> {
  const ended = await persistently(
    context,
    async () =>
      (await advanceToEnd(context, request, end)) ?? (await endAfterRecovery(context, request, end)),
  );
  if (ended) context.messages.changed(ended);
  return ended;
}

/** Tries again for about a minute while the store is away. @throws BellhopError `store-unavailable` */
export async function persistently<T>(context: StepContext, work: () => Promise<T>): Promise<T> {
  for (const pause of triedAgainAfter) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BellhopError && error.code === 'store-unavailable')) throw error;
      context.log.warn({ err: error }, 'an outcome could not be recorded yet');
      await context.clock.wait(pause);
    }
  }
  return work();
}

async function endAfterRecovery(
  context: StepContext,
  request: Request,
  end: End,
): Promise<Request | undefined> {
  if (end.state === 'unknown') return undefined;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const current = await context.store.find(request.id);
    if (current?.state !== 'unknown' && current?.state !== 'running') return undefined;
    const ended = await advanceToEnd(context, current, end);
    if (ended) return ended;
  }
  return undefined;
}

function advanceToEnd(context: StepContext, request: Request, end: End): Promise<Request | undefined> {
  const { state, outcome, watched = false } = end;
  const endedAt = context.clock.now();
  const note = outcome.error?.code;
  const { serviceRequestId } = outcome;
  const audit = [stepEntry(context, 'ended', request, state, { note, serviceRequestId })];
  const step = stepFrom(context, request, state, { endedAt, outcome }, audit);
  const watch = watched ? { requestId: request.id, at: endedAt + firstLookMs } : undefined;
  return context.store.advance({ ...step, watch });
}
