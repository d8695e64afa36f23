import { listedActor, samePerson, type Actor, type Person } from '../model/actor.ts';
import { effectiveValues } from './effective-values.ts';
import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { decide, type Decision, type Policy } from './policy.ts';
import { applyLimitsAndGuards, type LimitedDecision } from './limits-and-guards.ts';
import { membershipIn, rolesOf, unknownOf, type Memberships } from './roles.ts';
import type { WhoMay } from './who-may.ts';

export interface Authorization extends LimitedDecision {
  readonly person: Person;
  readonly roles: Memberships;
}

/** Who the actor is now, which roles that gives, and what the rules of this moment say. */
export async function authorize(context: Context, of: AuthorizationRequest): Promise<Authorization> {
  const { clock } = context;
  const { policy } = context.rulebook();
  const { person, roles } = await lookUp(context, policy, of.actor);
  const ruled = decide(policy, {
    operation: of.entry.operation,
    input: effectiveValues(of.entry.operation.input, of.input, of.target),
    target: of.target,
    team: of.actor.team,
    place: of.place,
    roles,
    breakGlass: of.breakGlass,
    now: clock.now(),
  });
  const restrained = await applyLimitsAndGuards(context, of, context.ids.correlation(), ruled);
  return { ...restrained, person: person ?? stranger(of.actor), roles };
}

/** What is known of somebody's roles at this moment. */
export async function rolesNow(context: Context, actor: Actor): Promise<Memberships> {
  const { roles } = await lookUp(context, context.rulebook().policy, actor);
  return roles;
}

async function lookUp({ directory, ownTeam }: Context, policy: Policy, actor: Actor) {
  const person = await directory.person(actor);
  const roles = await rolesOf(policy.roles, actor, person, directory, ownTeam);
  return { person, roles };
}

/** Someone the directory does not know: no full member, so only rules that list the id let them in. */
const stranger = (actor: Actor): Person => ({ ...actor, fullMember: false, guest: false, timeZone: 'UTC' });

/** A refusal by policy, or a click by somebody it is not for. */
export class DeniedError extends BellhopError {
  override readonly name = 'DeniedError';
  readonly rule: string;
  readonly whoMay: WhoMay;

  /** @param options retryable: it may pass by itself; until: when it does */
  constructor(
    message: string,
    rule: string,
    whoMay: WhoMay,
    options: { readonly retryable?: boolean; readonly until?: number | undefined } = {},
  ) {
    super('denied', message, options);
    this.rule = rule;
    this.whoMay = whoMay;
  }
}

/** The people behind role names, as `bellhop.yaml` lists them, without the one for whom somebody else is sought. */
export function whoHolds(
  context: Context,
  roles: readonly string[],
  channels: readonly string[] = [],
  other?: Actor,
): WhoMay {
  const listed = roles.flatMap((name) => context.rulebook().policy.roles[name] ?? []);
  const others = listed
    .flatMap((role) => role.users)
    .filter((user) => !other || !samePerson(listedActor(user, context.ownTeam), other));
  return {
    roles,
    users: [...new Set(others)],
    usergroups: [...new Set(listed.flatMap((role) => role.usergroups))],
    channels,
  };
}

export function denied(context: Context, of: AuthorizationRequest, decision: Decision): DeniedError {
  const { operation } = of.entry;
  const what = operation.risk === 'read' ? operation.name : `${operation.name} on ${of.target.name}`;
  const { explanation, needed, until, cannotTell = false } = decision;
  const text = cannotTell
    ? `Bellhop cannot tell now who you are, so ${what} was not run. ${explanation}. ${cannotTellAdvice}`
    : `You may not run ${what} here. ${explanation}. Nothing was done.`;
  const whoMay = whoHolds(context, needed.roles, needed.channels);
  return new DeniedError(text, decision.rule, whoMay, { retryable: cannotTell, until });
}

/** What to do where somebody cannot be looked up. */
export const cannotTellAdvice =
  'Try again in a minute; if it stays so, ask whoever keeps bellhop.yaml to check its user groups. Nothing was done.';

/** Lets only holders of one of these roles pass. @throws DeniedError with `refusal`, or that it cannot be told now */
export async function requireRole(
  context: Context,
  actor: Actor,
  roles: readonly string[],
  refusal: DeniedError,
): Promise<void> {
  const { granting } = await rolesNow(context, actor);
  const membership = membershipIn(roles, granting);
  if (membership === 'held') return;
  if (membership === 'not held') throw refusal;
  const whom = unknownOf(roles, granting).join(' or ');
  const text = `Bellhop cannot tell now who you are: who belongs to ${whom} cannot be looked up. ${cannotTellAdvice}`;
  throw new DeniedError(text, refusal.rule, refusal.whoMay, { retryable: true });
}
