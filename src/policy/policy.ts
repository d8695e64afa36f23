import { capitalized, quotedOr } from '../text/words.ts';
import type { Membership, Place } from '../model/values/actor.ts';
import {
  type Effect,
  type Freeze,
  type Policy,
  type Risk,
  type Rule,
  namesOperation,
} from '../model/rulebook/rulebook.ts';
import { byKind } from '../model/members.ts';
import { membershipIn, sourcesOf, type Memberships, holdsAny, unknownOf } from './roles.ts';
import type { DecidedBy, Decision } from '../model/values/decision.ts';
import { itself, labelled, type Target } from '../model/rulebook/target.ts';
import type { EffectiveValues } from '../command/resolve.ts';

/** The facts that the rules judge: who wants to do what, with which input, to which target, and where. */
export interface Question {
  /** `risk` is the risk of the operation with this input. `escalatedBy` is the flag that raised the risk, if any. */
  readonly operation: {
    readonly name: string;
    readonly risk: Risk;
    readonly escalatedBy?: string | undefined;
    readonly atOnce?: true | undefined;
  };
  readonly input: EffectiveValues;
  readonly target: Target;
  /** Undefined for a person. */
  readonly program?: string | undefined;
  readonly team: string;
  readonly place: Place;
  readonly roles: Memberships;
  /** Default: no. */
  readonly breakGlass?: boolean | undefined;
  readonly now: number;
}

/**
 * A freeze comes first, then the first matching rule. Denies if no rule matches, or if it is unknown whether one does, because the rules
 * below it may be looser. Pure.
 */
export function decide(policy: Policy, question: Question): Decision {
  for (const [index, freeze] of policy.freeze.entries())
    if (isFrozen(freeze, question)) return frozenDecision(freeze, index, question);
  for (const [index, rule] of policy.rules.entries())
    if (matches(rule, question) !== 'not held')
      return decideBy(rule, { kind: 'rule', index, title: ruleTitle(policy.rules, index) }, policy, question);
  return denial({ kind: 'none', title: 'no rule' }, 'No rule allows it', policy, question);
}

const matches = (rule: Rule, question: Question): Membership =>
  fits(rule, question) && inChannel(rule, question) ? byWhom(rule, question) : 'not held';

const fits = (rule: Rule, question: Question): boolean =>
  (rule.programs === undefined) === (question.program === undefined) &&
  isFor(rule, question.operation, question.target) &&
  (!rule.teams || rule.teams.includes(question.team)) &&
  Object.entries(rule.arguments ?? {}).every(([field, value]) =>
    hasArgument(question.input[field], value, rule.effect),
  );

/** With any person and any input. */
export const isFor = (rule: Rule, { name, risk, atOnce }: Question['operation'], target: Target): boolean =>
  (!atOnce || rule.effect === 'deny' || rule.operations?.includes(name) === true) &&
  (!rule.risk || rule.risk.includes(risk)) &&
  (!rule.operations || rule.operations.some((pattern) => namesOperation(pattern, name))) &&
  (!rule.labels || labelled(rule.labels, target));

/** A rule that allows people something must name roles. A rule for programs names programs, and never allows a change. */
function byWhom({ roles, programs, effect }: Rule, question: Question): Membership {
  const { program, operation } = question;
  if (program !== undefined)
    return programs?.includes(program) && effect === 'allow' && operation.risk === 'read' && !operation.atOnce
      ? 'held'
      : 'not held';
  if (effect === 'deny') return roles ? membershipIn(roles, question.roles.denying) : 'held';
  return roles ? membershipIn(roles, question.roles.granting) : 'not held';
}

const inChannel = (rule: Rule, question: Question): boolean =>
  !rule.channels || rule.channels.includes(question.place.channel);

function hasArgument(given: EffectiveValues[string] = [], wanted: string, effect: Effect): boolean {
  const same = (names: readonly string[]): boolean => names.includes(wanted);
  return effect === 'deny' ? given.some(same) : given.length > 0 && given.every(same);
}

interface Decider extends DecidedBy {
  readonly title: string;
}

export const decidedBy = ({ title, ...by }: Decider): Pick<Decision, 'by' | 'rule'> => ({ by, rule: title });

/** For example `rule “production”`, or `rule 3` without a name. */
export function ruleTitle(rules: readonly Rule[], index: number): string {
  const name = rules[index]?.name;
  return name === undefined ? `rule ${index + 1}` : `rule “${name}”`;
}

function decideBy(rule: Rule, by: Decider, policy: Policy, question: Question): Decision {
  if (rule.effect !== 'deny') return allowedBy(rule, by, question);
  const title = capitalized(by.title);
  if (matches(rule, question) === 'held') return denial(by, `${title} denies it`, policy, question);
  return {
    ...cannotTell(by, `${title} denies it to`, rule.roles, question.roles.denying),
    needed: noOne,
  };
}

function allowedBy(rule: Rule, by: Decider, question: Question): Decision {
  const title = capitalized(by.title);
  const { granting } = question.roles;
  if (matches(rule, question) === 'unknown') return cannotTell(by, `${title} is for`, rule.roles, granting);
  const breaks = question.breakGlass === true && rule.effect === 'approve';
  const mayBreak = breaks ? membershipIn(rule.breakGlass, granting) : 'not held';
  if (mayBreak === 'unknown') return cannotTell(by, `${title} can be skipped by`, rule.breakGlass, granting);
  const broken = mayBreak === 'held';
  const flag = unnamedFlag(rule, question);
  if (flag !== undefined) return escalated(rule, by, flag);
  return {
    effect: broken ? 'confirm' : effectOn(question.operation.risk, rule),
    ...decidedBy(by),
    explanation: broken ? `${title}, approval skipped by break-glass` : title,
    approvers: rule.approvers,
    approvals: rule.approvals,
    approversAfter: rule.approversAfter,
    typeName: rule.typeName,
    demands: rule.demands,
    approvalSkipped: broken,
    breakGlass: rule.effect === 'approve' ? rule.breakGlass : undefined,
    byRoles: [...(rule.roles ?? []), ...(broken ? rule.breakGlass : [])],
    needed: noOne,
  };
}

const unnamedFlag = (rule: Rule, { operation: { escalatedBy } }: Question): string | undefined =>
  escalatedBy === undefined || rule.effect === 'approve' || Object.hasOwn(rule.arguments ?? {}, escalatedBy)
    ? undefined
    : escalatedBy;

/** A flag that raises the risk needs an approval by someone else whom the rule allows, so the rule need not name approvers. */
const escalated = ({ roles = [], typeName, demands }: Rule, by: Decider, flag: string): Decision => ({
  effect: 'approve',
  ...decidedBy(by),
  explanation: `--${flag} needs approval (${by.title})`,
  note: `--${flag} needs someone else's approval (${by.title}).`,
  approvers: roles,
  approvals: 1,
  typeName,
  demands,
  byRoles: roles,
  needed: noOne,
});

/**
 * With `allow`, a read runs at once. A change is confirmed first, unless the rule says `confirm: never`.
 */
const effectOn = (risk: Risk, { effect, confirmNever = false }: Rule): Effect =>
  effect === 'allow' && risk !== 'read' && !confirmNever ? 'confirm' : effect;

export type OpenQuestion = Omit<Question, 'target' | 'input'>;

const onSomeTarget = (question: OpenQuestion): Question => ({
  ...question,
  input: {},
  target: itself,
});

/**
 * Whether some rule could allow these roles to run the operation in this place, on at least one target. For help, not
 * for permission.
 */
export function mightAllow(policy: Policy, open: OpenQuestion): boolean {
  const question = onSomeTarget(open);
  // An allowing rule counts if it matches any target. A denying rule counts only if it matches every target.
  const decides = (rule: Rule): boolean =>
    lets(onAnyTarget(rule), question) || (isOnEveryTarget(rule) && matches(rule, question) !== 'not held');
  const first = policy.rules.find(decides);
  return first !== undefined && lets(onAnyTarget(first), question);
}

const lets = (rule: Rule, question: Question): boolean =>
  rule.effect !== 'deny' && matches(rule, question) === 'held';

const onAnyTarget = (rule: Rule): Rule => ({ ...rule, labels: undefined, arguments: undefined });

const isOnEveryTarget = (rule: Rule): boolean => !rule.labels && !rule.arguments;

/**
 * The requirements of the rules that could allow the operation on at least one target. For a denial without a target.
 */
export function neededSomewhere(policy: Policy, open: OpenQuestion): Decision {
  const rules = policy.rules
    .filter((rule) => rule.effect !== 'deny' || isOnEveryTarget(rule))
    .map((rule) => onAnyTarget(rule));
  return decide({ ...policy, rules, freeze: [] }, onSomeTarget(open));
}

function isFrozen(freeze: Freeze, question: Question): boolean {
  return (
    question.operation.risk !== 'read' &&
    question.now >= freeze.from &&
    question.now < freeze.to &&
    labelled(freeze.labels, question.target) &&
    !holdsAny(freeze.except, question.roles)
  );
}

function frozenDecision(freeze: Freeze, index: number, question: Question): Decision {
  const why = freeze.reason === undefined ? '' : `: ${freeze.reason}`;
  const text = `Frozen${why}`;
  const by = { kind: 'freeze', index, title: `freeze ${index + 1}` } as const;
  const decision =
    membershipIn(freeze.except, question.roles.granting) === 'unknown'
      ? cannotTell(by, `${text}, except for`, freeze.except, question.roles.granting)
      : denialBy(by, text, { roles: freeze.except, channels: [] });
  return { ...decision, until: freeze.to };
}

/** A temporary denial. More may be allowed once the roles can be looked up again. */
function cannotTell(
  by: Decider,
  start: string,
  roles: readonly string[] = [],
  memberships: ReadonlyMap<string, Membership>,
): Decision {
  const unknown = unknownOf(roles, memberships);
  const text = `${start} ${quotedOr(unknown)}, whose members can't be looked up right now`;
  return { ...denialBy(by, text, { roles: unknown, channels: [] }), cannotTell: true };
}

const noOne: Decision['needed'] = { roles: [], channels: [] };

/** A denial. `needed` gives the roles and channels for which the operation would be allowed. */
export const denialBy = (by: Decider, explanation: string, needed: Decision['needed'] = noOne): Decision => ({
  effect: 'deny',
  ...decidedBy(by),
  explanation,
  approvers: [],
  approvals: 1,
  typeName: false,
  needed,
});

/**
 * A denial with the roles that the person would need in this place. It also gives the channels in which the person's own roles suffice, or, if no rule allows the operation here, those in which a rule does.
 */
function denial(by: Decider, explanation: string, policy: Policy, question: Question): Decision {
  const fitting = policy.rules.filter((candidate) => fits(candidate, question));
  // Rules below a rule that denies everyone everywhere are never reached.
  const end = fitting.findIndex(({ effect, roles, channels }) => effect === 'deny' && !roles && !channels);
  const letting = fitting.slice(0, end === -1 ? undefined : end).filter(({ effect }) => effect !== 'deny');
  const holds = (candidate: Rule): boolean => holdsAny(candidate.roles ?? [], question.roles);
  const away = letting.filter((candidate) => !inChannel(candidate, question));
  const others = letting.filter((candidate) => !holds(candidate));
  const here = others.filter((candidate) => inChannel(candidate, question));
  const elsewhere = unique(away.filter(holds).flatMap(({ channels }) => channels ?? []));
  const needed = {
    roles: unique((here.length > 0 ? here : others).flatMap(({ roles }) => roles ?? [])),
    channels: here.length > 0 ? elsewhere : unique(away.flatMap(({ channels }) => channels ?? [])),
    elsewhere,
    breakGlass: unique(policy.rules.flatMap((one) => glassBreakers(one, question))),
  };
  const silent = sourcesOf(needed.roles, question.roles).filter(({ people }) => !people);
  if (silent.length === 0) return denialBy(by, explanation, needed);
  const why = byKind(silent).map(([{ words }, names]) => words.unknown(names));
  return { ...denialBy(by, [explanation, ...why].join('. '), needed), unanswered: true };
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

const glassBreakers = (rule: Rule, question: Question): readonly string[] =>
  rule.effect === 'approve' && fits(rule, question) && inChannel(rule, question) ? rule.breakGlass : [];
