import { type Actor, programTitle } from '../model/values/actor.ts';
import { itself } from '../model/rulebook/target.ts';
import { resolveTyped } from '../command/resolve.ts';
import type { Context } from '../model/ports.ts';
import { helpOverview } from '../command/grammar/help.ts';
import type { Explanation, Introspection, Reader } from '../model/introspection.ts';
import { applyRules, authorize, offeredNow, rolesNow } from '../policy/authorize.ts';
import { whoElseMay, whoHolds } from '../policy/denied.ts';
import { decide } from '../policy/policy.ts';
import { assertEach } from '../request/steps/healthy-again.ts';
import { isMember } from '../model/members.ts';
import { openItems } from './items.ts';
import { standingNow } from '../policy/standing.ts';
import { anyone, rolesThatAre, sourcesOf } from '../policy/roles.ts';

export function introspect(context: Context): Introspection {
  const { store } = context;
  return {
    events: context.events,
    async helpHere(actor, place) {
      const { entries, unsure } = await offeredNow(context, actor, place);
      return helpOverview(context, undefined, (entry) => entries.includes(entry), unsure);
    },
    explain: (caller, area, text, at) => explain(context, caller, area, text, at),
    openItems: (actor) => openItems(context, actor),
    requests: (filter) => store.list(filter),
    async linkTo(requestId) {
      try {
        const request = await store.find(requestId);
        return request && (await context.messages.link(request));
      } catch (error) {
        // One unreadable request must not break an answer about many.
        context.log.warn({ err: error, requestId }, 'a request could not be read for a link');
        return undefined;
      }
    },
    async nameOf(actor) {
      const program = programTitle(actor);
      return program ?? (await context.directory.person(actor))?.name;
    },
    async audit(reader, filter) {
      const seesAll = await maySeeReads(context, reader);
      return store.audit({ ...filter, privateTo: seesAll ? undefined : reader.actor });
    },
    holdsARole: (actor) => holdsARole(context, actor),
    firing: (limit) => store.firingOffers(limit),
    linkToMessage: async ({ id, channel, ts }) =>
      ts === undefined ? undefined : context.messages.link({ id, card: { channel, ts } }),
    lasting: (kind) => store.lasting(kind),
    status: () => context.status(),
    rulebook: () => context.rulebook(),
    membersOf: (source) => context.directory.membersOf(source),
    policy: async () => ({
      rulebook: context.rulebook(),
      status: (await context.status()).rules,
      standing: await standingNow(context),
    }),
  };
}

/** Whether the person certainly has a role of bellhop.yaml. Every full member is `anyone`. */
export const holdsARole = async (context: Context, actor: Actor): Promise<boolean> =>
  [...rolesThatAre('held', await rolesNow(context, actor))].some((role) => role !== anyone);

const auditName = 'bellhop.audit';

/** A rule for all reads does not cover other people's private reads. Only a rule that names the audit operation covers them. */
async function maySeeReads(context: Context, { actor, place }: Reader): Promise<boolean> {
  const { policy } = context.rulebook();
  const named = policy.rules.filter(({ operations }) => operations?.includes(auditName));
  const { effect } = decide(
    { ...policy, rules: named },
    {
      operation: { name: auditName, risk: 'read' },
      input: {},
      target: itself,
      team: actor.team,
      place,
      roles: await rolesNow(context, actor),
      now: context.clock.now(),
    },
  );
  return effect === 'allow';
}

async function explain(
  context: Context,
  caller: Reader,
  area: string,
  text: string,
  at: number | undefined,
): Promise<Explanation> {
  const command = resolveTyped(context.registry, context.rulebook().inventory, area, text);
  if (command.options.each) assertEach(context, command.entry);
  const { decision, roles } =
    at === undefined
      ? await authorize(context, command, caller)
      : await applyRules({ ...context, clock: { ...context.clock, now: () => at } }, command, caller);
  const { needed, approvers, effect, byRoles = [] } = decision;
  const { ownTeam } = context;
  return {
    decision,
    roles: rolesThatAre('held', roles),
    unknownRoles: rolesThatAre('unknown', roles),
    target: command.target,
    memberBy: sourcesOf(byRoles, roles).filter((one) => isMember(one, caller.actor, ownTeam) === 'held'),
    whoMay:
      effect === 'approve' ? whoHolds(context, approvers, [], caller.actor) : whoElseMay(context, needed),
  };
}
