import { sameActor, type Actor } from './actor.ts';
import type { Environment } from './environment.ts';
import { holdsAny } from './policy.ts';
import type { PressAction } from './press-types.ts';
import { openStates, type Request } from './request.ts';
import { rolesOf } from './roles.ts';

/** A request with the buttons that somebody may press on it, as far as can be told without judging it again. */
export interface Pressable {
  readonly request: Request;
  readonly actions: readonly PressAction[];
}

const mostOpen = 200;

/** Open requests that the actor asked for or may decide, newest first. */
export async function openRequests(environment: Environment, actor: Actor): Promise<readonly Pressable[]> {
  const roles = await heldRoles(environment, actor);
  const open = await environment.store.list({ states: openStates, limit: mostOpen });
  return open
    .map((request) => ({ request, actions: actionsFor(request, actor, roles) }))
    .filter(({ request, actions }) => actions.length > 0 || sameActor(request.requester, actor));
}

async function heldRoles(environment: Environment, actor: Actor): Promise<ReadonlySet<string>> {
  const { directory, ownTeam } = environment;
  const { policy } = environment.rulebook();
  return rolesOf(policy.roles, actor, await directory.person(actor), directory, ownTeam);
}

function actionsFor(request: Request, actor: Actor, roles: ReadonlySet<string>): readonly PressAction[] {
  const own = sameActor(request.requester, actor);
  if (request.state === 'proposed') return own ? ['confirm', 'cancel'] : [];
  if (request.state !== 'awaiting approval') return [];
  if (own) return ['cancel'];
  const approved = request.approvals.some(({ by }) => sameActor(by, actor));
  if (approved || !holdsAny(request.decision.approvers, roles)) return [];
  return ['approve', 'deny'];
}
