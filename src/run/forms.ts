import type { z } from 'zod';

import type { Actor, Caller, Place } from '../model/actor.ts';
import type { Entry } from '../model/registry.ts';
import type { Reach, Rules, RunnerContext, Secrets } from '../model/ports.ts';
import { pastedSecret } from '../command/grammar/secrets.ts';
import { BellhopError } from '../model/errors.ts';
import { type EnteredCommand, sentence, valueAt, type Values } from '../command/grammar/grammar.ts';
import { offered, rolesNow } from '../policy/authorize.ts';
import { cannotTellAdvice, channelChoice, DeniedError, typedName, whoHolds } from '../policy/denied.ts';
import type { FormPlan, InputFault } from '../model/operation.ts';
import { neededSomewhere } from '../policy/policy.ts';
import { reachOf } from '../policy/reach.ts';
import { faultsBefore, lookBack, secretFaults } from '../policy/input-faults.ts';
import type { Request } from '../model/request.ts';
import type { Requests } from '../model/requests.ts';

/** As an input's fault, which may be in a field of rows. */
export interface FieldFault extends InputFault {
  /** In a field of rows: which of those that hold anything, from 0, and which column. */
  readonly cell?: { readonly row: number; readonly column: string };
}

const mostFaults = 30;

/** What can be said about a form without asking the service: its schema, its target, what was sent before. */
export async function faultsOf(
  context: Secrets & Pick<SourceContext, 'store'>,
  entry: Entry,
  values: Values,
): Promise<readonly FieldFault[]> {
  const pasted = Object.entries(values).flatMap(([field, value]) => {
    const refusal = pastedSecret(context, value);
    return refusal ? [{ field, text: refusal.message }] : [];
  });
  if (pasted.length > 0) return pasted;
  const input = entry.operation.input.safeParse(values);
  if (!input.success)
    return input.error.issues.slice(0, mostFaults).map((issue) => faultOf(entry, issue, values));
  try {
    entry.operation.target(input.data, context.rulebook().inventory);
    const faults = secretFaults(context, entry, values);
    return faults.length > 0 ? faults : await faultsBefore(context, entry, input.data);
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    const field = entry.fields.find(({ positional }) => positional) ?? entry.fields[0];
    return [{ field: field?.name ?? '', text: error.message }];
  }
}

/** In the words of the form: its labels. What was entered is not repeated: it may be a secret in the wrong place. */
function faultOf(entry: Entry, issue: z.core.$ZodIssue, values: Values): FieldFault {
  const { path } = issue;
  const missing = issue.code === 'invalid_type' && valueAt(values, path) === undefined;
  const message = missing ? 'is missing' : issue.message;
  const [name, row, column] = path;
  const field = entry.fields.find((candidate) => candidate.name === name);
  if (!field) return { field: '', text: sentence(message) };
  if (typeof row !== 'number' || typeof column !== 'string')
    return { field: field.name, text: sentence(`${field.label}: ${message}`) };
  const label = field.columns.find((candidate) => candidate.name === column)?.label ?? field.label;
  return { field: field.name, text: sentence(`${label}: ${message}`), cell: { row, column } };
}

/** Slack gives 3 s to open a form or to answer one, for all that it takes. In milliseconds. */
const planWithinMs = 1_000;

/** Which fields a form shows for what was entered so far; undefined: all of them, also where it takes over a second. */
export async function planOf(
  context: Reach & Pick<RunnerContext, 'clock' | 'log'>,
  caller: Caller,
  entry: Entry,
  values: Values,
): Promise<FormPlan | undefined> {
  const { clock, log } = context;
  const { correlationId } = caller;
  const signal = AbortSignal.timeout(planWithinMs);
  const plan = async (): Promise<FormPlan | undefined> =>
    entry.operation.form?.(values, reachOf(context, entry, { correlationId, values, signal }));
  const planned = plan().catch((error: unknown) => {
    log.warn({ err: error, correlationId }, 'a form is shown whole: its plan failed');
    return undefined;
  });
  return Promise.race([planned, clock.wait(planWithinMs).then(() => undefined)]);
}

/** A form is only shown to whom some rule could let through: it would list the inventory. @throws DeniedError */
export async function mayOpen(context: Rules, actor: Actor, place: Place, entry: Entry): Promise<void> {
  const entries = await offered(context, actor, place);
  if (entries.includes(entry)) return;
  const { policy } = context.rulebook();
  const { team } = actor;
  const { operation } = entry;
  const roles = await rolesNow(context, actor);
  const question = { operation, team, place, roles, breakGlass: false, now: context.clock.now() };
  const { needed, cannotTell = false } = neededSomewhere(policy, question);
  const { elsewhere = [] } = needed;
  const command = typedName(entry);
  const text = cannotTell
    ? `Bellhop can't tell right now who you are, so you can't run ${command} yet. ${cannotTellAdvice}`
    : elsewhere.length > 0
      ? [`You can't run ${command} in this channel. Use `, ...channelChoice(elsewhere), '. Nothing was done.']
      : `You can't run ${command} here: no rule allows it. Nothing was done.`;
  const whoMay = whoHolds(context, needed.roles, elsewhere.length > 0 ? [] : needed.channels);
  throw new DeniedError(text, 'no rule', whoMay, { retryable: cannotTell, by: 'none' });
}

/** A form to be filled in. */
export interface BegunForm extends EnteredCommand {
  readonly kind: 'form';
  /** The earlier request that it is filled in from; its secrets are names. */
  readonly source?: Request | undefined;
}

interface SourceContext extends Rules {
  readonly store: Pick<Requests, 'find' | 'list'>;
}

/**
 * A form with what was typed over the input of `earlier`, or of the request that the operation begins with.
 * @throws DeniedError
 */
export async function beginForm(
  context: SourceContext,
  { actor, place }: Caller,
  { entry, values, options }: EnteredCommand,
  earlier?: Request,
): Promise<BegunForm> {
  await mayOpen(context, actor, place, entry);
  const source = earlier ?? (await entry.operation.formSource?.(lookBack(context)));
  return { kind: 'form', entry, values: { ...source?.input, ...values }, options, source };
}

/**
 * The request that an open form was filled in from, for fields that come to be shown later. Undefined where it is gone or
 * of another operation: the form itself says which one it was, and may lie.
 * @throws DeniedError for somebody who could not open the form
 */
export async function sourceOf(
  context: SourceContext,
  { actor, place }: Caller,
  entry: Entry,
  requestId: string,
): Promise<Request | undefined> {
  await mayOpen(context, actor, place, entry);
  const request = await context.store.find(requestId);
  return request?.operation === entry.operation.name ? request : undefined;
}
