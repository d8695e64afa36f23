import { z } from 'zod';

import { changedSighting, wordsOf } from '../../bellhop/operation.ts';
import type { Observation, Operation } from '../../model/operation.ts';
import type { Target } from '../../model/rulebook/target.ts';
import { badConfiguration, BellhopError } from '../../model/values/errors.ts';
import { boundReport, boundText } from './bound-report.ts';
import {
  brokenText,
  declaredOnly,
  type Guards,
  messageOf,
  mistakeOf,
  reported,
  shaped,
  shownText,
} from './guards.ts';

export function boundLooks(declared: Operation, { safe, strict }: Guards) {
  const { name } = declared;
  return {
    observe: strict(
      'observe',
      async (...given) => readObservation(`observe of ${name}`, await declared.observe?.(...given)),
      (error) => error,
    ),
    sighting: safe(
      'sighting',
      (...given) => boundReport(declared.sighting?.(...given)),
      (given) => changedSighting(...given),
    ),
    isRunning: strict(
      'isRunning',
      async (...given) => perhaps.parse(await declared.isRunning?.(...given)),
      reported,
    ),
    isKnown: strict(
      'isKnown',
      async (...given) => perhaps.parse(await declared.isKnown?.(...given)),
      mistakeOf(`isKnown of ${name}`),
    ),
  } satisfies Partial<Operation>;
}

export function boundWatch(
  name: string,
  watch: NonNullable<Operation['watch']>,
  { safe }: Guards,
): typeof watch {
  const what = `watch.progress of ${name}`;
  const look = safe<[seen: Observation], { progress: z.output<typeof progress>; problem?: string }>(
    'watch.progress',
    (seen) => ({
      progress: shaped(progress, watch.progress(seen), '“there”, “on its way” or “broken”'),
    }),
    (_given, error) => ({ progress: 'on its way', problem: brokenText(what, error) }),
  );
  const guarded = {
    returns: watch.returns,
    progress: (seen: Observation) => look(seen).progress,
    answered: safe(
      'watch.answered',
      (output: unknown) => readObservation(`watch.answered of ${name}`, watch.answered?.(output)),
      () => undefined,
    ),
    there: safe(
      'watch.there',
      (target: Target) => shownText(watch.there(target), 200),
      ([{ name: target }]) => `${target} is in its expected state`,
    ),
    words: safe(
      'watch.words',
      (seen: Observation) => shownText(watch.words(seen), 200),
      ([seen]) => wordsOf(seen),
    ),
  };
  return { ...declaredOnly(guarded, watch), problem: (seen) => look(seen).problem };
}

export const boundTasks = (
  name: string,
  tasks: NonNullable<Operation['tasks']>,
  { safe, strict }: Guards,
): typeof tasks => ({
  ...tasks,
  // The change has been made. Without task ids, Bellhop does not follow it.
  ...(tasks.started && {
    started: safe(
      'tasks.started',
      (output) => taskIds.parse(tasks.started?.(output)),
      () => [],
    ),
  }),
  finished: safe(
    'tasks.finished',
    (...given) => boundText(tasks.finished(...given), 200),
    ([target]) => `${name} on ${target.name}: done`,
  ),
  ...(tasks.read && {
    read: strict('tasks.read', async (...given) => task.parse(await tasks.read?.(...given)), unreadable),
  }),
  ...(tasks.search && {
    search: strict(
      'tasks.search',
      async (...given) => taskList.parse(await tasks.search?.(...given)),
      unreadable,
    ),
  }),
});

/** Tasks that cannot be read prove nothing. */
const unreadable = (error: unknown): BellhopError =>
  new BellhopError('rejected', `The tasks cannot be read: ${messageOf(reported(error))}.`, { cause: error });

const progress = z.enum(['there', 'on its way', 'broken']);
const perhaps = z.boolean().optional();

const word = z.string().max(200);
/** Many services number their tasks. */
const taskId = z.union([z.string(), z.int(), z.bigint()]).transform(String).pipe(word);
const taskIds = z.array(taskId).max(20);
const task = z.object({
  id: taskId,
  state: z.enum(['open', 'finished', 'failed']),
  type: word,
  stateName: word,
  created: z.object({ from: z.number(), to: z.number() }).optional(),
  user: word.optional(),
  request: word.optional(),
  error: z
    .unknown()
    .transform((error) => (error === undefined ? undefined : boundText(error, 1000)))
    .optional(),
});
const taskList = z.object({
  tasks: z.array(task).max(1000),
  complete: z.boolean(),
  named: z.boolean(),
  serviceTime: z.number().optional(),
});

const maxSeen = 20;

const observation = z.record(z.string(), z.union([z.string(), z.number(), z.bigint(), z.boolean()]));

/**
 * @throws BellhopError if the value is not an observation; the caller logs the error, because a change does not depend
 * on observations
 */
function readObservation(what: string, seen: unknown): Observation | undefined {
  if (seen === undefined || seen === null) return undefined;
  const { data } = observation.safeParse(seen);
  if (data === undefined)
    throw badConfiguration(
      `${what} must resolve to a few named texts, such as { state: 'active' }, or to undefined. Fix its file.`,
    );
  const entries = Object.entries(data).slice(0, maxSeen);
  return Object.fromEntries(entries.map(([key, value]) => [shownText(key, 60), shownText(value, 200)]));
}
