import { z } from 'zod';

import { changedSighting, wordsOf } from '../../bellhop/operation.ts';
import { maskedInHook, type OwnFile, OwnWord } from '../../bellhop/own-hook.ts';
import { badConfiguration, BellhopError, errorCode } from '../../model/values/errors.ts';
import type { Observation, Operation } from '../../model/operation.ts';
import { boundFacts, boundReport, boundText, WrongShape } from './bound-report.ts';
import { type Guards, guardsOf, reported } from './guards.ts';

/**
 * Makes your own operation safe for the rest of Bellhop. Its results are parsed and bounded here, learnt secrets are
 * masked, and its errors say what happened to the change. Each callback is guarded once. Errors made by `refused` and
 * `notSent` keep their code.
 */
export function boundOperation(declared: Operation, file: OwnFile): Operation {
  const { name, risk, summary, tasks } = declared;
  const guards = guardsOf(name, file);
  const { safe, strict } = guards;
  const isRead = risk === 'read';
  return {
    ...declared,
    run: strict(
      'run',
      async (...given) => {
        try {
          return await declared.run(...given);
        } catch (error) {
          throw !isRead && file.hasOwnClient?.() ? unproven(name, error) : error;
        }
      },
      (error) => {
        const broke = isMistake(error) ? broken(name, error) : `${name} failed: ${messageOf(error)}.`;
        return isRead
          ? new BellhopError(isMistake(error) ? 'configuration' : 'rejected', broke, { cause: error })
          : new BellhopError('unknown-outcome', `${broke} ${checkFirst}`, { cause: error });
      },
    ),
    // After a completed change, a replacement report says that the change is complete.
    report: guards.sync(
      'report',
      (...given) => boundReport(declared.report(...given)),
      (error) =>
        isRead ? badConfiguration(broken(`The report of ${name}`, error), { cause: error }) : error,
    ),
    ...(declared.preview && {
      preview: strict(
        'preview',
        async (...given) => boundFacts(await declared.preview?.(...given)),
        (error) => {
          const isOurs = isMistake(error);
          const why = isOurs
            ? broken(`The preview of ${name}`, error)
            : `What ${name} would do cannot be shown: ${messageOf(error)}.`;
          const code = isOurs ? 'configuration' : 'not-sent';
          return new BellhopError(code, `${why} Nothing was done.`, { cause: error });
        },
      ),
    }),
    ...(declared.effect && {
      effect: safe(
        'effect',
        (...given) => shownText(declared.effect?.(...given), 300) || summary,
        () => summary,
      ),
    }),
    ...boundLooks(declared, guards),
    ...(tasks && { tasks: boundTasks(name, tasks, guards) }),
  };
}

/** An error of `http` or `secret` says nothing about what the file sent with a client of its own. */
const unproven = (name: string, error: unknown): unknown =>
  !(error instanceof BellhopError) || error instanceof OwnWord || error.code === 'unknown-outcome'
    ? error
    : new BellhopError(
        'unknown-outcome',
        `${name} can send without Bellhop, and then failed: ${error.message} ${checkFirst}`,
        { cause: error },
      );

function boundLooks(declared: Operation, guards: Guards): Partial<Operation> {
  const { name, watch } = declared;
  const { safe, strict } = guards;
  return {
    ...(declared.observe && {
      observe: strict(
        'observe',
        async (...given) => readObservation(`observe of ${name}`, await declared.observe?.(...given)),
        (error) => error,
      ),
    }),
    ...(declared.sighting && {
      sighting: safe(
        'sighting',
        (...given) => boundReport(declared.sighting?.(...given)),
        (given) => changedSighting(...given),
      ),
    }),
    ...(declared.isRunning && {
      isRunning: strict(
        'isRunning',
        async (...given) =>
          z
            .boolean()
            .optional()
            .parse(await declared.isRunning?.(...given)),
        reported,
      ),
    }),
    ...(watch && { watch: boundWatch(name, watch, guards) }),
  };
}

const shownText = (value: unknown, longest: number): string => maskedInHook(boundText(value, longest));

function boundWatch(name: string, watch: NonNullable<Operation['watch']>, { safe }: Guards): typeof watch {
  const { answered } = watch;
  const what = `watch.progress of ${name}`;
  const look = safe<[seen: Observation], Look>(
    'watch.progress',
    (seen) => ({ progress: readProgress(watch.progress(seen)) }),
    (_given, error) => ({ progress: 'on its way', problem: broken(what, error) }),
  );
  return {
    returns: watch.returns,
    progress: (seen) => look(seen).progress,
    problem: (seen) => look(seen).problem,
    ...(answered && {
      answered: safe(
        'watch.answered',
        (output) => readObservation(`watch.answered of ${name}`, answered.call(watch, output)),
        () => undefined,
      ),
    }),
    there: safe(
      'watch.there',
      (target) => shownText(watch.there(target), 200),
      ([{ name: target }]) => `${target} is in its expected state`,
    ),
    words: safe(
      'watch.words',
      (seen) => shownText(watch.words(seen), 200),
      ([seen]) => wordsOf(seen),
    ),
  };
}

interface Look {
  readonly progress: z.output<typeof progress>;
  readonly problem?: string;
}

const boundTasks = (
  name: string,
  tasks: NonNullable<Operation['tasks']>,
  { safe, strict }: Guards,
): typeof tasks => ({
  ...tasks,
  // The change has been made. Without task ids, Bellhop does not follow it.
  started: safe(
    'tasks.started',
    (output) => taskIds.parse(tasks.started(output)),
    () => [],
  ),
  finished: safe(
    'tasks.finished',
    (...given) => boundText(tasks.finished(...given), 200),
    ([target]) => `${name} on ${target.name}: done`,
  ),
  read: strict('tasks.read', async (...given) => task.parse(await tasks.read(...given)), unreadable),
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

/**
 * The error is a mistake in the file, which a retry does not fix. A TypeError with a cause is different, because
 * `fetch` throws such an error when a call fails.
 */
const isMistake = (error: unknown): error is Error =>
  (error instanceof TypeError && error.cause === undefined) ||
  error instanceof ReferenceError ||
  error instanceof RangeError ||
  error instanceof SyntaxError ||
  error instanceof WrongShape;

const broken = (what: string, error: unknown): string =>
  `${what} is broken: ${messageOf(error)}. Fix its file; the log says where.`;

const checkFirst = 'It may or may not have happened: check before you run it again.';

/** Returns one line without a full stop, because the surrounding sentence adds the full stop. */
const messageOf = (error: unknown): string =>
  shownText(error instanceof Error ? withCause(error) : error, 300)
    .replaceAll(/\s+/gu, ' ')
    .replace(/(?<![.\s])[.\s]+$/u, '') || 'it does not say why';

/** The message of `fetch` says only that it failed. Its cause says why. */
function withCause({ message, cause }: Error): string {
  const why = cause instanceof Error ? cause.message || errorCode(cause) : undefined;
  return why === undefined || message.includes(why) ? message : `${message}: ${why}`;
}

const progress = z.enum(['there', 'on its way', 'broken']);

function readProgress(value: unknown): z.output<typeof progress> {
  const { data } = progress.safeParse(value);
  if (data !== undefined) return data;
  throw new WrongShape('it must return “there”, “on its way” or “broken”');
}

const taskIds = z.array(z.string().max(200)).max(20);
const word = z.string().max(200);
const task = z.object({
  id: word,
  state: z.enum(['open', 'finished', 'failed']),
  type: word,
  stateName: word,
  created: z.object({ from: z.number(), to: z.number() }).optional(),
  user: word.optional(),
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
