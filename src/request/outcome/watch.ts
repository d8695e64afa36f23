import { z } from 'zod';

import { growingPause } from '../../due/work.ts';
import type { RunnerContext } from '../../model/ports.ts';
import { type DueDraft, dueKind, type Handler } from '../../model/records/due.ts';
import type { ChangeWatch, Observation } from '../../model/operation.ts';
import { type Request, startOf } from '../../model/records/request.ts';
import type { Notice } from '../../model/records/requests.ts';
import { tookText } from '../../text/words.ts';
import { noticeDue } from '../steps/notices.ts';
import { observe } from './sighting.ts';

/** In milliseconds after the change started. */
const watchMs = 10 * 60_000;

/** In milliseconds. A target that never changed must stay in its end state for this long. */
const stillMs = 60_000;

const shortestPauseMs = 2_000;
const longestPauseMs = 10_000;

const watched = z.object({ movedAt: z.number().optional() });

const watchKind = dueKind('watch');

export const watchDue = (
  { id: key }: Pick<Request, 'id'>,
  at: number,
  about?: z.output<typeof watched>,
): DueDraft => ({
  kind: watchKind,
  key,
  at,
  about,
});

/** Reports whether the target reaches its end state in time. A status does not prove the outcome. */
export const createWatchHandler = (context: RunnerContext): Handler => ({
  kind: watchKind,
  atOnce: 20,
  trouble: 'a target could not be checked after a change',
  byClock: true,
  async handle({ key: requestId, about = {} }) {
    const { store, registry, clock } = context;
    const request = await store.find(requestId);
    const entry = request && registry.find(request.operation);
    const watch = entry?.operation.watch;
    if (!request || !watch || (await isOvertaken(context, request))) return { done: true };
    const seen = await context.correlated('watch', request.correlationId, () =>
      observe(context, entry, request),
    );
    const now = clock.now();
    const { movedAt = seen && watch.progress(seen) === 'on its way' ? now : undefined } =
      watched.parse(about);
    const elapsedMs = now - startOf(request);
    const told = verdict(watch, request, { seen, moved: movedAt !== undefined, elapsedMs });
    if (told) return { done: true, next: [noticeDue({ requestId, kind: 'watched', at: now, ...told })] };
    const at = now + growingPause(elapsedMs / 2, shortestPauseMs, longestPauseMs);
    return { done: true, next: [watchDue(request, at, { movedAt })] };
  },
});

/** Another change was sent to the target, so its state says nothing about this one. */
async function isOvertaken({ store }: RunnerContext, request: Request): Promise<boolean> {
  const { targetKey } = request;
  return (await store.started([{ since: startOf(request) + 1, targetKey, limit: 1 }])).length > 0;
}

interface Look {
  readonly seen: Observation | undefined;
  readonly moved: boolean;
  readonly elapsedMs: number;
}

/** Undefined if the target has to be checked again later. */
function verdict(
  watch: ChangeWatch,
  { target, before }: Request,
  { seen, moved, elapsedMs }: Look,
): Pick<Notice, 'why' | 'warns'> | undefined {
  const took = tookText(elapsedMs);
  const words = seen && watch.words(seen);
  switch (seen && watch.progress(seen)) {
    case 'there': {
      const differs = before !== undefined && watch.progress(before) !== 'there';
      if (moved || differs) return { why: `${watch.there(target)} (${words}). It took about ${took}.` };
      if (elapsedMs < stillMs) return undefined;
      return warning(
        `${target.name} stayed ${words} for ${took}, so Bellhop can't confirm the change. Check ${target.name}.`,
      );
    }
    case 'broken':
      return warning(
        `${target.name} did not reach the expected state. After ${took}, it is ${words}. Check it.`,
      );
    case 'on its way':
    case undefined:
      if (elapsedMs < watchMs) return undefined;
      return warning(
        words === undefined
          ? `${target.name} still can't be read after ${took}. Check it.`
          : `${target.name} is still ${words} after ${took}. Check it.`,
      );
  }
}

const warning = (why: string): Pick<Notice, 'why' | 'warns'> => ({ why, warns: true });
