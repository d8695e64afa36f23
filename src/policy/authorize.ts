import { type Actor, type Caller, type Person, type Place, programOf } from '../model/values/actor.ts';
import type { Rules, Secrets } from '../model/ports.ts';
import type { Entry } from '../model/registry.ts';
import { type ResolvedCommand, resolve, resolveEach } from '../command/resolve.ts';
import { decide, mightAllow } from './policy.ts';
import type { Decision } from '../model/values/decision.ts';
import type { Policy, Rulebook } from '../model/rulebook/rulebook.ts';
import { byGuards } from './guards.ts';
import { byLimits } from './limits.ts';
import { byLasting, restrictBy, type RestrictContext, type Restricted } from './restrict.ts';
import { answerOn, type Members, type SourceAnswer } from '../model/members.ts';
import { membershipIn, sourcesOf, rolesOf, rolesThatAre, unknownOf, type Memberships } from './roles.ts';
import { cannotTellAdvice, cannotTellText, DeniedError, lostGroupAdvice, namesOfPeople } from './denied.ts';
import { canonical } from '../model/records/audit.ts';
import { rescue } from '../model/values/errors.ts';
import { type Operation, riskOf } from '../model/operation.ts';
import { strictest } from './strictest.ts';
import { plainPart, type TextPart } from '../text/parts.ts';
import { quotedOr } from '../text/words.ts';
import type { Request } from '../model/records/request.ts';
import type { Requests } from '../model/records/requests.ts';
import { eachOptions, hasParts, remainingTargets, returnedIn } from '../model/records/whole.ts';
import { bindingFaults, faultsBefore } from './reach.ts';

export interface Authorization extends Restricted {
  readonly person: Person;
  readonly roles: Memberships;
  /** Used by the decision. For the audit log. */
  readonly answers?: readonly SourceAnswer[] | undefined;
}

/** In the order in which they apply. */
const restrictionsOf = ({ restrictions }: RestrictContext) => [
  ...restrictions.map(byLasting),
  byLimits,
  byGuards,
];

export async function authorize(
  context: Rules & RestrictContext,
  command: ResolvedCommand,
  caller: Asker,
): Promise<Authorization> {
  if (command.each) return forEach(command.each, (one) => authorize(context, one, caller));
  const ruled = await applyRules(context, command, caller);
  const { entry, target } = command;
  const { roles } = ruled;
  const change = {
    entry,
    target,
    requester: caller.actor,
    place: caller.place,
    roles,
    returned: caller.returned,
    isReader: caller.isReader,
  };
  return { ...ruled, ...(await restrictBy(restrictionsOf(context), context, change, ruled.decision)) };
}

async function forEach<T extends Restricted>(
  each: readonly ResolvedCommand[],
  decideOn: (command: ResolvedCommand) => Promise<T>,
): Promise<T> {
  const given = each.map(async (one) => ({ name: one.target.name, given: await decideOn(one) }));
  return strictest(await Promise.all(given), each[0]?.entry.operation.atOnce ? 'allow' : 'confirm');
}

interface Asker extends Pick<Caller, 'actor' | 'place'> {
  readonly isReader?: true;
  readonly returned?: ReadonlySet<string> | undefined;
}

/** Without restrictions, so the decision does not depend on earlier changes. */
export async function applyRules(
  context: Rules,
  command: ResolvedCommand,
  { actor, place }: Asker,
): Promise<Pick<Authorization, 'decision' | 'person' | 'roles' | 'answers'>> {
  if (command.each) return forEach(command.each, (one) => applyRules(context, one, { actor, place }));
  const { policy } = context.rulebook();
  const { person, roles } = await lookUp(context, policy, actor);
  const decision = decide(policy, {
    operation: operationInQuestion(command),
    input: command.effective,
    target: command.target,
    program: programOf(actor) && actor.user,
    team: actor.team,
    place,
    roles,
    breakGlass: command.options.breakGlass !== undefined,
    now: context.clock.now(),
  });
  const asked = decision.effect === 'deny' ? decision.needed.roles : (decision.byRoles ?? []);
  const answers = answersOn(context, actor, asked, roles);
  return { decision, person: person ?? stranger(actor), roles, answers };
}

/** For the audit log. */
const answersOn = (
  { ownTeam }: Pick<Rules, 'ownTeam'>,
  actor: Actor,
  asked: readonly string[],
  roles: Memberships,
): readonly SourceAnswer[] => sourcesOf(asked, roles).map((members) => answerOn(members, actor, ownTeam));

export function operationInQuestion({ entry: { operation }, input }: ResolvedCommand) {
  const risk = riskOf(operation, input);
  return {
    name: operation.name,
    risk,
    atOnce: operation.atOnce,
    escalatedBy: risk === operation.risk ? undefined : operation.escalatedBy,
  };
}

export async function rolesNow(context: Rules, actor: Actor): Promise<Memberships> {
  const { roles } = await lookUp(context, context.rulebook().policy, actor);
  return roles;
}

async function lookUp(
  { directory, ownTeam }: Pick<Rules, 'directory' | 'ownTeam'>,
  policy: Policy,
  actor: Actor,
) {
  if (programOf(actor)) return { person: undefined, roles: noRoles };
  const person = await directory.person(actor);
  const roles = await rolesOf(policy.roles, actor, person, directory, ownTeam);
  return { person, roles };
}

/** A program does not exist in Slack, so no role contains it and no look-up is needed. */
const noRoles: Memberships = { granting: new Map(), denying: new Map() };

/** For a program, and for a person who can't be looked up. Grants nothing, because roles are looked up separately. */
const stranger = (actor: Actor): Person => ({
  ...actor,
  fullMember: false,
  guest: false,
  active: false,
  timeZone: 'UTC',
});

/** Operations that some rule could allow the actor here, on at least one target. */
export const offered = async (context: Rules, actor: Actor, place: Place): Promise<readonly Entry[]> =>
  (await offeredNow(context, actor, place)).entries;

/** `unsure` says why operations may be missing, if a role of the person can't be verified now. */
export async function offeredNow(
  context: Rules,
  actor: Actor,
  place: Place,
): Promise<{ readonly entries: readonly Entry[]; readonly unsure: string | undefined }> {
  const { registry, clock } = context;
  const roles = await rolesNow(context, actor);
  const { policy } = context.rulebook();
  const { team } = actor;
  const question = {
    program: programOf(actor) && actor.user,
    team,
    place,
    roles,
    now: clock.now(),
  };
  const unknown = [...rolesThatAre('unknown', roles)];
  const advice = unknown.length === 0 ? undefined : cannotTellAdvice(context, unknown);
  const may = (operation: Operation): boolean => mightAllow(policy, { ...question, operation });
  return {
    entries: registry.entries.filter(({ operation }) => {
      const main = operation.offeredWith === undefined ? undefined : registry.find(operation.offeredWith);
      return may(operation) || (main !== undefined && may(main.operation));
    }),
    unsure: advice && `${cannotTellText(unknown)}, so commands may be missing here. ${advice}`,
  };
}

/**
 * Resolves to the answers of the roles' sources for the audit log.
 * @throws `refusal`, or another DeniedError if the roles can't be verified now
 */
export async function requireRole(
  context: Rules,
  actor: Actor,
  roles: readonly string[],
  refusal: DeniedError,
): Promise<readonly SourceAnswer[]> {
  const memberships = await rolesNow(context, actor);
  const { granting } = memberships;
  const membership = membershipIn(roles, granting);
  if (membership === 'held') return answersOn(context, actor, roles, memberships);
  if (membership === 'not held') throw refusal;
  const unknown = unknownOf(roles, granting);
  const text = `${cannotTellText(unknown)} (${quotedOr(unknown)}). ${cannotTellAdvice(context, unknown)} Nothing was done.`;
  throw new DeniedError(text, refusal.rule, refusal.whoMay, { retryable: true, by: refusal.by });
}

export type Reauthorization =
  | ({ readonly kind: 'authorized'; readonly command: ResolvedCommand } & Authorization)
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly said: readonly TextPart[];
      /** When to click again. The refusal is temporary and the request stays open. */
      readonly retry?: string | undefined;
      /** In epoch milliseconds. */
      readonly until?: number | undefined;
      readonly needed?: Decision['needed'] | undefined;
      readonly enders?: Decision['enders'];
    };

/**
 * The target must be unchanged, and the requester must still be allowed. Only the remaining targets are authorized.
 * @param returned the other parts of the same request whose targets were seen healthy again
 */
export async function reauthorize(
  context: Rules & RestrictContext & Secrets & { readonly store: Pick<Requests, 'list'> },
  entry: Entry,
  request: Request,
  returned = returnedIn(request),
): Promise<Reauthorization> {
  const { requester: actor, place } = request;
  const targets = remainingTargets(request);
  const names = targets.map(({ name }) => name);
  const command = resolveAgain(context.rulebook(), entry, request, names);
  const now = command?.each?.map((one) => one.target) ?? [command?.target];
  if (command === undefined || canonical(now) !== canonical(targets)) {
    return refusedFor(
      'The target or the input changed after this was shown. Run the command again to see the current ones.',
    );
  }
  const [fault] = [
    ...bindingFaults(context, entry, request.input),
    ...(await faultsBefore(context, entry, command.input)),
  ];
  if (fault) return refusedFor(fault.text);
  const authorization = await authorize(context, command, { actor, place, returned });
  const { decision } = authorization;
  const { effect, by, explanation, said, until, passes, cannotTell, unanswered, on, needed, enders } =
    decision;
  if (effect !== 'deny') return { kind: 'authorized', command, ...authorization };
  const refused = said
    ? { ...refusedFor([...said, '.']), reason: `${explanation}.` }
    : refusedFor(on === undefined ? `${explanation}.` : `${on}: ${explanation}.`);
  if (cannotTell || unanswered) {
    const again = `${cannotTell && needed.roles.length > 0 ? 'Slack may be down. ' : ''}Click again in a minute.`;
    return { ...refused, retry: lostGroupAdvice(context, needed.roles) ?? again };
  }
  if (passes) return { ...refused, retry: 'Click again once it is allowed.', until, enders };
  const members = sourcesOf(needed.roles, authorization.roles).map((one) => membersText(context, one));
  const where = on === undefined ? '' : ` on ${on}`;
  const why = [...(by.kind === 'none' ? [] : [`${explanation}.`]), ...(await Promise.all(members))];
  return { ...refusedFor([`The rules no longer allow it${where}.`, ...why].join(' ')), until, needed };
}

const refusedFor = (said: string | readonly TextPart[]) => {
  const parts = [said].flat();
  return { kind: 'refused', reason: parts.map(plainPart).join(''), said: parts } as const;
};

/** The requester may have been a member until just now. */
async function membersText(context: Rules, { kind, source, people = [] }: Members): Promise<string> {
  const actors = people.map(({ user }) => ({ team: context.ownTeam, user }));
  return kind.words.named(source, (await namesOfPeople(context, actors)) || 'no one');
}

/**
 * Undefined if the name has left the inventory or the input has become invalid, because it would no longer be the command that people saw.
 */
function resolveAgain(
  { inventory }: Rulebook,
  entry: Entry,
  request: Request,
  names: readonly string[],
): ResolvedCommand | undefined {
  const { input: values, reason, breakGlass } = request;
  const { pause } = eachOptions(request);
  const options = { reason, breakGlass };
  return rescue(
    () =>
      hasParts(request)
        ? resolveEach({ entry, values, options: { ...options, pause } }, names, inventory)
        : resolve({ entry, values, options }, inventory),
    (error) => {
      // The operation's own code is broken, so nothing is known about the target.
      if (error.code === 'configuration') throw error;
      return undefined;
    },
  );
}
