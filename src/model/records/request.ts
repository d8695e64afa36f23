import { z } from 'zod';

import { actor, place, messageRef } from '../values/actor.ts';
import { fact } from '../values/report.ts';
import { target } from '../rulebook/target.ts';
import { textPart } from '../../text/parts.ts';
import { requestOutcome } from './outcome.ts';

/** The first three are open. The others end the request. */
export const states = [
  'proposed',
  'awaiting approval',
  'running',
  'succeeded',
  'failed',
  'unknown',
  'cancelled',
  'expired',
  'refused',
] as const;
export type State = (typeof states)[number];

export const openStates = ['proposed', 'awaiting approval', 'running'] as const satisfies readonly State[];

export const clickActions = ['confirm', 'cancel', 'approve', 'deny'] as const;
export type ClickAction = (typeof clickActions)[number];

const steps: Readonly<Record<State, readonly State[]>> = {
  proposed: ['awaiting approval', 'running', 'cancelled', 'expired', 'refused'],
  'awaiting approval': ['awaiting approval', 'running', 'cancelled', 'expired', 'refused'],
  // From running to running: stores the target's state before the change, or the tasks to follow.
  running: ['running', 'succeeded', 'failed', 'unknown'],
  // From unknown to unknown: stores a sighting of the target. Only proof or a person settles the outcome.
  unknown: ['unknown', 'succeeded', 'failed'],
  succeeded: [],
  failed: [],
  cancelled: [],
  expired: [],
  refused: [],
};

/**
 * Further steps of a rollout. A running one can be stopped, or wait for an approval or a confirmation. An ended one still shows later
 * results of its targets.
 */
const rolloutSteps: Readonly<Partial<Record<State, readonly State[]>>> = {
  running: ['cancelled', 'awaiting approval', 'proposed'],
  succeeded: ['succeeded'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  refused: ['refused'],
};

export const mayFollow = ({ state, rollout: progress }: Stated, to: State): boolean =>
  steps[state].includes(to) || (progress !== undefined && rolloutSteps[state]?.includes(to) === true);

/** The service accepted the change and returned tasks, so the request runs without a process that holds it. */
export const isFollowed = ({ outcome }: Pick<Request, 'outcome'>): boolean =>
  (outcome?.tasks?.ids.length ?? 0) > 0;

/** When the change started or, if it did not, when it was proposed. In epoch milliseconds. */
export const startOf = ({ startedAt, createdAt }: Pick<Request, 'startedAt' | 'createdAt'>): number =>
  startedAt ?? createdAt;

export const waitingStates = ['proposed', 'awaiting approval'] as const satisfies readonly State[];

export const isWaiting = ({ state }: Pick<Request, 'state'>): boolean =>
  state === 'proposed' || state === 'awaiting approval';

/** Settled by a person as “It did not run”. */
export const didNotRun = ({ state, outcome }: Pick<Request, 'state' | 'outcome'>): boolean =>
  state === 'failed' && outcome?.settledByHand !== undefined;

/** Denied by a person. Otherwise the rules refused it. */
export const wasDenied = ({
  state,
  decidedAt,
  endedAt = 0,
}: Pick<Request, 'state' | 'decidedAt' | 'endedAt'>): boolean =>
  state === 'refused' && decidedAt !== undefined && decidedAt >= endedAt;

/** An unknown outcome as the service's tasks suggest it. Empty without evidence. */
export function likelyWords({ state, outcome }: Pick<Request, 'state' | 'outcome'>): string {
  const suggests = state === 'unknown' ? outcome?.search?.suggests : undefined;
  if (suggests === undefined) return '';
  return suggests === 'failed' ? ', most likely did not run' : ', but the service started it';
}

/** Whether others have to approve the request, or would have to without break-glass. */
export const concernsApprovers = ({ decision, breakGlass }: Request): boolean =>
  decision.effect === 'approve' || breakGlass !== undefined;

export const isOpen = (state: State): boolean => openStates.some((open) => open === state);

const passed = {
  /** Names of gates. */
  passed: z.array(z.string()).optional(),
  /** Identifies the person across Slack accounts, if a gate knows the person. */
  person: z.string().optional(),
};

const approval = z.object({
  by: actor,
  at: z.number(),
  ...passed,
});

const requestDecision = z.object({
  /** The `then` of the allowing rule. */
  effect: z.enum(['allow', 'confirm', 'approve']),
  rule: z.string(),
  approvers: z.array(z.string()),
  approvals: z.number().int().min(1),
  /** Roles that may also approve from `at` on, soonest first. Once `since` is set, they have been asked and may approve. */
  later: z
    .array(z.object({ at: z.number(), roles: z.array(z.string()), since: z.number().optional() }))
    .optional(),
  /** If an approval is needed, the roles that may skip it with `--break-glass`. */
  breakGlass: z.array(z.string()).optional(),
  typeName: z.boolean(),
  /** Demands on the person who confirms or approves, such as a sign-in. A version without one of these gates never runs the request. */
  demands: z.array(z.object({ gate: z.string(), verb: z.string() })).optional(),
  /** How the requester confirmed. */
  ...passed,
  /** When a temporary refusal, such as a freeze, ends, in epoch milliseconds. */
  refusedUntil: z.number().optional(),
  /** Refused by a restriction that may end, such as a hold. */
  barred: z.literal(true).optional(),
});

/** For break-glass: the skipped approval. The review is open until someone else closes it. */
const requestReview = z.object({
  rule: z.string(),
  approvers: z.array(z.string()),
  note: z.string().optional(),
  /** The note with people and times. */
  said: z.array(textPart).optional(),
});

const rolloutLine = z.object({
  preview: z.array(fact),
  request: z.string().optional(),
  state: z.enum(states).optional(),
  /** The target's state, or why the change did not run. */
  note: z.string().optional(),
  /** The likely or settled outcome of a change whose answer was lost. */
  evidence: z.enum(states).optional(),
  /** Settled by a person as “It did not run”. */
  didNotRun: z.literal(true).optional(),
  /** When the change started, or when the target was seen healthy again. */
  at: z.number().optional(),
  /** The target was seen healthy again after its change. */
  isBack: z.literal(true).optional(),
});

/** Times are epoch milliseconds. */
const rollout = z.object({
  /** As typed, such as `tier=web` and `2m`. */
  each: z.array(z.string()),
  pause: z.string(),
  lines: z.array(rolloutLine),
  index: z.number().int(),
  startedAt: z.number().optional(),
  /** The current target was seen to change, so its state is no longer the state from before. */
  moved: z.literal(true).optional(),
  backAt: z.number().optional(),
  /** Nothing starts until a person continues with the line `next`. */
  paused: z
    .object({
      at: z.number(),
      why: z.string(),
      /** For the card and the thread: `why` in full, with times. */
      said: z.array(textPart).optional(),
      next: z.number().int(),
      /** The request that has to end first. It has the target of the line `next`. */
      inTheWay: z.string().optional(),
      /** The restriction that has to end first, such as `hold on web-2`. */
      barredBy: z.string().optional(),
    })
    .optional(),
  /** In earlier pauses, in milliseconds. */
  pausedMs: z.number().optional(),
  stopping: z.object({ by: actor }).optional(),
});

/** From `proposed` to its end. Times are epoch milliseconds. */
export const request = z.object({
  id: z.string(),
  /** Grows by one with every step. A step names the version that it was decided on. */
  version: z.number().int(),
  state: z.enum(states),
  operation: z.string(),
  /** As entered, with names in place of secrets. Parsed again when the request is run. */
  input: z.record(z.string(), z.unknown()),
  words: z.string(),
  target,
  /** At most one open request has this key. */
  targetKey: z.string(),
  /** As people were shown: what will be sent, and its effect. */
  preview: z.array(fact),
  requester: actor,
  place,
  reason: z.string().optional(),
  breakGlass: z.string().optional(),
  decision: requestDecision,
  approvals: z.array(approval),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** The last person who confirmed, cancelled or denied. */
  decidedBy: actor.optional(),
  decidedAt: z.number().optional(),
  /** For people: a warning before the change runs, or why the request was refused or cancelled. */
  note: z.string().optional(),
  lastUnknownAt: z.number().optional(),
  /** The running whole that included the target at the proposal, or else the target's last change if that was recent. A request's id. */
  recentChange: z.string().optional(),
  startedAt: z.number().optional(),
  /** The claim that the request runs under. Identifies the process that started it. */
  runner: z.string().optional(),
  /** By the database's clock. After this time, the process of a running request counts as dead. */
  leaseUntil: z.number().optional(),
  before: z.record(z.string(), z.string()).optional(),
  endedAt: z.number().optional(),
  outcome: requestOutcome.optional(),
  policyHash: z.string(),
  correlationId: z.string(),
  /** Set once the card is posted. */
  card: messageRef.optional(),
  review: requestReview.optional(),
  reviewMessage: messageRef.optional(),
  reviewClosed: z.object({ by: actor, at: z.number(), word: z.string() }).optional(),
  /** Set for a rollout. Each of its targets has its own request. */
  rollout: rollout.optional(),
  /** The rollout that this request is part of. */
  partOf: z.string().optional(),
});

export type Request = Readonly<z.output<typeof request>>;
export type RequestDecision = Readonly<z.output<typeof requestDecision>>;
export type Rollout = Readonly<z.output<typeof rollout>>;
export type RolloutLine = Readonly<z.output<typeof rolloutLine>>;

const draftPrefix = 'draft for ';

/** A draft skips the approval that another request waits for. Once started, it has the key of its target. */
export const draftKey = (id: string): string => draftPrefix + id;

/** The request that a draft will replace. Undefined for any other request. */
export const waitingFor = ({ targetKey }: Pick<Request, 'targetKey'>): string | undefined =>
  targetKey.startsWith(draftPrefix) ? targetKey.slice(draftPrefix.length) : undefined;

export const rolesAsked = ({ later = [] }: RequestDecision): readonly string[] =>
  later.flatMap(({ roles, since }) => (since === undefined ? [] : roles));

/** The roles that may approve now, if the rules have not changed. */
export const approversOf = (decision: RequestDecision): readonly string[] => [
  ...new Set([...decision.approvers, ...rolesAsked(decision)]),
];

/** Without the pauses of a rollout, in milliseconds. Undefined if the request has not ended or never started. */
export function ranMs({ startedAt, endedAt, rollout: progress }: Request): number | undefined {
  const from = progress ? progress.startedAt : startedAt;
  if (from === undefined || endedAt === undefined || endedAt < from) return undefined;
  const { pausedMs = 0, paused } = progress ?? {};
  return Math.max(0, endedAt - from - pausedMs - (paused ? endedAt - paused.at : 0));
}

export type StateWord = State | 'paused' | 'done' | 'stopped';

export type Stated = Pick<Request, 'state' | 'rollout'>;

export function stateWord({ state, rollout: progress }: Stated): StateWord {
  if (progress?.startedAt === undefined) return state;
  if (state === 'running') return progress.paused ? 'paused' : state;
  if (state === 'succeeded') return 'done';
  return isOpen(state) ? state : 'stopped';
}

/** The members that a step may set besides the state. Undefined keeps the old value, and '' removes a note. */
export type RequestChanges = {
  readonly [
    K in
      | 'decision'
      | 'approvals'
      | 'decidedBy'
      | 'decidedAt'
      | 'note'
      | 'startedAt'
      | 'runner'
      | 'before'
      | 'endedAt'
      | 'outcome'
      | 'expiresAt'
      | 'review'
      | 'targetKey'
      | 'rollout'
  ]?: Request[K] | undefined;
};
