import type { Place } from './actor.ts';
import type { Risk } from './risk.ts';
import type { Roles } from './roles.ts';
import type { Target } from './target.ts';

export const effects = ['allow', 'confirm', 'approve', 'deny'] as const;
export type Effect = (typeof effects)[number];

/** One rule of `bellhop.yaml`. An absent condition holds always; every present one must hold. */
export interface Rule {
  readonly risk?: readonly Risk[] | undefined;
  /** Names or `area.*`. */
  readonly operations?: readonly string[] | undefined;
  /** Each must be on the target with this value. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Any of these. Only a rule that denies may leave it out, and then it holds for everybody. */
  readonly roles?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
  /** Input fields that must have this value; a list must have it alone, or where the rule denies, among others. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  readonly effect: Effect;
  /** Roles of which others may approve. */
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly typeName: boolean;
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

export interface Question {
  readonly operation: { readonly name: string; readonly risk: Risk };
  readonly input: Readonly<Record<string, unknown>>;
  readonly target: Target;
  readonly team: string;
  readonly place: Place;
  /** The roles the actor holds now. */
  readonly roles: ReadonlySet<string>;
  readonly breakGlass: boolean;
  readonly now: number;
}

export interface Decision {
  readonly effect: Effect;
  /** `rule 2`, `freeze 1`, `limit 1`, `guard 1` or `no rule`. */
  readonly rule: string;
  /** Why, and for a denial what would be needed, for people. */
  readonly explanation: string;
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly typeName: boolean;
  /** Said on the card too: a guard looked at more than the rules. */
  readonly note?: string;
  /** A denial that passes by itself: when, in epoch milliseconds. */
  readonly until?: number;
  /** The approval that the rule asks for is skipped by break-glass: a review is opened. */
  readonly approvalSkipped?: true;
  /** Where approval is needed: the roles that may skip it with break-glass. */
  readonly breakGlass?: readonly string[];
  /** For a denial: whom it would be allowed to, and where. Empty where nobody may. */
  readonly needed: { readonly roles: readonly string[]; readonly channels: readonly string[] };
}

/** Judges one question: a freeze first, then the first rule that matches; none matches: denied. Pure. */
export function decide(policy: Policy, question: Question): Decision {
  const frozen = policy.freeze.findIndex((freeze) => isFrozen(freeze, question));
  const freeze = policy.freeze[frozen];
  if (freeze) return frozenDecision(freeze, frozen);
  const index = policy.rules.findIndex((rule) => matches(rule, question));
  const rule = policy.rules[index];
  if (!rule) return denial('no rule', 'No rule allows it', policy, question);
  const name = `rule ${index + 1}`;
  if (rule.effect === 'deny') return denial(name, `Rule ${index + 1} denies it`, policy, question);
  const broken =
    question.breakGlass && rule.effect === 'approve' && holdsAny(rule.breakGlass, question.roles);
  return {
    effect: broken ? 'confirm' : rule.effect,
    rule: name,
    explanation: broken ? `Rule ${index + 1}, approval skipped by break-glass` : `Rule ${index + 1}`,
    approvers: rule.approvers,
    approvals: rule.approvals,
    typeName: rule.typeName,
    ...(broken && { approvalSkipped: true }),
    ...(rule.effect === 'approve' && { breakGlass: rule.breakGlass }),
    needed: { roles: [], channels: [] },
  };
}

/** Whether some rule could let these roles run the operation here, on some target. For help, not for permission. */
export function mightAllow(policy: Policy, question: Omit<Question, 'target' | 'input'>): boolean {
  const anywhere: Question = {
    ...question,
    input: {},
    target: { kind: 'bellhop', name: 'Bellhop', labels: {} },
  };
  const might = (rule: Rule): boolean =>
    rule.effect === 'deny'
      ? matches(rule, anywhere) && !rule.labels && !rule.arguments
      : matches(onAnyTarget(rule), anywhere);
  const first = policy.rules.find(might);
  return first !== undefined && first.effect !== 'deny';
}

const onAnyTarget = (rule: Rule): Rule => ({ ...rule, labels: undefined, arguments: undefined });

/** The roles and channels of rules that could let the operation run on some target. For a refusal without a target. */
export function neededSomewhere(
  policy: Policy,
  question: Omit<Question, 'target' | 'input'>,
): Decision['needed'] {
  const rules = policy.rules
    .filter((rule) => rule.effect !== 'deny' || (!rule.labels && !rule.arguments))
    .map((rule) => onAnyTarget(rule));
  const anywhere: Question = {
    ...question,
    input: {},
    target: { kind: 'bellhop', name: 'Bellhop', labels: {} },
  };
  return denial('no rule', '', { ...policy, rules }, anywhere).needed;
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

function frozenDecision(freeze: Freeze, index: number): Decision {
  const why = freeze.reason === undefined ? '' : `: ${freeze.reason}`;
  const text = `Frozen until ${new Date(freeze.to).toISOString()}${why}`;
  return denies(`freeze ${index + 1}`, text, { roles: freeze.except, channels: [] });
}

/** A denial. `needed`: whom it would be allowed to, and where. */
export const denies = (
  rule: string,
  explanation: string,
  needed: Decision['needed'] = { roles: [], channels: [] },
): Decision => ({
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

const matches = (rule: Rule, question: Question): boolean =>
  fits(rule, question) && byWhom(rule, question) && inChannel(rule, question);

/** Whether the rule is about what is asked, whoever asks it and wherever. */
const fits = (rule: Rule, question: Question): boolean =>
  (!rule.risk || rule.risk.includes(question.operation.risk)) &&
  (!rule.operations || rule.operations.some((pattern) => namesOperation(pattern, question.operation.name))) &&
  (!rule.labels || labelled(rule.labels, question.target)) &&
  (!rule.teams || rule.teams.includes(question.team)) &&
  Object.entries(rule.arguments ?? {}).every(([field, value]) =>
    hasArgument(question.input[field], value, rule.effect),
  );

/** A rule that lets somebody must say whom. */
const byWhom = (rule: Rule, question: Question): boolean =>
  rule.roles ? holdsAny(rule.roles, question.roles) : rule.effect === 'deny';

const inChannel = (rule: Rule, question: Question): boolean =>
  !rule.channels || rule.channels.includes(question.place.channel);

export const namesOperation = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

export const labelled = (labels: Readonly<Record<string, string>>, target: Target): boolean =>
  Object.entries(labels).every(
    ([label, value]) => Object.hasOwn(target.labels, label) && target.labels[label] === value,
  );

function hasArgument(given: unknown, wanted: string, effect: Effect): boolean {
  if (!Array.isArray(given)) return argument(given) === wanted;
  const same = (item: unknown) => argument(item) === wanted;
  return effect === 'deny' ? given.some(same) : given.length > 0 && given.every(same);
}

const argument = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

export const holdsAny = (wanted: readonly string[], held: ReadonlySet<string>): boolean =>
  wanted.some((role) => held.has(role));
