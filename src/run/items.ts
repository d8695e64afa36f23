import { sameActor, samePerson, type Actor } from '../model/actor.ts';
import type { Context } from '../model/ports.ts';
import { actionLabelOf } from '../command/grammar/registry.ts';
import type { Registry } from '../model/registry.ts';
import { rolesNow } from '../policy/authorize.ts';
import { holdsAny } from '../policy/match-rule.ts';
import { type ClickAction, openStates, type Request } from '../model/request.ts';
import { BellhopError } from '../model/errors.ts';
import type { Item, ItemButton } from '../model/report.ts';
import { canLook } from '../request/steps/run-context.ts';
import { anyone, rolesThatAre, type Memberships } from '../policy/roles.ts';

const mostOpen = 200;
const mostUnknown = 20;
/** An outcome that nobody settled for so long is history: the record has it. In milliseconds. */
const unknownForMs = 7 * 24 * 60 * 60_000;

/** Each link is a question to Slack. */
const mostLinked = 20;

/**
 * What waits: open requests of the actor, and those they may decide on, then those whose outcome is unknown, for whoever
 * holds any role: a guest or a stranger who is let in nowhere sees nothing. Newest first. Nothing is run from a list: a
 * request is looked at first.
 */
export async function openItems(context: Context, actor: Actor): Promise<readonly Item[]> {
  const { store, clock } = context;
  const [roles, mine, others, reviews, unknown] = await Promise.all([
    rolesNow(context, actor),
    store.list({ states: openStates, requester: actor, limit: mostOpen }),
    store.list({ states: openStates, limit: mostOpen }),
    store.openReviews(mostOpen),
    store.list({ states: ['unknown'], limit: mostUnknown }),
  ]);
  const waiting = [...mine, ...others.filter(({ requester }) => !sameActor(requester, actor))]
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .filter((request) => sameActor(request.requester, actor) || actionsFor(request, actor, roles).length > 0);
  const since = clock.now() - unknownForMs;
  const lost = unknown.filter(({ createdAt }) => createdAt >= since && isLetIn(roles));
  return [
    ...(await linkedItems(context, waiting)),
    ...(isLetIn(roles) ? reviews.map((request) => reviewItem(request, actor, roles)) : []),
    ...(await linkedItems(context, lost)),
  ];
}

const isLetIn = (roles: Memberships): boolean => rolesThatAre('held', roles).size > 0;

/** With what may be done about each, and with links to the first cards. */
const linkedItems = (context: Context, requests: readonly Request[]): Promise<readonly Item[]> =>
  Promise.all(
    requests.map(async (request, index) => ({
      ...requestItem(context.registry, request, buttonsFor(context, request)),
      link: index < mostLinked ? await context.messages.link(request) : undefined,
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

/** A request, and which of its buttons the actor may click, as far as can be told without authorizing again. */
export interface InspectedRequest {
  readonly request: Request;
  readonly actions: readonly ClickAction[];
}

/**
 * A request for its requester, its approvers and, where its outcome is unknown, for whoever holds any role.
 * @throws BellhopError for anybody else
 */
export async function inspectRequest(
  context: Context,
  actor: Actor,
  requestId: string,
): Promise<InspectedRequest> {
  const [request, roles] = await Promise.all([context.store.find(requestId), rolesNow(context, actor)]);
  const mayLook =
    request &&
    (sameActor(request.requester, actor) ||
      holdsAny(request.decision.approvers, roles) ||
      (request.state === 'unknown' && isLetIn(roles)));
  if (mayLook) return { request, actions: actionsFor(request, actor, roles) };
  throw new BellhopError('denied', 'This channel has no such request. Nothing was done.');
}

function reviewItem(request: Request, actor: Actor, roles: Memberships): Item {
  const { id, words, requester, review, startedAt, createdAt, breakGlass } = request;
  const may = !samePerson(requester, actor) && holdsAny([anyone, ...(review?.approvers ?? [])], roles);
  const close: ItemButton = { action: 'review', text: 'Close the review', value: id };
  return {
    title: words,
    state: 'review open',
    id,
    by: requester,
    at: startedAt ?? createdAt,
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
  if (samePerson(request.requester, actor) || !holdsAny(request.decision.approvers, roles)) return [];
  return approved ? ['deny'] : ['approve', 'deny'];
}

/** `Reboot web-1` of `reboot`, `Change raw logs of CDN account` of `change raw logs of`. */
function titleOf(verb: string, name: string): string {
  const words = verb.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${name}`;
}

/** A request as one of a list. */
export const requestItem = (
  registry: Registry,
  request: Request,
  buttons: readonly ItemButton[] = [],
): Item => ({
  title: titleOf(actionLabelOf(registry.find(request.operation), request), request.target.name),
  state: request.state,
  id: request.id,
  by: request.requester,
  at: request.createdAt,
  why: request.reason,
  buttons: [...buttons],
});
