import { listedActor, samePerson, type Actor } from '../model/values/actor.ts';
import type { Decision } from '../model/values/decision.ts';
import { type Rules, within } from '../model/ports.ts';
import { rolesNow } from '../policy/authorize.ts';
import { anyone, listedIn, membershipIn } from '../policy/roles.ts';
import { counted, quotedOr } from '../text/words.ts';

/** Undefined if enough other people hold the approvers' roles, or if that can't be verified in time. */
export async function tooFewNote(
  context: Rules,
  { effect, approvers, approvals, approversAfter = [] }: Decision,
  requester: Actor,
): Promise<string | undefined> {
  if (effect !== 'approve') return undefined;
  const roles = [...new Set([...approvers, ...approversAfter.flatMap((later) => later.roles)])];
  const found = await within(context.clock, countWithinMs, () =>
    countUpTo(approvals, context, roles, requester),
  );
  if (found === undefined || found >= approvals) return undefined;
  const others = found === 0 ? 'No one else' : `Only ${counted(found, 'other person', 'other people')}`;
  const wanted = approvals === 1 ? 'approval' : `${approvals} approvals`;
  return `${others} can approve this now. It needs ${wanted} by ${quotedOr(roles)}. Cancel it, or ask the owner of bellhop.yaml for another approver.`;
}

/** In milliseconds. Short, because someone is waiting. */
const countWithinMs = 2000;

/** Or `most` if there are more. */
async function countUpTo(
  most: number,
  context: Rules,
  roles: readonly string[],
  requester: Actor,
): Promise<number> {
  const { directory, ownTeam } = context;
  const membersOf = async (group: string) => directory.members?.(group);
  const listed = listedIn(context.rulebook().policy.roles, roles);
  const groups = await Promise.all(listed.usergroups.map((group) => membersOf(group)));
  const given = listed.sources.map((source) => directory.membersOf(source).people);
  if (roles.includes(anyone) || groups.includes(undefined) || given.includes(undefined)) return most;
  const called = given.flatMap((people = []) => people.map(({ user }) => user));
  const ids = new Set([...listed.users, ...called, ...groups.flatMap((members = []) => members)]);
  let found = 0;
  for (const id of ids) {
    const actor = listedActor(id, ownTeam);
    if (samePerson(actor, requester)) continue;
    const { granting } = await rolesNow(context, actor);
    if (membershipIn(roles, granting) !== 'not held') found += 1;
    if (found >= most) break;
  }
  return found;
}
