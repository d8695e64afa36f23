import type { Caller } from '../model/actor.ts';
import type { Entry } from '../registry.ts';
import type { People } from '../context.ts';
import { mayOpen } from './forms.ts';
import type { EnteredCommand } from '../grammar/grammar.ts';
import type { RequestFilter, Requests } from '../request/requests.ts';
import type { Request } from '../request/request.ts';

/** A form to be filled in. */
export interface BegunForm extends EnteredCommand {
  readonly kind: 'form';
  /** The earlier request that it is filled in from; its secrets are names. */
  readonly source?: Request | undefined;
}

interface SourceContext extends People {
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
  const bellhop = { requests: (filter: RequestFilter) => context.store.list(filter) };
  const { extensions } = context.rulebook();
  const source = earlier ?? (await entry.operation.formSource?.({ bellhop, extensions }));
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
