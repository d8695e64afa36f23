import { stepEntry } from '../audit/entries.ts';
import { pauseMs } from '../command/each.ts';
import type { AfterRule } from '../model/after.ts';
import { type Actor, sameActor } from '../model/values/actor.ts';
import { type AuditEvent, canonical } from '../model/records/audit.ts';
import { dueKind, type Handler, type Outcome } from '../model/records/due.ts';
import type { RunnerContext } from '../model/ports.ts';
import {
  type Request,
  type RequestChanges,
  type Rollout,
  type RolloutLine,
  type State,
  stateWord,
} from '../model/records/request.ts';
import type { Notice } from '../model/records/requests.ts';
import { pausedAnew, pausedForMs, remainingTargets, turnTo } from '../model/records/whole.ts';
import { eachTarget, type Target, targetKey, targetNames } from '../model/rulebook/target.ts';
import { namesOfPeople } from '../policy/denied.ts';
import { stepFrom, tryStep } from '../request/steps/step.ts';
import { type Why, whyBarred, whyFreed } from './barred.ts';
import { healthOf, readProgress } from './progress.ts';
import {
  endUnsent,
  mayHaveRun,
  proposeSingle,
  startSingle,
  type Turn,
  wasUnknown,
  whyPaused,
} from './single.ts';

/** In milliseconds, between checks of a target. A step of a target's request makes the rollout due at once. */
const soon = { againIn: 1_000 } as const;
const later = { againIn: 10_000 } as const;

const rolloutKind = dueKind('rollout');

/**
 * A step of a running rollout, or of one of its requests, may make the next step possible. Once the rollout has ended, other
 * cards have to say so.
 */
export const rolloutRule: AfterRule = {
  parts: true,
  due({ id, version, state, rollout, partOf, endedAt }, { at }) {
    const isOn = state === 'running' || (rollout?.startedAt !== undefined && endedAt !== undefined);
    const key = partOf ?? (rollout && isOn ? id : undefined);
    return key === undefined ? [] : [{ kind: rolloutKind, key, version, at }];
  },
};

/**
 * One target after another, each once the previous one is healthy again. The rows are read each time and each step is conditional, so any
 * replica can continue after a crash.
 */
export const createRolloutHandler = (context: RunnerContext): Handler => ({
  kind: rolloutKind,
  atOnce: 20,
  trouble: 'a rollout could not be continued',
  byClock: true,
  async handle({ key }) {
    const request = await context.store.find(key);
    if (!request?.rollout) return { done: true };
    const entry = context.registry.find(request.operation);
    const { rollout, single } = await readProgress(context, request.rollout);
    const seen = { request, rollout };
    if (request.state !== 'running') {
      await keep(context, seen);
      if (request.endedAt !== undefined) await showOnWaiting(context, request);
      return { done: true };
    }
    const { paused } = rollout;
    if (paused) return await whilePaused(context, { ...seen, paused }, single);
    if (!entry) {
      const why = `This version of Bellhop no longer has ${request.operation}.`;
      return await pause(context, seen, { why }, rollout.index);
    }
    return await moveOn(context, { ...seen, entry }, single);
  },
});

type Seen = Pick<Turn, 'request' | 'rollout'>;

async function moveOn(context: RunnerContext, turn: Turn, single: Request | undefined): Promise<Outcome> {
  const { rollout, request } = turn;
  const { index, stopping, lines } = rollout;
  if (lines[index]?.request === undefined) {
    if (stopping) return stop(context, turn, { by: stopping.by });
    // The rollout has just been started or continued.
    await showOnWaiting(context, request);
    return begin(context, turn, index);
  }
  const name = targetNames(request.target)[index] ?? '';
  if (!single) return pause(context, turn, { why: `The request for ${name} is gone.` }, index + 1);
  switch (single.state) {
    case 'proposed':
      if (stopping) await endUnsent(context, single, 'cancelled', 'The rollout was stopped.');
      else await startSingle(context, turn, single);
      return soon;
    case 'running':
      await keep(context, turn);
      return soon;
    case 'succeeded':
      // The outcome was proved later, but a person has to know that it was unknown before anything else runs.
      if (wasUnknown(single)) return pause(context, turn, await whyPaused(context, single), index + 1);
      return afterSuccess(context, turn, single);
    case 'cancelled':
      if (stopping) return stop(context, turn, { by: stopping.by });
      return pause(context, turn, await whyPaused(context, single), index);
    case 'awaiting approval':
    case 'failed':
    case 'unknown':
    case 'expired':
    case 'refused':
      return pause(context, turn, await whyPaused(context, single), mayHaveRun(single) ? index + 1 : index);
  }
}

/** Only once this target was seen healthy and stayed healthy for the pause. */
async function afterSuccess(context: RunnerContext, turn: Turn, single: Request): Promise<Outcome> {
  const { rollout, entry } = turn;
  const { index, lines, backAt, moved = false, stopping } = rollout;
  if (stopping && index < lines.length - 1) return stop(context, turn, { by: stopping.by });
  const now = context.clock.now();
  const since = lines[index]?.at ?? single.createdAt;
  const health = await healthOf(context, entry, single, { moved, since });
  if (health.kind === 'broken') {
    const gone = { ...rollout, lines: noted(rollout, { note: lines[index]?.note }) };
    return pause(context, { ...turn, rollout: gone }, { why: health.why }, index + 1);
  }
  if (health.kind === 'on its way') {
    const { backAt: _backAt, moved: _moved, ...rest } = rollout;
    const shown = noted(rollout, { note: health.shows, at: backAt === undefined ? since : now });
    const waiting = { ...rest, lines: shown, ...(health.moved && { moved: true as const }) };
    await keep(context, { ...turn, rollout: waiting });
    return soon;
  }
  if (index === lines.length - 1) return finish(context, turn);
  if (backAt === undefined) {
    const back = { ...rollout, backAt: now, lines: noted(rollout, { isBack: true }) };
    await advance(context, { ...turn, rollout: back });
    return soon;
  }
  const leftMs = backAt + (pauseMs(rollout.pause) ?? 0) - now;
  if (leftMs <= 0) return begin(context, turn, index + 1);
  await keep(context, turn);
  return { againIn: Math.min(leftMs, later.againIn) };
}

const noted = (
  { lines, index }: Rollout,
  { note, at = lines[index]?.at, isBack }: Pick<RolloutLine, 'note' | 'at' | 'isBack'>,
): RolloutLine[] => lines.map((line, each) => (each === index ? { ...line, note, at, isBack } : line));

async function begin(context: RunnerContext, turn: Turn, index: number): Promise<Outcome> {
  const { request, rollout } = turn;
  const { conflict, superseded, single } = await proposeSingle(context, turn, index);
  if (conflict?.id === request.id) return soon;
  if (conflict) {
    const { words, id, target } = conflict;
    const [who, word] = [await namesOfPeople(context, [conflict.requester]), stateWord(conflict)];
    const own = sameActor(conflict.requester, request.requester);
    const ask = own ? ' Finish or cancel it.' : ` Ask ${who} to finish or cancel it.`;
    const first = word === 'running' ? '' : ask;
    const why = `${target.name} has an open request by ${who}: ${words}, ${word} (${id}).${first}`;
    return pause(context, { request, rollout: turnTo(rollout, index) }, { why, inTheWay: id }, index);
  }
  if (!superseded?.rollout) return soon;
  context.messages.changed(superseded);
  await startSingle(context, { ...turn, request: superseded, rollout: superseded.rollout }, single);
  return soon;
}

async function whilePaused(
  context: RunnerContext,
  { paused, ...seen }: Seen & { readonly paused: NonNullable<Rollout['paused']> },
  single: Request | undefined,
): Promise<Outcome> {
  if (context.clock.now() - paused.at >= pausedForMs)
    return stop(context, seen, { why: `No one continued within an hour. ${paused.why}` });
  const last =
    single?.state === 'succeeded' && wasUnknown(single) && paused.next >= seen.rollout.lines.length;
  if (last) return finish(context, seen);
  const { request } = seen;
  const barred = paused.barredBy && (await whyBarred(context, request, remainingTargets(request)));
  const freed = barred ? undefined : await whyFreed(context, request, paused);
  if (freed) return pause(context, seen, freed, paused.next);
  const rollout = barred ? { ...seen.rollout, paused: { ...paused, ...barred } } : seen.rollout;
  if (isKept({ request, rollout })) return later;
  const [before, line] = [request.rollout?.lines[rollout.index], rollout.lines[rollout.index]];
  const found = line?.evidence ?? before?.evidence;
  const reason = single && found !== undefined ? await whyPaused(context, single) : undefined;
  const { settledByHand: hand, search } = single?.outcome ?? {};
  const isUnknown = line?.state === 'unknown';
  const isLikely = line?.evidence === 'failed' && before?.evidence !== 'failed' && !search?.asked;
  const bySelf = hand && sameActor(hand.by, request.requester);
  const isNews = before?.state === 'unknown' && (isUnknown ? isLikely : !bySelf);
  const tells = isNews ? 'paused' : undefined;
  await advance(
    context,
    { request, rollout: { ...rollout, paused: { ...(rollout.paused ?? paused), ...reason } } },
    { tells, note: reason?.why ?? paused.why },
  );
  return later;
}

/** @param next the line that a person may continue with */
function pause(context: RunnerContext, seen: Seen, reason: Why, next: number): Promise<Outcome> {
  const { request, rollout } = seen;
  const { why } = reason;
  if (rollout.stopping) return stop(context, seen, { by: rollout.stopping.by, why });
  const paused = pausedAnew(rollout, context.clock.now(), { ...reason, next });
  return advance(context, { request, rollout: paused }, { event: 'paused', note: why, tells: 'paused' });
}

const finish = (context: RunnerContext, seen: Seen): Promise<Outcome> =>
  advance(context, seen, { to: 'succeeded', event: 'ended', changes: { endedAt: context.clock.now() } });

function stop(
  context: RunnerContext,
  seen: Seen,
  { by, why }: { readonly by?: Actor | undefined; readonly why?: string | undefined },
): Promise<Outcome> {
  const endedAt = context.clock.now();
  const changes = { endedAt, note: why, ...(by && { decidedBy: by, decidedAt: endedAt }) };
  const tells = why === undefined ? undefined : 'stopped';
  return advance(context, seen, { to: 'cancelled', event: 'stopped', by, note: why, changes, tells });
}

interface StepDetails {
  readonly to?: State;
  readonly event?: AuditEvent;
  readonly by?: Actor | undefined;
  readonly note?: string | undefined;
  readonly changes?: RequestChanges;
  readonly tells?: Notice['kind'] | undefined;
}

const isKept = ({ request, rollout }: Seen): boolean => canonical(rollout) === canonical(request.rollout);

async function keep(context: RunnerContext, seen: Seen): Promise<void> {
  if (!isKept(seen)) await advance(context, seen);
}

/** If another replica was faster, the next check notices that. */
async function advance(
  context: RunnerContext,
  { request, rollout }: Seen,
  { to = request.state, event, by, note, changes, tells }: StepDetails = {},
): Promise<Outcome> {
  const word = stateWord({ state: to, rollout });
  const audit = event ? [stepEntry(context, event, request, word, { actor: by, note })] : [];
  const step = stepFrom(context, request, to, { ...changes, rollout }, audit);
  const notices = tells && [{ requestId: request.id, kind: tells, at: step.at, why: note }];
  const taken = await tryStep(context, notices ? { ...step, notices } : step);
  if (taken?.rollout?.paused) await showOnWaiting(context, taken);
  return soon;
}

/** The cards of waiting requests for the targets say where the rollout is, so they are drawn again. */
async function showOnWaiting({ store, clock }: RunnerContext, { id, target }: Request): Promise<void> {
  const keys = new Set(eachTarget(target).map((one) => targetKey(one)));
  const meets = (met: Target): boolean => eachTarget(met).some((one) => keys.has(targetKey(one)));
  await store.reconsider(meets, clock.now(), id);
}
