import { sameActor, samePerson, type Actor, type Place } from '../model/values/actor.ts';
import type { Context } from '../model/ports.ts';
import { actionLabelOf } from '../command/grammar/registry.ts';
import type { Registry } from '../model/registry.ts';
import { rolesNow } from '../policy/authorize.ts';
import {
  approversOf,
  type ClickAction,
  openStates,
  type Request,
  stateWord,
} from '../model/records/request.ts';
import { BellhopError } from '../model/values/errors.ts';
import type { Item, ItemButton } from '../model/values/report.ts';
import { canLook } from '../request/steps/step.ts';
import { anyone, rolesThatAre, type Memberships, holdsAny } from '../policy/roles.ts';

const maxOpen = 200;
const maxUnknown = 20;
/** In milliseconds. Older unknown outcomes are only in the audit log. */
const unknownForMs = 7 * 24 * 60 * 60_000;

const maxLinked = 20;

/**
 * Lists the actor's open requests and those that the actor may decide on, newest first. Unknown outcomes follow if the
 * actor has any role, so guests and strangers do not see them. Nothing is run from a list, because a request is
 * reviewed first.
 */
export async function openItems(context: Context, actor: Actor): Promise<readonly Item[]> {
  const { store, clock } = context;
  const [roles, mine, others, reviews, unknown] = await Promise.all([
    rolesNow(context, actor),
    store.list({ states: openStates, requester: actor, whole: true, limit: maxOpen }),
    store.list({ states: openStates, whole: true, limit: maxOpen }),
    store.openReviews(maxOpen),
    store.list({ states: ['unknown'], limit: maxUnknown }),
  ]);
  const waiting = [...mine, ...others.filter(({ requester }) => !sameActor(requester, actor))]
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .filter((request) => sameActor(request.requester, actor) || actionsFor(request, actor, roles).length > 0);
  const since = clock.now() - unknownForMs;
  const lost = unknown.filter(({ createdAt }) => createdAt >= since && isLetIn(roles));
  return [
    ...(await linkedItems(context, waiting)),
    ...(isLetIn(roles) ? reviews.map((request) => reviewItem(context.registry, request, actor, roles)) : []),
    ...(await linkedItems(context, lost)),
  ];
}

const isLetIn = (roles: Memberships): boolean => rolesThatAre('held', roles).size > 0;

/** Lists requests with their buttons. Only the first ones get a link to their card, because each link is a call to Slack. */
const linkedItems = (context: Context, requests: readonly Request[]): Promise<readonly Item[]> =>
  Promise.all(
    requests.map(async (request, index) => ({
      ...requestItem(context.registry, request, buttonsFor(context, request)),
      link: index < maxLinked ? await context.messages.link(request) : undefined,
    })),
  );

function buttonsFor(
  context: Pick<Context, 'registry' | 'rulebook'>,
  { id: value, state, operation }: Request,
): readonly ItemButton[] {
  const inspect: ItemButton = { action: 'inspect', text: 'Review…', value };
  if (state !== 'unknown') return [inspect];
  const entry = context.registry.find(operation);
  const check: ItemButton = { action: 'check', text: 'Check now', value };
  const settle: ItemButton = { action: 'settle', text: 'Settle…', value };
  return [inspect, ...(entry && canLook(context, entry) ? [check] : []), settle];
}

/** A request, and the buttons that the actor may click, as far as Bellhop knows without authorizing again. */
export interface InspectedRequest {
  readonly request: Request;
  readonly actions: readonly ClickAction[];
}

/** @throws BellhopError for anyone but the requester, the approvers and, if the outcome is unknown, people with a role */
export async function inspectRequest(
  context: Context,
  actor: Actor,
  requestId: string,
): Promise<InspectedRequest> {
  const [request, roles] = await Promise.all([context.store.find(requestId), rolesNow(context, actor)]);
  const mayLook =
    request &&
    (sameActor(request.requester, actor) ||
      holdsAny(approversOf(request.decision), roles) ||
      (request.state === 'unknown' && isLetIn(roles)));
  if (mayLook) return { request, actions: actionsFor(request, actor, roles) };
  throw new BellhopError('denied', "That request doesn't exist, or you can't see it. Nothing was done.");
}

function reviewItem(registry: Registry, request: Request, actor: Actor, roles: Memberships): Item {
  const { id, requester, review, place, startedAt, createdAt, breakGlass } = request;
  const may = !samePerson(requester, actor) && holdsAny([anyone, ...(review?.approvers ?? [])], roles);
  const close: ItemButton = { action: 'review', text: 'Close the review', value: id };
  return {
    title: titleIn(registry, request),
    state: 'review open',
    id,
    by: requester,
    at: startedAt ?? createdAt,
    channel: namedChannel(place),
    why: breakGlass,
    buttons: may ? [close] : [],
  };
}

function actionsFor(request: Request, actor: Actor, roles: Memberships): readonly ClickAction[] {
  const own = sameActor(request.requester, actor);
  if (request.state === 'proposed') return own ? ['confirm', 'cancel'] : [];
  if (request.state !== 'awaiting approval') return [];
  if (own) return ['cancel'];
  const approved = request.approvals.some(({ by }) => samePerson(by, actor));
  if (samePerson(request.requester, actor) || !holdsAny(approversOf(request.decision), roles)) return [];
  return approved ? ['deny'] : ['approve', 'deny'];
}

/** Returns a title such as `Reboot web-1` or `Change the event on media/videos`. */
function titleIn(registry: Registry, request: Request): string {
  const words = actionLabelOf(registry.find(request.operation), request).replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${request.target.name}`;
}

const awaitsDecision = ({ state }: Request): boolean => state === 'proposed' || state === 'awaiting approval';

/** A direct message has no name to show. */
const namedChannel = ({ channel }: Place): string | undefined =>
  /^[CG]/u.test(channel) ? channel : undefined;

export const requestItem = (
  registry: Registry,
  request: Request,
  buttons: readonly ItemButton[] = [],
): Item => ({
  title: titleIn(registry, request),
  state: stateWord(request),
  id: request.id,
  by: request.requester,
  at: request.createdAt,
  until: awaitsDecision(request) ? request.expiresAt : undefined,
  channel: namedChannel(request.place),
  why: request.reason,
  buttons: [...buttons],
});
