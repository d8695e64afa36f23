import type { Context, RunnerContext } from '../model/ports.ts';
import { isOpen, openStates, type Request, type Rollout, stateWord } from '../model/records/request.ts';
import { remainingTargets } from '../model/records/whole.ts';
import { asOne, type Target, targetKey } from '../model/rulebook/target.ts';
import { listedActor } from '../model/values/actor.ts';
import { namesOfPeople } from '../policy/denied.ts';
import { standingNow } from '../policy/standing.ts';
import type { TextPart } from '../text/parts.ts';

type Pause = NonNullable<Rollout['paused']>;

/** Why a rollout is paused. */
export type Why = Pick<Pause, 'why' | 'said' | 'barredBy' | 'inTheWay'>;

/** Resolves to undefined unless a restriction, such as a hold, denies the change of one of these targets now. */
export async function whyBarred(
  context: RunnerContext,
  { requester, place }: Request,
  targets: readonly Target[],
): Promise<Why | undefined> {
  for (const target of targets) {
    const [first] = await standingNow(context, { target, requester, place });
    if (!first) continue;
    const barredBy = `${first.noun} on ${target.name}`;
    const said = await withNames(context, place.team, [...first.said, '.']);
    return { why: `The ${barredBy} was in the way.`, said, barredBy };
  }
  return undefined;
}

/** Resolves to undefined unless what was in the way has ended: another request, or the restrictions, once none of them is left. */
export async function whyFreed(
  context: RunnerContext,
  request: Request,
  { inTheWay, barredBy }: Pause,
): Promise<Why | undefined> {
  if (barredBy !== undefined) {
    const why = `The ${barredBy} has ended`;
    const how = await howEnded(context, request);
    return { why: `${why}.`, said: [why, ...(how ? [' (', ...how, ')'] : []), '.'] };
  }
  const other = inTheWay === undefined ? undefined : await context.store.find(inTheWay);
  if (!other || isOpen(other.state)) return undefined;
  return whyOf(context, `The other request for ${other.target.name} has ended`, other);
}

const mostRead = 100;

/**
 * Resolves to what the card does not show when a person presses *Continue*: an open request for the next target, or someone else's change of a
 * remaining target during the pause.
 */
export async function newsIn(context: Context, whole: Request, { at }: Pause): Promise<Why | undefined> {
  const keys = remainingTargets(whole).map((one) => targetKey(one));
  const all = await context.store.list({ states: [...openStates, 'succeeded'], limit: mostRead });
  const others = all.filter(({ id, partOf }) => id !== whole.id && partOf !== whole.id);
  const open = others.find((one) => isOpen(one.state) && one.targetKey === keys[0]);
  if (open) {
    const { name } = open.target;
    return { ...(await whyOf(context, `${name} has an open request`, open)), inTheWay: open.id };
  }
  const changed = others.find(({ endedAt = 0, targetKey: key }) => endedAt > at && keys.includes(key));
  if (!changed) return undefined;
  const { name } = changed.target;
  return whyOf(context, `${name} was changed during the pause`, changed, `Continue changes ${name} again.`);
}

async function whyOf(
  context: Pick<Context, 'directory'>,
  lead: string,
  other: Request,
  rest = '',
): Promise<Pick<Pause, 'why' | 'said'>> {
  const { words, requester, endedAt } = other;
  const why = `${lead}: ${words} by ${await namesOfPeople(context, [requester])}, ${stateWord(other)}`;
  const end = rest === '' ? '.' : `. ${rest}`;
  return { why: why + end, said: [why, ...(endedAt === undefined ? [] : [' on ', { at: endedAt }]), end] };
}

async function howEnded(context: RunnerContext, request: Request): Promise<readonly TextPart[] | undefined> {
  const { requester, place } = request;
  const target = asOne(remainingTargets(request), '') ?? request.target;
  for (const { kind, ended } of context.restrictions) {
    const how = ended?.(await context.store.lasting(kind), { target, requester });
    if (how) return withNames(context, place.team, how);
  }
  return undefined;
}

/** A mention in the thread would notify a person who has nothing to decide there. */
const withNames = (context: RunnerContext, team: string, parts: readonly TextPart[]): Promise<TextPart[]> =>
  Promise.all(
    parts.map(async (part) =>
      typeof part !== 'string' && 'person' in part
        ? (part.name ?? (await namesOfPeople(context, [listedActor(part.person, team)])))
        : part,
    ),
  );
