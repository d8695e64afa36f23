import { z } from 'zod';

import { actor, place, messageRef } from '../values/actor.ts';
import { fact, report } from '../values/report.ts';
import { target } from '../rulebook/target.ts';

/** The states of a request. The first three are open; the rest end it. */
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

/** A person's actions on an open request, by buttons of its card. */
export const clickActions = ['confirm', 'cancel', 'approve', 'deny'] as const;
export type ClickAction = (typeof clickActions)[number];

/** What a person may do with a rollout by a button of its card. */
export const rolloutActions = ['continue', 'stop'] as const;
export type RolloutAction = (typeof rolloutActions)[number];

/** The allowed transitions. */
const steps: Readonly<Record<State, readonly State[]>> = {
  proposed: ['awaiting approval', 'running', 'cancelled', 'expired', 'refused'],
  'awaiting approval': ['awaiting approval', 'running', 'cancelled', 'expired', 'refused'],
  // running → running: stores the target's state before the change, or the tasks to follow.
  running: ['running', 'succeeded', 'failed', 'unknown'],
  // unknown → unknown: stores a sighting of the target. Only proof or a person settles it.
  unknown: ['unknown', 'succeeded', 'failed'],
  succeeded: [],
  failed: [],
  cancelled: [],
  expired: [],
  refused: [],
};

/** A running rollout can be stopped, or need more than a click to continue. An ended one shows the results of its targets. */
const rolloutSteps: Readonly<Partial<Record<State, readonly State[]>>> = {
  running: ['cancelled', 'awaiting approval', 'proposed'],
  succeeded: ['succeeded'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  refused: ['refused'],
};

export const mayFollow = (from: State, to: State, isRollout = false): boolean =>
  steps[from].includes(to) || (isRollout && rolloutSteps[from]?.includes(to) === true);

/** The service accepted it and returned tasks, so no process has to hold it. */
export const isFollowed = ({ outcome }: Pick<Request, 'outcome'>): boolean =>
  (outcome?.tasks?.ids.length ?? 0) > 0;

export const isOpen = (state: State): boolean => openStates.some((open) => open === state);

const approval = z.object({
  by: actor,
  at: z.number(),
  /** Set if they signed in to approve. */
  signedIn: z.literal(true).optional(),
});

/** The decision when the request was proposed, or when it was authorized again and needed more. */
const requestDecision = z.object({
  /** The `then` of the allowing rule. */
  effect: z.enum(['allow', 'confirm', 'approve']),
  /** The title of the rule: `rule 3`. */
  rule: z.string(),
  /** Roles that may approve. */
  approvers: z.array(z.string()),
  /** How many different people must approve. */
  approvals: z.number().int().min(1),
  /**
   * Roles that may also approve from `at` on, soonest first. Once `since` is set, they have been asked and may approve.
   */
  later: z
    .array(z.object({ at: z.number(), roles: z.array(z.string()), since: z.number().optional() }))
    .optional(),
  /** If an approval is needed: the roles that may skip it with `--break-glass`. */
  breakGlass: z.array(z.string()).optional(),
  /** Whether the target's name has to be typed to confirm. */
  typeName: z.boolean(),
  /** Set if the person who confirms or approves has to sign in first; after a confirmation, that they did. */
  stepUp: z.literal(true).optional(),
  /** When a temporary refusal, such as a freeze, ends, in epoch milliseconds. */
  refusedUntil: z.number().optional(),
});

/** The search for the task of a change whose answer was lost. Times are epoch milliseconds. */
const taskSearch = z.object({
  /** The period in which the change may have been sent. */
  sent: z.object({ from: z.number(), to: z.number() }),
  /** The result of the last check, if it proves nothing. */
  seen: z.string().optional(),
  /** The likely outcome. */
  suggests: z.enum(['succeeded', 'failed']).optional(),
});

/** The outcome: a report, or an error with secrets masked. */
const requestOutcome = z.object({
  report: report.optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      /** A shorter sentence, if the message is longer. */
      summary: z.string().optional(),
    })
    .optional(),
  serviceRequestId: z.string().optional(),
  /** The target's state after an unknown outcome. Not proof. */
  sighting: report.optional(),
  /**
   * The newest check of the target: when, and its state. It does not show since when the target has been in that state.
   */
  look: z.object({ at: z.number(), title: z.string() }).optional(),
  /** The tasks in the service's answer, and their user once one of them has been read. */
  tasks: z.object({ ids: z.array(z.string()), user: z.string().optional() }).optional(),
  search: taskSearch.optional(),
  /**
   * The target was already changing when the service accepted the change: a read right after it, or the answer itself, showed
   * that.
   */
  moved: z.enum(['read', 'answer']).optional(),
  /** The person who settled it, and why. */
  settledByHand: z.object({ by: actor, at: z.number(), reason: z.string() }).optional(),
  /** Ended unsent by a process that started after the proposal, so only the store's record says that nothing was sent. */
  unwitnessed: z.literal(true).optional(),
  /** The task that proved the outcome. */
  settledBy: z.string().optional(),
});

/** The approval that was skipped with break-glass. Its review is open until someone else closes it. */
const requestReview = z.object({
  /** The rule whose approval was skipped. */
  rule: z.string(),
  /** Roles that would have had to approve. */
  approvers: z.array(z.string()),
  /** A guard's objection to the change. */
  note: z.string().optional(),
});

/** A target of a rollout: what will be sent, and what is known about its request. */
const rolloutLine = z.object({
  preview: z.array(fact),
  /** The id of its request, once it has one. */
  request: z.string().optional(),
  state: z.enum(states).optional(),
  /** The target's state, or why it did not run. */
  note: z.string().optional(),
  /** When it started, or was seen healthy again. */
  at: z.number().optional(),
});

/** How far a rollout is. Times are epoch milliseconds. */
const rollout = z.object({
  /** As typed: `tier=web`, and `2m`. */
  each: z.array(z.string()),
  pause: z.string(),
  /** One for each target, in order. */
  lines: z.array(rolloutLine),
  /** The index of the current line. */
  index: z.number().int(),
  startedAt: z.number().optional(),
  /** The current target was seen to change, so what it shows is no longer its state from before. */
  moved: z.literal(true).optional(),
  /** Since when the current target has been healthy. */
  backAt: z.number().optional(),
  /** Nothing starts until a person continues with the line `next`. */
  paused: z.object({ at: z.number(), why: z.string(), next: z.number().int() }).optional(),
  /** Who asked to stop it after the current target. */
  stopping: z.object({ by: actor }).optional(),
});

/** One change, from `proposed` to its end. Times are epoch milliseconds. */
export const request = z.object({
  id: z.string(),
  /** Grows by one with every step; a step names the version it was decided on. */
  version: z.number().int(),
  state: z.enum(states),
  operation: z.string(),
  /** As entered, before parsing; parsed again when run. Secrets as names. */
  input: z.record(z.string(), z.unknown()),
  /** The command in words, to run it again. */
  words: z.string(),
  target,
  targetKey: z.string(),
  /** The facts as shown: what will be sent, and its effect. */
  preview: z.array(fact),
  requester: actor,
  place,
  reason: z.string().optional(),
  breakGlass: z.string().optional(),
  decision: requestDecision,
  approvals: z.array(approval),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** The last decision: who confirmed, cancelled or denied, and when. */
  decidedBy: actor.optional(),
  decidedAt: z.number().optional(),
  /** For people: a warning before it runs, or why it was refused or cancelled. */
  note: z.string().optional(),
  /** When the last attempt with an unknown outcome started. */
  lastUnknownAt: z.number().optional(),
  startedAt: z.number().optional(),
  /** The claim that it runs under, which identifies the process that started it. */
  runner: z.string().optional(),
  /** While running, the time after which its process counts as dead. By the database's clock. */
  leaseUntil: z.number().optional(),
  /** The target as read just before sending. */
  before: z.record(z.string(), z.string()).optional(),
  endedAt: z.number().optional(),
  outcome: requestOutcome.optional(),
  policyHash: z.string(),
  correlationId: z.string(),
  /** Its card, once posted. A row that was read before that lacks it. */
  card: messageRef.optional(),
  review: requestReview.optional(),
  /** The newest message that announced the review. */
  reviewMessage: messageRef.optional(),
  reviewClosed: z.object({ by: actor, at: z.number(), word: z.string() }).optional(),
  /** Set for a rollout. Each of its targets has its own request. */
  rollout: rollout.optional(),
  /** The rollout that this is a single request of. */
  partOf: z.string().optional(),
});

export type Request = Readonly<z.output<typeof request>>;
export type RequestOutcome = Readonly<z.output<typeof requestOutcome>>;
export type RequestDecision = Readonly<z.output<typeof requestDecision>>;
export type Rollout = Readonly<z.output<typeof rollout>>;
export type RolloutLine = Readonly<z.output<typeof rolloutLine>>;

/** Further roles that have been asked since. */
export const rolesAsked = ({ later = [] }: RequestDecision): readonly string[] =>
  later.flatMap(({ roles, since }) => (since === undefined ? [] : roles));

/** The roles that may approve now, if the rules have not changed. */
export const approversOf = (decision: RequestDecision): readonly string[] => [
  ...new Set([...decision.approvers, ...rolesAsked(decision)]),
];

/** The state as people read it: a rollout is also paused, done or stopped. */
export type StateWord = State | 'paused' | 'done' | 'stopped';

export function stateWord({ state, rollout: progress }: Pick<Request, 'state' | 'rollout'>): StateWord {
  if (progress?.startedAt === undefined) return state;
  if (state === 'running') return progress.paused ? 'paused' : state;
  if (state === 'succeeded') return 'done';
  return isOpen(state) ? state : 'stopped';
}

/**
 * The members that a step may set in addition to the state; undefined keeps them. A request's identity never changes.
 */
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
      | 'rollout'
  ]?: Request[K] | undefined;
};
