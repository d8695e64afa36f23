import { z } from 'zod';

import { actor, place, messageRef } from './actor.ts';
import { fact, report } from './report.ts';
import { target } from './target.ts';

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

/** What a person may do with an open request by a button of its card. */
export const clickActions = ['confirm', 'cancel', 'approve', 'deny'] as const;
export type ClickAction = (typeof clickActions)[number];

/** What a person may do with a rollout by a button of its card. */
export const rolloutActions = ['continue', 'stop'] as const;
export type RolloutAction = (typeof rolloutActions)[number];

/** Which step may follow which. Whatever is not here cannot happen. */
const steps: Readonly<Record<State, readonly State[]>> = {
  proposed: ['awaiting approval', 'running', 'cancelled', 'expired', 'refused'],
  'awaiting approval': ['awaiting approval', 'running', 'cancelled', 'expired', 'refused'],
  // A running row that stays running keeps what its target looked like before, or the tasks that it waits for.
  running: ['running', 'succeeded', 'failed', 'unknown'],
  // An unknown row that stays unknown keeps what was seen at the target. It is settled only by what proves it.
  unknown: ['unknown', 'succeeded', 'failed'],
  succeeded: [],
  failed: [],
  cancelled: [],
  expired: [],
  refused: [],
};

/** A running rollout can be stopped, or need more than a click to continue. An ended one is told what became of its targets. */
const rolloutSteps: Readonly<Partial<Record<State, readonly State[]>>> = {
  running: ['cancelled', 'awaiting approval', 'proposed'],
  succeeded: ['succeeded'],
  cancelled: ['cancelled'],
  expired: ['expired'],
  refused: ['refused'],
};

export const mayFollow = (from: State, to: State, isRollout = false): boolean =>
  steps[from].includes(to) || (isRollout && rolloutSteps[from]?.includes(to) === true);

/** The service took it and answered with tasks: no process has to hold it. */
export const isFollowed = ({ outcome }: Pick<Request, 'outcome'>): boolean =>
  (outcome?.tasks?.ids.length ?? 0) > 0;

export const isOpen = (state: State): boolean => openStates.some((open) => open === state);

const approval = z.object({ by: actor, at: z.number() });

/** What policy decided when the request was proposed, or when it was authorized again and needed more. */
const requestDecision = z.object({
  /** The `then` of the rule that let it through. */
  effect: z.enum(['allow', 'confirm', 'approve']),
  /** Which rule decided, in words: `rule 3`. */
  rule: z.string(),
  /** Roles of which others may approve. */
  approvers: z.array(z.string()),
  /** How many different people must approve. */
  approvals: z.number().int().min(1),
  /** Where approval is needed: the roles that may skip it with `--break-glass`. */
  breakGlass: z.array(z.string()).optional(),
  /** Confirming asks to type the target's name. */
  typeName: z.boolean(),
  /** Whoever lets it run signs in first. */
  stepUp: z.literal(true).optional(),
  /** Refused by what ends by itself, a freeze for one: when, in epoch milliseconds. */
  refusedUntil: z.number().optional(),
});

/** The search for the task of a change whose answer was lost. Times are epoch milliseconds. */
const taskSearch = z.object({
  /** Between these the change may have left. */
  sent: z.object({ from: z.number(), to: z.number() }),
  /** What the last look came to, where it proves nothing. */
  seen: z.string().optional(),
  /** The outcome that it makes likely. */
  suggests: z.enum(['succeeded', 'failed']).optional(),
});

/** What came of it: a report where the operation gave one, else the error, already masked. */
const requestOutcome = z.object({
  report: report.optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      /** The same in a sentence, where the message is longer. */
      summary: z.string().optional(),
    })
    .optional(),
  serviceRequestId: z.string().optional(),
  /** What was seen at the target after an unknown outcome. No proof of it. */
  sighting: report.optional(),
  /** The newest look at the target: when, and what it showed in words. How long it has been so, no look can tell. */
  look: z.object({ at: z.number(), title: z.string() }).optional(),
  /** The tasks that the service answered with, and the user they are of once one was read. */
  tasks: z.object({ ids: z.array(z.string()), user: z.string().optional() }).optional(),
  search: taskSearch.optional(),
  /** The person who said what came of it, and why. */
  settledByHand: z.object({ by: actor, at: z.number(), reason: z.string() }).optional(),
  /** Ended unsent by a process that began after it was proposed: that nothing was sent, only the store says. */
  unwitnessed: z.literal(true).optional(),
  /** The task that proved what came of it. */
  settledBy: z.string().optional(),
});

/** The approval that was skipped with break-glass: its review is open until another person has closed it with a word. */
const requestReview = z.object({
  /** The rule whose approval was skipped. */
  rule: z.string(),
  /** Roles that would have had to approve. */
  approvers: z.array(z.string()),
  /** What a guard said against the change. */
  note: z.string().optional(),
});

/** A target of a rollout: what will be sent, and what is known of its request. */
const rolloutLine = z.object({
  preview: z.array(fact),
  /** The id of its request, once it has one. */
  request: z.string().optional(),
  state: z.enum(states).optional(),
  /** What the target shows, or why it did not run. */
  note: z.string().optional(),
  /** When it started, or was seen to be back. */
  at: z.number().optional(),
});

/** How far a rollout is. Times are epoch milliseconds. */
const rollout = z.object({
  /** As typed: `tier=web`, and `2m`. */
  each: z.array(z.string()),
  pause: z.string(),
  /** One for each target, in order. */
  lines: z.array(rolloutLine),
  /** The line whose turn it is. */
  index: z.number().int(),
  startedAt: z.number().optional(),
  /** The target whose turn it is was seen to change, so what it shows is no longer what it showed before. */
  moved: z.literal(true).optional(),
  /** Since when the target whose turn it is has been as it should be. */
  backAt: z.number().optional(),
  /** Nothing starts until a person continues with the line `next`. */
  paused: z.object({ at: z.number(), why: z.string(), next: z.number().int() }).optional(),
  /** Who asked to end it after the target whose turn it is. */
  stopping: z.object({ by: actor }).optional(),
});

/** One change that somebody wants, from `proposed` to its end. Times are epoch milliseconds. */
export const request = z.object({
  id: z.string(),
  /** Grows by one with every step; a step names the version it was decided on. */
  version: z.number().int(),
  state: z.enum(states),
  operation: z.string(),
  /** As given, before transformation; parsed again when run. Secrets as names. */
  input: z.record(z.string(), z.unknown()),
  /** The command in words, to run it again. */
  words: z.string(),
  target,
  targetKey: z.string(),
  /** What will be sent, as it was shown. */
  preview: z.array(fact),
  requester: actor,
  place,
  reason: z.string().optional(),
  breakGlass: z.string().optional(),
  decision: requestDecision,
  approvals: z.array(approval),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Who clicked last and when: confirmed, cancelled, denied. */
  decidedBy: actor.optional(),
  decidedAt: z.number().optional(),
  /** For people: what to know before it is let run, then why it was refused or cancelled. */
  note: z.string().optional(),
  /** When the last attempt at the same began, where nobody knows what came of that. */
  lastUnknownAt: z.number().optional(),
  startedAt: z.number().optional(),
  /** The claim it runs by: of all the processes that tried to start it, this names the one that did. */
  runner: z.string().optional(),
  /** While running: after this its process is taken for crashed. By the clock of the database. */
  leaseUntil: z.number().optional(),
  /** The target as read just before sending. */
  before: z.record(z.string(), z.string()).optional(),
  endedAt: z.number().optional(),
  outcome: requestOutcome.optional(),
  policyHash: z.string(),
  correlationId: z.string(),
  /** Its card, once one was posted: a row that was read before does not know it. */
  card: messageRef.optional(),
  review: requestReview.optional(),
  /** The newest message that announced the review. */
  reviewMessage: messageRef.optional(),
  reviewClosed: z.object({ by: actor, at: z.number(), word: z.string() }).optional(),
  /** Of a rollout, whose targets each have a request of their own. */
  rollout: rollout.optional(),
  /** The rollout that this is a single request of. */
  partOf: z.string().optional(),
});

export type Request = Readonly<z.output<typeof request>>;
export type RequestOutcome = Readonly<z.output<typeof requestOutcome>>;
export type RequestDecision = Readonly<z.output<typeof requestDecision>>;
export type Rollout = Readonly<z.output<typeof rollout>>;
export type RolloutLine = Readonly<z.output<typeof rolloutLine>>;

/** The state as people read it: a rollout is also paused, done or stopped. */
export function stateWord({ state, rollout: progress }: Pick<Request, 'state' | 'rollout'>): string {
  if (progress?.startedAt === undefined) return state;
  if (state === 'running') return progress.paused ? 'paused' : state;
  if (state === 'succeeded') return 'done';
  return isOpen(state) ? state : 'stopped';
}

/** What a step may set beside the state; undefined leaves it. The identity of a request never changes. */
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
