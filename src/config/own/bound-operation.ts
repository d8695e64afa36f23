import { z } from 'zod';

import { badConfiguration, BellhopError, errorCode } from '../../model/values/errors.ts';
import { orUndefined } from '../../text/words.ts';
import type { Observation, Operation } from '../../model/operation.ts';
import { boundFacts, boundReport, boundText, WrongShape } from './bound-report.ts';

/**
 * Makes your own operation safe for the rest of Bellhop. The results are parsed and bounded here, and the errors say
 * what happened to the change. Errors made by `refused` and `notSent` pass unchanged.
 */
export function boundOperation(declared: Operation): Operation {
  const { name, risk, watch, tasks } = declared;
  const isRead = risk === 'read';
  return {
    ...declared,
    run: async (input, context) => {
      try {
        return await declared.run(input, context);
      } catch (error) {
        if (error instanceof BellhopError) throw error;
        const broke = isMistake(error) ? broken(name, error) : `${name} failed: ${messageOf(error)}.`;
        throw isRead
          ? new BellhopError(isMistake(error) ? 'configuration' : 'rejected', broke, { cause: error })
          : new BellhopError('unknown-outcome', `${broke} ${checkFirst}`, { cause: error });
      }
    },
    report(output, about) {
      try {
        return boundReport(declared.report(output, about));
      } catch (error) {
        // After a completed change, a replacement report says that the change is complete.
        if (!isRead || error instanceof BellhopError) throw error;
        throw badConfiguration(broken(`The report of ${name}`, error), { cause: error });
      }
    },
    ...(declared.preview && {
      async preview(input, target, context) {
        try {
          return boundFacts(await declared.preview?.(input, target, context));
        } catch (error) {
          if (error instanceof BellhopError) throw error;
          const isOurs = isMistake(error);
          const why = isOurs
            ? broken(`The preview of ${name}`, error)
            : `What ${name} would do cannot be shown: ${messageOf(error)}.`;
          throw new BellhopError(isOurs ? 'configuration' : 'not-sent', `${why} Nothing was done.`, {
            cause: error,
          });
        }
      },
    }),
    ...(declared.effect && { effect: (...about) => boundText(declared.effect?.(...about), 300) }),
    ...(declared.observe && {
      observe: async (context) => readObservation(name, await declared.observe?.(context)),
    }),
    ...(declared.sighting && {
      sighting: (before, now, target) => boundReport(declared.sighting?.(before, now, target)),
    }),
    ...(watch && {
      watch: {
        returns: watch.returns,
        progress: (seen) => progress.catch('on its way').parse(watch.progress(seen)),
        there: (target) => boundText(watch.there(target), 200),
        words: (seen) => boundText(watch.words(seen), 200),
      },
    }),
    ...(tasks && { tasks: boundTasks(tasks) }),
  };
}

const boundTasks = (tasks: NonNullable<Operation['tasks']>): typeof tasks => ({
  ...tasks,
  // The change has been made. Without task ids, Bellhop does not follow it.
  started: (output) => taskIds.catch([]).parse(orUndefined(() => tasks.started(output))),
  finished: (target, input) => boundText(tasks.finished(target, input), 200),
  read: async (id, context, input) => readTasks(task, async () => tasks.read(id, context, input)),
  ...(tasks.search && {
    search: async (input, period, context) =>
      readTasks(taskList, async () => tasks.search?.(input, period, context)),
  }),
});

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
  boundText(error instanceof Error ? withCause(error) : error, 300)
    .replaceAll(/\s+/gu, ' ')
    .replace(/(?<![.\s])[.\s]+$/u, '') || 'it does not say why';

/** The message of `fetch` says only that it failed. Its cause says why. */
function withCause({ message, cause }: Error): string {
  const why = cause instanceof Error ? cause.message || errorCode(cause) : undefined;
  return why === undefined || message.includes(why) ? message : `${message}: ${why}`;
}

const progress = z.enum(['there', 'on its way', 'broken']);
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

/** Tasks that cannot be read prove nothing. @throws BellhopError */
async function readTasks<S extends z.ZodType>(schema: S, read: () => Promise<unknown>): Promise<z.output<S>> {
  try {
    return schema.parse(await read());
  } catch (error) {
    if (error instanceof BellhopError) throw error;
    throw new BellhopError('rejected', `The tasks cannot be read: ${messageOf(error)}.`, { cause: error });
  }
}

const maxSeen = 20;

const observation = z.record(z.string(), z.union([z.string(), z.number(), z.bigint(), z.boolean()]));

/**
 * @throws BellhopError if the value is not an observation; the caller logs the error, because a change does not depend
 * on observations
 */
function readObservation(name: string, seen: unknown): Observation | undefined {
  if (seen === undefined || seen === null) return undefined;
  const { data } = observation.safeParse(seen);
  if (data === undefined)
    throw badConfiguration(
      `observe of ${name} must resolve to a few named texts, such as { state: 'active' }, or to undefined. Fix its file.`,
    );
  const entries = Object.entries(data).slice(0, maxSeen);
  return Object.fromEntries(entries.map(([key, value]) => [boundText(key, 60), boundText(value, 200)]));
}
