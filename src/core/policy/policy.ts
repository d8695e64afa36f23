import type { Place, Membership } from '../model/actor.ts';
import type { Risk } from '../model/risk.ts';
import { membershipIn, unknownOf, type Memberships, type Roles } from './roles.ts';
import type { Target } from '../model/target.ts';

export const effects = ['allow', 'confirm', 'approve', 'deny'] as const;
export type Effect = (typeof effects)[number];

/** One rule of `bellhop.yaml`. An absent condition holds always; every present one must hold. */
export interface Rule {
  /** How people call it; else it goes by its number alone. */
  readonly name?: string | undefined;
  readonly risk?: readonly Risk[] | undefined;
  /** Names or `area.*`. */
  readonly operations?: readonly string[] | undefined;
  /** Each must be on the target with this value. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Any of these. Only a rule that denies may leave it out, and then it holds for everybody. */
  readonly roles?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
  /** Fields that must have this effective value, as `readRuleValue` gives it; a list must have it alone, or where the rule denies, among others. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  readonly effect: Effect;
  /** Roles of which others may approve. */
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly typeName: boolean;
  /** What it allows runs at once also where it changes something. */
  readonly confirmNever?: boolean | undefined;
  /** Roles that may turn approval into confirmation with `--break-glass`. */
  readonly breakGlass: readonly string[];
}

/** A window in which changes to labelled targets are denied. Times are epoch milliseconds. */
export interface Freeze {
  readonly labels: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
  readonly except: readonly string[];
  readonly reason?: string | undefined;
}

export interface Policy {
  readonly roles: Roles;
  readonly rules: readonly Rule[];
  readonly freeze: readonly Freeze[];
  /** SHA-256 of the file the policy came from; in each audit entry. */
  readonly hash: string;
}

/** By field: its values, of which only a list has several, each as every text that names it. */
export type EffectiveValues = Readonly<Record<string, readonly (readonly string[])[]>>;

export interface Question {
  readonly operation: { readonly name: string; readonly risk: Risk };
  readonly input: EffectiveValues;
  readonly target: Target;
  readonly team: string;
  readonly place: Place;
  /** The roles of the actor, as far as they are known now. */
  readonly roles: Memberships;
  readonly breakGlass: boolean;
  readonly now: number;
}

export interface Decision {
  readonly effect: Effect;
  /** `rule 2 (its name)`, `freeze 1`, `limit 1`, `guard 1` or `no rule`. */
  readonly rule: string;
  /** Why, and for a denial what would be needed, for people. */
  readonly explanation: string;
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly typeName: boolean;
  /** Said on the card too: a guard looked at more than the rules. */
  readonly note?: string | undefined;
  /** When a denial ends by itself, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** It ends soon: an open request that meets it stays open. */
  readonly passes?: true | undefined;
  /** A denial because somebody's roles cannot be looked up: the same may be allowed in a minute. */
  readonly cannotTell?: true | undefined;
  /** The approval that the rule asks for is skipped by break-glass: a review is opened. */
  readonly approvalSkipped?: boolean | undefined;
  /** Where approval is needed: the roles that may skip it with break-glass. */
  readonly breakGlass?: readonly string[] | undefined;
  /** For a denial: whom it would be allowed to, and where. Empty where nobody may. */
  readonly needed: { readonly roles: readonly string[]; readonly channels: readonly string[] };
}

/** Whom to ask and where, for a refusal. Ids, to be shown as the surface shows people and channels. */
export interface WhoMay {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
  readonly channels: readonly string[];
}

/**
 * Decides one question: a freeze first, then the first rule that matches; none matches: denied. A rule of which it cannot
 * be told whether it matches denies: the rules below it may be looser. Pure.
 */
export function decide(policy: Policy, question: Question): Decision {
  const frozen = policy.freeze.findIndex((freeze) => isFrozen(freeze, question));
  const freeze = policy.freeze[frozen];
  if (freeze) return frozenDecision(freeze, frozen, question);
  const index = policy.rules.findIndex((rule) => matches(rule, question) !== 'not held');
  const rule = policy.rules[index];
  if (!rule) return denial('no rule', 'No rule allows it', policy, question);
  const called = rule.name === undefined ? `${index + 1}` : `${index + 1} (${rule.name})`;
  const name = `rule ${called}`;
  const title = `Rule ${called}`;
  const { granting, denying } = question.roles;
  const unknown = matches(rule, question) === 'unknown';
  if (rule.effect === 'deny') {
    if (unknown) return { ...cannotTell(name, `${title} denies it to`, rule.roles, denying), needed: nobody };
    return denial(name, `${title} denies it`, policy, question);
  }
  if (unknown) return cannotTell(name, `${title} is for`, rule.roles, granting);
  const breaks = question.breakGlass && rule.effect === 'approve';
  if (breaks && membershipIn(rule.breakGlass, granting) === 'unknown')
    return cannotTell(name, `${title} can be skipped by`, rule.breakGlass, granting);
  const broken = breaks && holdsAny(rule.breakGlass, question.roles);
  return {
    effect: broken ? 'confirm' : effectOn(question.operation.risk, rule),
    rule: name,
    explanation: broken ? `${title}, approval skipped by break-glass` : title,
    approvers: rule.approvers,
    approvals: rule.approvals,
    typeName: rule.typeName,
    approvalSkipped: broken,
    breakGlass: rule.effect === 'approve' ? rule.breakGlass : undefined,
    needed: { roles: [], channels: [] },
  };
}

/** A rule that allows is about reads: a change that it reaches is confirmed first, unless the rule itself says never. */
const effectOn = (risk: Risk, { effect, confirmNever = false }: Rule): Effect =>
  effect === 'allow' && risk !== 'read' && !confirmNever ? 'confirm' : effect;

/** Whether some rule could let these roles run the operation here, on some target. For help, not for permission. */
export function mightAllow(policy: Policy, question: Omit<Question, 'target' | 'input'>): boolean {
  const anywhere: Question = {
    ...question,
    input: {},
    target: { kind: 'bellhop', name: 'Bellhop', labels: {} },
  };
  // What lets on some target counts; what does not let, only where it is about every target.
  const decides = (rule: Rule): boolean =>
    lets(onAnyTarget(rule), anywhere) ||
    (!rule.labels && !rule.arguments && matches(rule, anywhere) !== 'not held');
  const first = policy.rules.find(decides);
  return first !== undefined && lets(onAnyTarget(first), anywhere);
}

const lets = (rule: Rule, question: Question): boolean =>
  rule.effect !== 'deny' && matches(rule, question) === 'held';

const onAnyTarget = (rule: Rule): Rule => ({ ...rule, labels: undefined, arguments: undefined });

/** What rules that could let the operation run on some target ask for. For a refusal without a target. */
export function neededSomewhere(
  policy: Policy,
  question: Omit<Question, 'target' | 'input'>,
): Pick<Decision, 'needed' | 'cannotTell'> {
  const rules = policy.rules
    .filter((rule) => rule.effect !== 'deny' || (!rule.labels && !rule.arguments))
    .map((rule) => onAnyTarget(rule));
  const anywhere: Question = {
    ...question,
    input: {},
    target: { kind: 'bellhop', name: 'Bellhop', labels: {} },
  };
  return decide({ ...policy, rules, freeze: [] }, anywhere);
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
  const name = `freeze ${index + 1}`;
  const decision =
    membershipIn(freeze.except, question.roles.granting) === 'unknown'
      ? cannotTell(name, `${text}, except for`, freeze.except, question.roles.granting)
      : denies(name, text, { roles: freeze.except, channels: [] });
  return { ...decision, until: freeze.to };
}

/** The denial where more may be allowed once the roles in question can be looked up again. */
function cannotTell(
  rule: string,
  start: string,
  roles: readonly string[] = [],
  memberships: ReadonlyMap<string, Membership>,
): Decision {
  const unknown = unknownOf(roles, memberships);
  const whom = unknown.length > 1 ? 'these' : 'it';
  const text = `${start} ${unknown.join(' or ')}, and who belongs to ${whom} cannot be looked up now`;
  return { ...denies(rule, text, { roles: unknown, channels: [] }), cannotTell: true };
}

const nobody: Decision['needed'] = { roles: [], channels: [] };

/** A denial. `needed`: whom it would be allowed to, and where. */
export const denies = (rule: string, explanation: string, needed: Decision['needed'] = nobody): Decision => ({
  effect: 'deny',
  rule,
  explanation,
  approvers: [],
  approvals: 1,
  typeName: false,
  needed,
});

/** What the denied person would have to be, or where they would have to ask, for some rule to let it through. */
function denial(rule: string, explanation: string, policy: Policy, question: Question): Decision {
  const roles = new Set<string>();
  const channels = new Set<string>();
  for (const candidate of policy.rules) {
    if (!fits(candidate, question)) continue;
    // What denies everybody everywhere is as far as any other rule reaches.
    if (candidate.effect === 'deny' && !candidate.roles && !candidate.channels) break;
    if (candidate.effect === 'deny') continue;
    const holds = holdsAny(candidate.roles ?? [], question.roles);
    if (!holds) for (const role of candidate.roles ?? []) roles.add(role);
    if (!inChannel(candidate, question))
      for (const channel of candidate.channels ?? []) channels.add(channel);
  }
  return denies(rule, explanation, { roles: [...roles], channels: [...channels] });
}

/** Whether a rule is about this question and its actor. */
const matches = (rule: Rule, question: Question): Membership =>
  fits(rule, question) && inChannel(rule, question) ? byWhom(rule, question) : 'not held';

/** Whether the rule is about the question's command, whoever runs it and wherever. */
const fits = (rule: Rule, question: Question): boolean =>
  (!rule.risk || rule.risk.includes(question.operation.risk)) &&
  (!rule.operations || rule.operations.some((pattern) => namesOperation(pattern, question.operation.name))) &&
  (!rule.labels || labelled(rule.labels, question.target)) &&
  (!rule.teams || rule.teams.includes(question.team)) &&
  Object.entries(rule.arguments ?? {}).every(([field, value]) =>
    hasArgument(question.input[field], value, rule.effect),
  );

/** A rule that lets somebody must say whom. */
function byWhom({ roles, effect }: Rule, question: Question): Membership {
  if (effect === 'deny') return roles ? membershipIn(roles, question.roles.denying) : 'held';
  return roles ? membershipIn(roles, question.roles.granting) : 'not held';
}

const inChannel = (rule: Rule, question: Question): boolean =>
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

/** Whether one of these roles gives its right for certain. */
export const holdsAny = (wanted: readonly string[], roles: Memberships): boolean =>
  membershipIn(wanted, roles.granting) === 'held';
