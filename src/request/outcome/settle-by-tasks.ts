import { stepEntry } from '../../audit/entries.ts';
import type { RunnerContext } from '../../model/ports.ts';
import type { Outcome } from '../../model/records/due.ts';
import type { Fact } from '../../model/values/report.ts';
import { targetKey } from '../../model/rulebook/target.ts';
import type { Entry } from '../../model/registry.ts';
import { type Request, startOf } from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import type { Start, StartFilter } from '../../model/records/requests.ts';
import { changeTasks, stepFrom, stepOnNewest } from '../steps/step.ts';
import { amendUnknown, lookAgain, type News } from './sighting.ts';
import {
  type TaskEvidence,
  askTasks,
  assumedSkewMs,
  byServiceClock,
  endByTasks,
  findOurTask,
  maybeOurs,
  nextPause,
  unproven,
} from './tasks.ts';
import type { Period, Task, TaskList } from '../../model/operation.ts';
import { plainPart } from '../../text/parts.ts';
import { namesOfPeople } from '../../policy/denied.ts';

type Search = NonNullable<RequestOutcome['search']>;

/** In milliseconds after an unknown outcome. */
const searchMs = 60 * 60_000;

const longestPauseMs = 5 * 60_000;

/** In milliseconds after the end. Until then, the process that ran the change checks the target itself. */
const firstLooksMs = 10_000;

/** Earlier requests, newest first, that are read to learn which user the service records for our API key. */
const maxEarlier = 200;

/** In milliseconds. With a larger clock difference, the service's tasks are not evidence. */
const maxSkewMs = 5 * 60_000;

/** In milliseconds. An earlier change with an unknown outcome may run up to this much later, so its task may appear in our window. */
const lateMs = 60 * 60_000;

export async function searchAgain(context: RunnerContext, request: Request): Promise<Outcome> {
  const entry = context.registry.find(request.operation);
  if (!entry || !request.outcome?.search) return { done: true };
  const elapsedMs = (): number => context.clock.now() - (request.endedAt ?? request.createdAt);
  await context.correlated('check', request.correlationId, async () => {
    await searchTasks(context, entry, request);
    if (elapsedMs() >= firstLooksMs) await lookAgain(context, entry, request);
  });
  return elapsedMs() < searchMs ? { againIn: nextPause(elapsedMs(), longestPauseMs) } : { done: true };
}

/** Because a person asked, whether or not a check is due. */
export async function lookNow(context: RunnerContext, entry: Entry, request: Request): Promise<void> {
  await searchTasks(context, entry, request, { asked: true });
  await lookAgain(context, entry, request);
}

async function searchTasks(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  by: Pick<Search, 'asked'> = {},
): Promise<void> {
  const sent = request.outcome?.search?.sent;
  if (!sent || !changeTasks(context, entry)?.search) return;
  const found = await find(context, entry, request, sent);
  if (found.kind === 'unproven') return say(context, request, found.why, { mayHaveRun: found.mayHaveRun });
  const { list, window, basis } = found;
  if (found.finding.kind === 'none') {
    const over = (list.serviceTime ?? context.clock.now() - assumedSkewMs) > window.to;
    return over ? say(context, request, noTaskText(entry), { suggests: 'failed', ...by }) : undefined;
  }
  const { task } = found.finding;
  const facts: Fact[] = [
    { label: 'Settled by task', value: task.id },
    { label: 'Task type', value: task.type },
    createdFact(task.created),
    { label: 'Task state', value: task.stateName },
  ];
  const end = endByTasks(context, entry, request, [task], facts);
  if (!end)
    return say(context, request, `Task ${task.id} belongs to this request and is still ${task.stateName}.`, {
      suggests: 'succeeded',
      mayHaveRun: true,
    });
  // Rounded up to whole seconds, so that the window never looks narrower than it was.
  const between = `between ${plainPart({ at: window.from })} and ${plainPart({ at: window.to + 999 })} (service clock, ${basis})`;
  const proof = isMarked(task)
    ? `was created with the id of this request, ${request.id}`
    : `is the only one that Bellhop's key, user ${task.user}, created ${between}. Nothing else was sent to ${request.target.name} after it`;
  await settle(
    context,
    request,
    end.state,
    { ...end.outcome, serviceRequestId: request.outcome?.serviceRequestId, settledBy: task.id },
    { evidence: `Task ${task.id} (${task.type}, ${task.stateName}) ${proof}`, alone: !isMarked(task) },
  );
}

/** The service keeps our request's id with the task, so no other request can have created it. */
const isMarked = ({ request }: Task): boolean => request !== undefined;

const noTaskText = ({ verb }: Entry): string =>
  `The service has no ${verb} task from the time of this change, so the change most likely did not run.`;

type Found =
  | Extract<TaskEvidence, { kind: 'unproven' }>
  | {
      readonly kind: 'found';
      readonly finding: Exclude<TaskEvidence, { kind: 'unproven' }>;
      readonly list: TaskList;
      /** When the change may have been sent, by the service's clock. */
      readonly window: Period;
      readonly basis: string;
    };

async function find(context: RunnerContext, entry: Entry, request: Request, sent: Period): Promise<Found> {
  const asked = context.clock.now();
  const wide = { from: sent.from - maxSkewMs, to: sent.to + maxSkewMs };
  const list = await askTasks(context, entry, request, (tasks, reach, input) =>
    tasks.search?.(input, wide, reach),
  );
  const answered = context.clock.now();
  if (!list) return unproven("The service's tasks could not be read.");
  const { serviceTime } = list;
  if (serviceTime !== undefined && Math.abs(serviceTime - answered) > maxSkewMs)
    return unproven(
      "The service's clock differs from Bellhop's by more than five minutes, so its tasks can't be used as evidence.",
    );
  const window = byServiceClock(sent, { from: asked, to: answered }, serviceTime);
  const finding = findOurTask(list, window, { id: request.id, user: await ownUser(context, request) });
  if (finding.kind === 'unproven') return finding;
  if (finding.kind === 'ours' && !isMarked(finding.task)) {
    const others = await context.store.started([startsNear(request)]);
    const other = others.find((start) => start.id !== request.id && mayBeOf(request, start));
    if (other) {
      return maybeOurs(
        `Task ${finding.task.id} was created when this was sent. It may also be ${await otherText(context, other)}.`,
      );
    }
  }
  const basis =
    serviceTime === undefined
      ? `assuming clocks differ by at most ${assumedSkewMs / 1000} s`
      : 'from its Date header';
  return { kind: 'found', finding, list, window, basis };
}

async function otherText(context: RunnerContext, other: Start): Promise<string> {
  const { id, operation, requester, startedAt, state, settled, target } = other;
  const who = await namesOfPeople(context, [requester]);
  const verb = context.registry.find(operation)?.verb ?? operation;
  const verdict = settled === undefined ? '' : `, which a person settled as ${state}`;
  return `${who}'s ${verb} of ${target.name} at ${plainPart({ at: startedAt })} (${id})${verdict}`;
}

/** Changes to one target run one after another, so these cover the window. */
const maxNear = 100;

const startsNear = (request: Request): StartFilter => ({
  since: startOf(request) - lateMs,
  targetKey: request.targetKey,
  limit: maxNear,
});

/**
 * Another change to the same target could have created the task if it started later, or if it started earlier and its outcome was not
 * proved.
 */
const mayBeOf = (
  request: Request,
  { target, startedAt, state, settled }: Omit<Start, 'requester'>,
): boolean =>
  targetKey(target) === request.targetKey &&
  (startedAt >= startOf(request) || state === 'unknown' || settled !== undefined);

/**
 * The service's user for our API key, learned from the tasks of earlier changes. For a custom operation, only those to the same target,
 * because another target may belong to another service.
 */
async function ownUser(
  { store }: RunnerContext,
  { target, targetKey: key }: Request,
): Promise<string | undefined> {
  const isOwn = target.kind === 'own';
  const states = ['succeeded', 'failed'] as const;
  const earlier = await store.list({ states, limit: maxEarlier, targetKey: isOwn ? key : undefined });
  return earlier.find(
    (one) => (one.target.kind === 'own') === isOwn && one.outcome?.tasks?.user !== undefined,
  )?.outcome?.tasks?.user;
}

type Finding = Pick<Search, 'suggests' | 'mayHaveRun' | 'asked'>;

const isEvidence = ({ suggests, mayHaveRun }: Finding): boolean => (suggests ?? mayHaveRun) !== undefined;

/**
 * Keeps earlier evidence if a later check finds none, for example because it can't read the tasks.
 * @param found `suggests` is the likely outcome, which is preselected in “Settle…”
 */
async function say(
  context: RunnerContext,
  { id, outcome }: Request,
  text: string,
  found: Finding,
): Promise<void> {
  const { suggests, mayHaveRun, asked } = found;
  const seen = context.redact(text);
  const after = (known: Search): Search =>
    isEvidence(known) && !isEvidence(found)
      ? { ...known, unconfirmed: true }
      : { sent: known.sent, seen, suggests, mayHaveRun, asked, at: context.clock.now() };
  const known = outcome?.search;
  const next = known && after(known);
  if (next?.seen === known?.seen && next?.unconfirmed === known?.unconfirmed) return;
  const amend = (now?: RequestOutcome) => ({ ...now, search: now?.search && after(now.search) });
  await amendUnknown(context, id, amend, correction);
}

/** The notice of the outcome asks people to check. One more notice corrects it if Bellhop's own check shows what to do instead. */
const correction: News = ({ search, error }, before) =>
  search?.suggests === 'failed' && !search.asked && before?.search?.suggests !== 'failed'
    ? { kind: 'unknown', why: error?.summary ?? error?.message }
    : undefined;

/**
 * One conditional update, retried if a sighting was stored at the same time.
 * @param alone the evidence counts only if nothing else was sent to the target, which the same transaction checks
 */
async function settle(
  context: RunnerContext,
  request: Request,
  to: 'succeeded' | 'failed',
  outcome: RequestOutcome,
  { evidence, alone }: { readonly evidence: string; readonly alone: boolean },
): Promise<void> {
  const audit = [stepEntry(context, 'settled', request, to, { note: context.redact(evidence) })];
  const check = {
    of: [startsNear(request)],
    admits: (started: readonly Start[]) => !started.some((start) => mayBeOf(request, start)),
  };
  await stepOnNewest(context, async () => {
    const current = await context.store.find(request.id);
    if (current?.state !== 'unknown') return undefined;
    const step = stepFrom(context, current, to, { outcome }, audit);
    return alone ? { ...step, check } : step;
  });
}

function createdFact(created: Period | undefined): Fact {
  if (!created) return { label: 'Created', value: 'not given' };
  const at = { at: created.from };
  return { label: 'Created', value: plainPart(at), parts: [at] };
}
