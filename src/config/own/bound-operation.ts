import { z } from 'zod';

import { changedSighting, wordsOf } from '../../bellhop/operation.ts';
import { maskedInHook, type OwnFile, OwnWord } from '../../bellhop/own-hook.ts';
import { badConfiguration, BellhopError, errorCode } from '../../model/values/errors.ts';
import type { Observation, Operation } from '../../model/operation.ts';
import { target, type Target } from '../../model/rulebook/target.ts';
import { boundFacts, boundReport, boundText, WrongShape } from './bound-report.ts';
import { type Guards, guardsOf, reported } from './guards.ts';

/**
 * Makes your own operation safe for the rest of Bellhop. Its results are parsed and bounded here, learnt secrets are
 * masked, and its errors say what happened to the change. Each callback is guarded once. Errors made by `refused` and
 * `notSent` keep their code.
 */
export function boundOperation(declared: Operation, file: OwnFile): Operation {
  const { name, risk, tasks, watch } = declared;
  const guards = guardsOf(name, file);
  const { strict } = guards;
  const isRead = risk === 'read';
  const guarded: Partial<Operation> = {
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
      (error) => (isRead ? mistakeOf(`The report of ${name}`)(error) : error),
    ),
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
    ...boundInput(declared, guards),
    ...boundLooks(declared, guards),
  };
  return {
    ...declared,
    ...declaredOnly(guarded, declared),
    ...(watch && { watch: boundWatch(name, watch, guards) }),
    ...(tasks && { tasks: boundTasks(name, tasks, guards) }),
  };
}

/** Drops the members that the operation does not have. */
function declaredOnly<T extends object>(guarded: T, declared: object): T {
  for (const name of Object.keys(guarded))
    if (Reflect.get(declared, name) === undefined) Reflect.deleteProperty(guarded, name);
  return guarded;
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

/** What is called before a command is run. An error is the command's own, with its cause. */
function boundInput(declared: Operation, { strict, sync, safe }: Guards) {
  const { name, summary, lookUp } = declared;
  return {
    target: sync(
      'target',
      (...given) => shaped(target, declared.target(...given), 'a target'),
      mistakeOf(`The target of ${name}`),
    ),
    actionLabelFor: safe(
      'actionLabelFor',
      (...given) => shownText(declared.actionLabelFor?.(...given), 40) || undefined,
      () => undefined,
    ),
    effect: safe(
      'effect',
      (...given) => shownText(declared.effect?.(...given), 300) || summary,
      () => summary,
    ),
    form: strict(
      'form',
      async (...given) => shaped(formPlan, await declared.form?.(...given), '{ fields, redraw }'),
      mistakeOf(`The form of ${name}`),
    ),
    formSource: strict(
      'formSource',
      async (...given) => declared.formSource?.(...given),
      mistakeOf(`The form of ${name}`),
    ),
    faults: strict(
      'faults',
      async (...given) => shaped(faults, await declared.faults?.(...given), 'a list of { field, text }'),
      mistakeOf(`The check of ${name}`),
    ),
    ...(lookUp && {
      lookUp: {
        ...lookUp,
        find: strict(
          'lookUp.find',
          async (...given) => shaped(completions, await lookUp.find(...given), 'a list of { name, about }'),
          mistakeOf(`The look-up of ${name}`),
        ),
      },
    }),
  } satisfies Partial<Operation>;
}

function boundLooks(declared: Operation, { safe, strict }: Guards) {
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

const shownText = (value: unknown, longest: number): string => maskedInHook(boundText(value, longest));

function boundWatch(name: string, watch: NonNullable<Operation['watch']>, { safe }: Guards): typeof watch {
  const what = `watch.progress of ${name}`;
  const look = safe<[seen: Observation], { progress: z.output<typeof progress>; problem?: string }>(
    'watch.progress',
    (seen) => ({
      progress: shaped(progress, watch.progress(seen), '“there”, “on its way” or “broken”'),
    }),
    (_given, error) => ({ progress: 'on its way', problem: broken(what, error) }),
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

const mistakeOf =
  (what: string) =>
  (error: unknown): BellhopError =>
    badConfiguration(broken(what, error), { cause: error });

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
const perhaps = z.boolean().optional();

const text = (longest: number) => z.string().transform((value) => shownText(value, longest));
const names = z.array(z.string()).max(100);
const formPlan = z.object({
  fields: names,
  redraw: names,
  required: names.optional(),
  columns: z.record(z.string(), names).optional(),
  note: text(2000).optional(),
});
const faults = z.array(z.object({ field: z.string(), text: text(1000) })).max(100);
const completions = z.array(z.object({ name: text(200), title: text(200).optional(), about: text(200) }));

/** @throws WrongShape */
function shaped<T>(schema: z.ZodType<T>, value: unknown, wanted: string): T {
  const { success, data } = schema.safeParse(value);
  if (success) return data;
  throw new WrongShape(`it must return ${wanted}`);
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
