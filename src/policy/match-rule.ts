import type { Membership, Place } from '../model/values/actor.ts';
import type { Effect, Risk, Rule } from '../model/rulebook/rulebook.ts';
import type { Target } from '../model/rulebook/target.ts';
import { membershipIn, type Memberships } from './roles.ts';
import type { EffectiveValues } from '../command/resolve.ts';

export interface Question {
  /** The risk with this input, and the flag that raised it, if any. */
  readonly operation: {
    readonly name: string;
    readonly risk: Risk;
    readonly escalatedBy?: string | undefined;
  };
  readonly input: EffectiveValues;
  readonly target: Target;
  /** The agent that asks; undefined for a person. */
  readonly agent?: string | undefined;
  readonly team: string;
  readonly place: Place;
  /** The actor's roles, as far as they are known now. */
  readonly roles: Memberships;
  readonly breakGlass: boolean;
  readonly now: number;
}

/** Whether a rule applies to this question and its actor. */
export const matches = (rule: Rule, question: Question): Membership =>
  fits(rule, question) && inChannel(rule, question) ? byWhom(rule, question) : 'not held';

/** Whether the rule applies to the command, regardless of actor and channel. */
export const fits = (rule: Rule, question: Question): boolean =>
  (rule.agents === undefined) === (question.agent === undefined) &&
  (!rule.risk || rule.risk.includes(question.operation.risk)) &&
  (!rule.operations || rule.operations.some((pattern) => namesOperation(pattern, question.operation.name))) &&
  (!rule.labels || labelled(rule.labels, question.target)) &&
  (!rule.teams || rule.teams.includes(question.team)) &&
  Object.entries(rule.arguments ?? {}).every(([field, value]) =>
    hasArgument(question.input[field], value, rule.effect),
  );

/** A rule that allows something must name roles. No rule ever allows an agent to change anything. */
function byWhom({ roles, agents, effect }: Rule, question: Question): Membership {
  const { agent, operation } = question;
  if (agent !== undefined)
    return agents?.includes(agent) && effect === 'allow' && operation.risk === 'read' ? 'held' : 'not held';
  if (effect === 'deny') return roles ? membershipIn(roles, question.roles.denying) : 'held';
  return roles ? membershipIn(roles, question.roles.granting) : 'not held';
}

export const inChannel = (rule: Rule, question: Question): boolean =>
  !rule.channels || rule.channels.includes(question.place.channel);

export const namesOperation = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

export const labelled = (labels: Readonly<Record<string, string>>, target: Target): boolean =>
  Object.entries(labels).every(
    ([label, value]) => Object.hasOwn(target.labels, label) && target.labels[label] === value,
  );

function hasArgument(given: EffectiveValues[string] = [], wanted: string, effect: Effect): boolean {
  const same = (names: readonly string[]): boolean => names.includes(wanted);
  return effect === 'deny' ? given.some(same) : given.length > 0 && given.every(same);
}

/** Whether the actor certainly holds one of these roles. */
export const holdsAny = (wanted: readonly string[], roles: Memberships): boolean =>
  membershipIn(wanted, roles.granting) === 'held';
