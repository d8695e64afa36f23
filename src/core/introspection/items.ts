import { riskOf } from '../model/operation.ts';
import { sameActor, samePerson, type Actor } from '../model/actor.ts';
import type { IntrospectionContext } from '../context.ts';
import { actionLabelOf, type Registry } from '../registry.ts';
import { rolesNow } from '../policy/authorize.ts';
import { holdsAny } from '../policy/match-rule.ts';
import { type ClickAction, openStates, type Request } from '../request/request.ts';
import type { Item, ItemButton } from '../model/report.ts';
import type { Review } from '../review/review.ts';
import { anyone, rolesThatAre, type Memberships } from '../policy/roles.ts';

const mostOpen = 200;
const mostUnknown = 20;
/** An outcome that nobody settled for so long is history: the record has it. In milliseconds. */
const unknownForMs = 7 * 24 * 60 * 60_000;

/**
 * What waits: open requests of the actor, and those they may decide on, then those whose outcome is unknown, for whoever
 * holds any role: a guest or a stranger who is let in nowhere sees nothing. Newest first, each with the buttons that
 * the actor may click, as far as can be told without authorizing again.
 */
export async function openItems(context: IntrospectionContext, actor: Actor): Promise<readonly Item[]> {
  const { registry, store, clock } = context;
  const [roles, mine, others, reviews, unknown] = await Promise.all([
    rolesNow(context, actor),
    store.list({ states: openStates, requester: actor, limit: mostOpen }),
    store.list({ states: openStates, limit: mostOpen }),
    store.openReviews(mostOpen),
    store.list({ states: ['unknown'], limit: mostUnknown }),
  ]);
  const waiting = [...mine, ...others.filter(({ requester }) => !sameActor(requester, actor))]
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .map((request) => ({ request, actions: actionsFor(request, actor, roles) }))
    .filter(({ request, actions }) => actions.length > 0 || sameActor(request.requester, actor));
  const since = clock.now() - unknownForMs;
  const letIn = rolesThatAre('held', roles).size > 0;
  return [
    ...waiting.map(({ request, actions }) => requestItem(registry, request, actions)),
    ...(letIn ? reviews.map((review) => reviewItem(review, actor, roles)) : []),
    ...unknown
      .filter(({ createdAt }) => createdAt >= since && letIn)
      .map((request) => requestItem(registry, request, [])),
  ];
}

function reviewItem(review: Review, actor: Actor, roles: Memberships): Item {
  const may = !samePerson(review.openedBy, actor) && holdsAny([anyone, ...review.approvers], roles);
  const close = {
    action: 'review',
    text: 'Close the review',
    value: review.requestId,
    severity: 'none',
  } as const;
  return {
    title: review.words,
    state: 'review open',
    id: review.requestId,
    by: review.openedBy,
    at: review.openedAt,
    why: review.reason,
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

/** A request as one of a list. One whose outcome is unknown can be run again. */
export function requestItem(registry: Registry, request: Request, actions: readonly ClickAction[]): Item {
  const entry = registry.find(request.operation);
  const title = titleOf(actionLabelOf(entry, request), request.target.name);
  const risk = entry ? riskOf(entry.operation, request.input) : 'destructive';
  const severities: Partial<Record<ClickAction, ItemButton['severity']>> = {
    confirm: risk === 'read' ? 'none' : risk,
    approve: 'change',
  };
  const buttons = actions.map((action): ItemButton => {
    const text = action === 'confirm' ? title : texts[action];
    return { action, text, value: request.id, severity: severities[action] ?? 'none' };
  });
  const again: ItemButton = { action: 'again', text: 'Run it again', value: request.id, severity: 'none' };
  return {
    title,
    state: request.state,
    id: request.id,
    by: request.requester,
    at: request.createdAt,
    ...(request.reason === undefined ? {} : { why: request.reason }),
    buttons: request.state === 'unknown' && entry ? [again] : buttons,
  };
}

const texts: Readonly<Record<Exclude<ClickAction, 'confirm'>, string>> = {
  cancel: 'Cancel',
  approve: 'Approve',
  deny: 'Deny',
};
