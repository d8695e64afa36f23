import type { Caller } from '../model/actor.ts';
import { entryOf } from '../audit/entries.ts';
import type { Entry } from '../registry.ts';
import type { Context } from '../context.ts';
import { mayOpen } from './forms.ts';
import type { Values } from '../grammar/grammar.ts';
import { DeniedError } from '../policy/denied.ts';
import type { CommandOptions } from '../grammar/option-tokens.ts';
import type { RequestFilter } from '../model/ports.ts';
import type { Request } from '../request/request.ts';

/** A form to be filled in. */
export interface BegunForm {
  readonly kind: 'form';
  readonly entry: Entry;
  /** What it shows from the start. */
  readonly values: Values;
  readonly options: CommandOptions;
  /** The earlier request that it is filled in from; its secrets are names. */
  readonly source?: Request;
}

/**
 * A form with what was typed over what `source` asked for, or over what the operation begins with.
 * @throws DeniedError, after it was recorded
 */
export async function beginForm(
  context: Context,
  caller: Caller,
  { entry, values, options }: { entry: Entry; values: Values; options: CommandOptions },
  asked?: Request,
): Promise<BegunForm> {
  await open(context, caller, entry);
  const bellhop = { requests: (filter: RequestFilter) => context.store.list(filter) };
  const source = asked ?? (await entry.operation.formSource?.({ bellhop }));
  return {
    kind: 'form',
    entry,
    values: { ...source?.input, ...values },
    options,
    ...(source === undefined ? {} : { source }),
  };
}

/**
 * The request that an open form was filled in from, for fields that come to be shown later. Undefined where it is gone or
 * of another operation: the form itself says which one it was, and may lie.
 * @throws DeniedError for somebody who could not open the form
 */
export async function sourceOf(
  context: Context,
  { actor, place }: Caller,
  entry: Entry,
  requestId: string,
): Promise<Request | undefined> {
  await mayOpen(context, actor, place, entry);
  const request = await context.store.find(requestId);
  return request?.operation === entry.operation.name ? request : undefined;
}

/** @throws DeniedError, after it was recorded */
async function open(context: Context, caller: Caller, entry: Entry): Promise<void> {
  const { actor, place, correlationId } = caller;
  try {
    await mayOpen(context, actor, place, entry);
  } catch (error) {
    if (error instanceof DeniedError) {
      const operation = entry.operation.name;
      const about = { actor, place, correlationId, operation, decision: 'deny', rule: error.rule };
      await context.store.record([entryOf(context, 'denied', about)]);
    }
    throw error;
  }
}
