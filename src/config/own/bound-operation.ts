import { z } from 'zod';

import { maskedInHook, type OwnFile, OwnWord } from '../../bellhop/own-hook.ts';
import type { Operation } from '../../model/operation.ts';
import { target } from '../../model/rulebook/target.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { boundFacts, boundReport } from './bound-report.ts';
import { boundLooks, boundTasks, boundWatch } from './bound-watch.ts';
import {
  brokenText,
  checkFirst,
  declaredOnly,
  type Guards,
  guardsOf,
  isMistake,
  messageOf,
  mistakeOf,
  shaped,
  shownText,
} from './guards.ts';

/**
 * Results are parsed and bounded, learnt secrets are masked, and errors say what happened to the change. Each callback is guarded once.
 * Errors made by `refused` and `notSent` keep their code.
 */
export function boundOperation(declared: Operation, file: OwnFile): Operation {
  const { name, risk, tasks, watch } = declared;
  const guards = guardsOf(name, file);
  const { strict } = guards;
  const isRead = risk === 'read';
  const followed = tasks && boundTasks(name, tasks, guards);
  const guarded: Partial<Operation> = {
    run: strict(
      'run',
      async (...given) => {
        try {
          return await declared.run(...given);
        } catch (error) {
          if (isRead) throw error;
          if (file.hasOwnClient?.()) throw unproven(name, error);
          throw await contradicted(followed, error, ...given);
        }
      },
      (error) => {
        const how = isRead ? 'failed' : 'ended with an error';
        const broke = isMistake(error) ? brokenText(name, error) : `${name} ${how}: ${messageOf(error)}.`;
        return isRead
          ? new BellhopError(isMistake(error) ? 'configuration' : 'rejected', broke, { cause: error })
          : new BellhopError('unknown-outcome', `${broke} ${checkFirst}`, { cause: error });
      },
    ),
    // If this fails after a completed change, a replacement report says that the change is complete.
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
          ? brokenText(`The preview of ${name}`, error)
          : `${name} has no preview: ${messageOf(error)}.`;
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
    ...(followed && { tasks: followed }),
  };
}

/**
 * A service that refused a call may have made the change all the same, for example because a proxy repeated the call. If
 * one of the service's tasks has the id of the request, the outcome is unknown, and that task settles it later.
 */
async function contradicted(
  tasks: Operation['tasks'],
  error: unknown,
  ...[input, context]: Parameters<Operation['run']>
): Promise<unknown> {
  if (!(error instanceof BellhopError) || error instanceof OwnWord || error.code !== 'rejected') return error;
  const period = { from: context.now, to: context.now };
  const found = await tasks?.search?.(input, period, context).catch(() => undefined);
  const isMarked = found?.tasks.some(({ request }) => request === context.request.id) ?? false;
  const text = `${error.message} But the service has a task with this request's id.`;
  return isMarked ? new BellhopError('unknown-outcome', text, { cause: error }) : error;
}

/** An error of `http` or `secret` does not show what the file may have sent with its own client. */
const unproven = (name: string, error: unknown): unknown =>
  !(error instanceof BellhopError) || error instanceof OwnWord || error.code === 'unknown-outcome'
    ? error
    : new BellhopError(
        'unknown-outcome',
        `${name} can send without Bellhop, and ended with an error: ${error.message} ${checkFirst}`,
        { cause: error },
      );

/** These callbacks prepare a command, so their errors are shown as errors of the command, with the cause. */
function boundInput(declared: Operation, { strict, sync, safe }: Guards) {
  const { name, summary, lookUp } = declared;
  const isField = (field: string): boolean => Object.hasOwn(declared.input.shape, field);
  return {
    target: sync(
      'target',
      (...given) =>
        shaped(ownTarget, declared.target(...given), 'a target with a name of 1 to 200 characters'),
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
      async (...given) =>
        shaped(
          formPlan.refine(({ fields, redraw }) => [...fields, ...redraw].every(isField)),
          await declared.form?.(...given),
          '{ fields, redraw }, with fields of input',
        ),
      mistakeOf(`The form of ${name}`),
    ),
    faults: strict(
      'faults',
      async (...given) =>
        shaped(
          faults.refine((all) => all.every(({ field }) => isField(field))),
          await declared.faults?.(...given),
          'a list of { field, text }, each with a field of input',
        ),
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
const completion = z.object({ name: text(200), title: text(200).optional(), about: text(200) });
/** Slack shows at most 100 suggestions. */
const completions = z
  .array(z.unknown())
  .transform((all) => all.slice(0, 100))
  .pipe(z.array(completion));
const ownTarget = target
  .refine(({ name }) => name.trim() !== '' && name.length <= 200)
  .transform((found) => (found.kind === 'own' ? { ...found, name: maskedInHook(found.name) } : found));
