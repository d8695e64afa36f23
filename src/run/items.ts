import { sameActor, samePerson, type Actor, type Place } from '../model/values/actor.ts';
import type { Context } from '../model/ports.ts';
import { actionLabelOf } from '../command/grammar/registry.ts';
import type { Registry } from '../model/registry.ts';
import { rolesNow } from '../policy/authorize.ts';
import {
  approversOf,
  type ClickAction,
  isWaiting,
  likelyWords,
  openStates,
  type Request,
  stateWord,
  wasDenied,
} from '../model/records/request.ts';
import { BellhopError } from '../model/values/errors.ts';
import type { OpenItems } from '../model/introspection.ts';
import type { RequestFilter, Requests } from '../model/records/requests.ts';
import type { Item, ItemButton } from '../model/values/report.ts';
import { shortName } from '../model/records/whole.ts';
import { capitalized } from '../text/words.ts';
import { canLook } from '../request/steps/step.ts';
import { rolesThatAre, type Memberships, holdsAny } from '../policy/roles.ts';

/** The most requests of a kind in a list. */
const most = 200;
/** The most requests of a kind that are read for a list. */
const maxRead = 2000;
const maxLinked = 20;

/**
 * Lists the actor's open requests and those that the actor may decide on, newest first. Unknown outcomes follow if the
 * actor has any role, so guests and strangers do not see them. Nothing is run from a list, because a request is
 * reviewed first.
 */
export async function openItems(context: Context, actor: Actor): Promise<OpenItems> {
  const { store } = context;
  const roles = await rolesNow(context, actor);
  const maySee = isLetIn(roles);
  const mayDecide = (request: Request): boolean =>
    !sameActor(request.requester, actor) && actionsFor(request, actor, roles).length > 0;
  const reader = { actor, holds: (wanted: readonly string[]) => holdsAny(wanted, roles) };
  const [mine, others, lists, unknown] = await Promise.all([
    newest(store, { states: openStates, requester: actor, whole: true }),
    newest(store, { states: openStates, whole: true }, mayDecide),
    Promise.all(maySee ? context.listings.map((list) => list(context, reader, most + 1)) : []),
    maySee ? newest(store, { states: ['unknown'] }) : none,
  ]);
  const listed = (request: Request): Item =>
    requestItem(context.registry, request, buttonsFor(context, request));
  const waiting = [...mine.found, ...others.found].toSorted((one, other) => other.createdAt - one.createdAt);
  return {
    items: [
      ...(await linked(context, waiting, listed)),
      ...(
        await Promise.all(
          lists.map(({ requests, itemOf }) => linked(context, requests.slice(0, most), itemOf)),
        )
      ).flat(),
      ...(await linked(context, unknown.found, listed)),
    ],
    more: mine.more || others.more || unknown.more || lists.some(({ requests }) => requests.length > most),
  };
}

const none = { found: [], more: false };

/** Filters each page first, so that the requests of others don't fill the list. */
async function newest(
  store: Pick<Requests, 'list'>,
  filter: Omit<RequestFilter, 'limit' | 'before'>,
  isListed: (request: Request) => boolean = () => true,
): Promise<{ readonly found: readonly Request[]; readonly more: boolean }> {
  const found: Request[] = [];
  let before: Request | undefined;
  for (let read = 0; read < maxRead; read += most) {
    const page = await store.list({ ...filter, before, limit: most });
    before = page.at(-1);
    found.push(...page.filter(isListed));
    if (found.length > most) return { found: found.slice(0, most), more: true };
    if (!before) return { found, more: false };
  }
  return { found, more: true };
}

const isLetIn = (roles: Memberships): boolean => rolesThatAre('held', roles).size > 0;

/**
 * Lists requests. Each link to a card is a call to Slack, so only the first requests have one. The Home tab shows fewer
 * requests than that. In `/bellhop requests`, the other requests still have their buttons.
 */
export const linked = (
  context: Context,
  requests: readonly Request[],
  itemOf: (request: Request) => Item,
): Promise<readonly Item[]> =>
  Promise.all(
    requests.map(async (request, index) => ({
      ...itemOf(request),
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
  throw new BellhopError('denied', "That request doesn't exist, or you can't see it.");
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
  const words = actionLabelOf(registry.find(request.operation), request);
  return `${capitalized(words)} ${shortName(request)}`;
}

/** A direct message has no name to show. */
const namedChannel = ({ channel }: Place): string | undefined =>
  /^[CG]/u.test(channel) ? channel : undefined;

/** A requester who cancels needs no reason. Someone else cancels a request by replacing it. */
function refusalOf(request: Request): Item['refusal'] {
  const { state, requester, decidedBy, note = '' } = request;
  if (state === 'refused') return { by: wasDenied(request) ? decidedBy : undefined, note };
  return state === 'cancelled' && decidedBy && !sameActor(decidedBy, requester)
    ? { by: decidedBy, note }
    : undefined;
}

export const requestItem = (
  registry: Registry,
  request: Request,
  buttons: readonly ItemButton[] = [],
): Item => ({
  title: titleIn(registry, request),
  state: stateWord(request),
  likely: likelyWords(request),
  id: request.id,
  by: request.requester,
  at: request.createdAt,
  until: isWaiting(request) ? request.expiresAt : undefined,
  channel: namedChannel(request.place),
  why: request.reason,
  refusal: refusalOf(request),
  buttons: [...buttons],
});
