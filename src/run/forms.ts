import type { Actor, Caller, Place } from '../model/values/actor.ts';
import type { Entry } from '../model/registry.ts';
import { type Reach, type Rules, type RunnerContext, type Secrets, within } from '../model/ports.ts';
import { BellhopError, rescue } from '../model/values/errors.ts';
import { type EnteredCommand, type Values } from '../command/grammar/grammar.ts';
import {
  checkInput,
  type InputIssue,
  issueText,
  problemText,
  sentence,
  valueAt,
} from '../command/grammar/check-input.ts';
import { typedName } from '../command/grammar/registry.ts';
import { resolve } from '../command/resolve.ts';
import { applyRules, offered, rolesNow } from '../policy/authorize.ts';
import { deniedTo } from '../policy/denied.ts';
import type { FormPlan, InputFault } from '../model/operation.ts';
import { neededSomewhere } from '../policy/policy.ts';
import { reachOf, faultsBefore, lookBack, secretFaults } from '../policy/reach.ts';
import { withNamedOptions } from '../policy/reason.ts';
import type { Request } from '../model/records/request.ts';
import type { Requests } from '../model/records/requests.ts';
import { pastedSecret } from '../command/grammar/refuse.ts';

export interface FieldFault extends InputFault {
  /** The position of a fault in a rows field: the index among non-empty rows, from 0, and the column. */
  readonly cell?: { readonly row: number; readonly column: string };
}

const maxFaults = 30;

/** Returns the faults that can be found without a call to the service, in the values, the target and earlier requests. */
export async function faultsOf(
  context: Secrets & Pick<SourceContext, 'store' | 'clock'>,
  entry: Entry,
  values: Values,
): Promise<readonly FieldFault[]> {
  const pasted = Object.entries(values).flatMap(([field, value]) => {
    const refusal = pastedSecret(context, value);
    return refusal ? [{ field, text: refusal.message }] : [];
  });
  if (pasted.length > 0) return pasted;
  const input = checkInput(entry, values);
  if ('issues' in input)
    return input.issues.slice(0, maxFaults).map((issue) => faultOf(entry, issue, values));
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

/** Names fields by the form's labels. Never repeats entered text, which may be a secret in the wrong field. */
function faultOf(entry: Entry, issue: InputIssue, values: Values): FieldFault {
  const { path } = issue;
  const missing = issue.code === 'invalid_type' && valueAt(values, path) === undefined;
  const message = missing ? 'is missing' : issueText(issue, values);
  const [name, row, column] = path;
  const field = entry.fields.find((candidate) => candidate.name === name);
  if (!field) return { field: '', text: sentence(message) };
  if (typeof row !== 'number' || typeof column !== 'string')
    return { field: field.name, text: problemText(field.label, message) };
  const label = field.columns.find((candidate) => candidate.name === column)?.label ?? field.label;
  return { field: field.name, text: problemText(label, message), cell: { row, column } };
}

/** In milliseconds. Slack allows 3 s to open or answer a form. */
const planWithinMs = 1_000;

/** Resolves to undefined, meaning all fields, if there is no plan, or if the plan fails or takes longer than a second. */
export async function planOf(
  context: Reach & Pick<RunnerContext, 'clock' | 'log'>,
  caller: Caller,
  entry: Entry,
  values: Values,
): Promise<FormPlan | undefined> {
  const { clock, log } = context;
  const { correlationId } = caller;
  try {
    return await within(clock, planWithinMs, async (signal) =>
      entry.operation.form?.(values, reachOf(context, entry, { correlationId, values, signal })),
    );
  } catch (error) {
    log.warn({ err: error, correlationId }, 'form shows all fields because its plan failed');
    return undefined;
  }
}

/** A form lists the inventory, so it is shown only to people whom some rule could allow. @throws DeniedError */
export async function mayOpen(context: Rules, actor: Actor, place: Place, entry: Entry): Promise<void> {
  const entries = await offered(context, actor, place);
  if (entries.includes(entry)) return;
  const { policy } = context.rulebook();
  const { team } = actor;
  const { operation } = entry;
  const roles = await rolesNow(context, actor);
  const question = { operation, team, place, roles, now: context.clock.now() };
  throw deniedTo(context, `run ${typedName(entry)}`, neededSomewhere(policy, question));
}

export interface BegunForm extends EnteredCommand {
  readonly kind: 'form';
  /** The earlier request whose input fills in the form. Its input has only the names of secrets. */
  readonly source?: Pick<Request, 'id' | 'input' | 'createdAt'> | undefined;
}

interface SourceContext extends Rules {
  readonly store: Pick<Requests, 'find' | 'list'>;
}

/**
 * Begins a form with the input of `earlier`, or of the last successful request if the operation starts from it. Typed
 * values take precedence.
 * @throws DeniedError
 */
export async function beginForm(
  context: SourceContext,
  { actor, place }: Caller,
  { entry, values, options }: EnteredCommand,
  earlier?: Request,
): Promise<BegunForm> {
  await mayOpen(context, actor, place, entry);
  const last = earlier ? undefined : await lastOf(context, entry, values);
  const source =
    earlier ?? (last && (await mayRun(context, { actor, place }, entry, last.input)) ? last : undefined);
  const named = await withNamedOptions(context, options);
  return { kind: 'form', entry, values: { ...source?.input, ...values }, options: named, source };
}

async function lastOf(context: SourceContext, entry: Entry, values: Values): Promise<BegunForm['source']> {
  const { operation } = entry;
  if (operation.startsFromLast !== true) return undefined;
  const earlier = await lookBack(context, entry, values).earlier();
  const last = earlier.find(({ state }) => state === 'succeeded');
  return last && operation.input.safeParse(last.input).success ? last : undefined;
}

/** People see the input of an earlier change only if the rules allow them to make the same change. */
async function mayRun(context: Rules, asker: Pick<Caller, 'actor' | 'place'>, entry: Entry, values: Values) {
  const command = rescue(() => resolve({ entry, values, options: {} }, context.rulebook().inventory));
  return command !== undefined && (await applyRules(context, command, asker)).decision.effect !== 'deny';
}

/**
 * Returns the request whose values prefill an open form, so that fields added later are prefilled, too. Returns
 * undefined if the request is gone or belongs to another operation. The id comes from the form, so it is untrusted.
 * @throws DeniedError for people who could not open the form
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
