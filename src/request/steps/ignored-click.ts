import { tryRecord } from '../../audit/entries.ts';
import type { Context } from '../../model/ports.ts';
import { samePerson, type Caller } from '../../model/actor.ts';
import { BellhopError } from '../../model/errors.ts';
import { isOpen, type Request } from '../../model/request.ts';

interface IgnoredClick extends Caller {
  readonly requestId: string;
  readonly action: string;
}

/** Why a click did nothing. `request` is the current row, if it exists. */
export class IgnoredClickError extends BellhopError {
  override readonly name = 'IgnoredClickError';
  readonly request: Request | undefined;

  constructor(message: string, request: Request | undefined, until?: number) {
    super('denied', message, { until });
    this.request = request;
  }
}

/** A second click of one person on one button within this time is a double click, in milliseconds. */
const doubleClickMs = 2_000;

/** Whether this person has just confirmed or cancelled the same request: a double click gets no answer. */
export function isDoubleClick(
  request: Request,
  { actor, action }: Pick<IgnoredClick, 'actor' | 'action'>,
  now: number,
): boolean {
  const { requester, decidedBy, decidedAt, startedAt, state } = request;
  const done = action === 'confirm' ? startedAt !== undefined : action === 'cancel' && state === 'cancelled';
  if (!done || !decidedBy || decidedAt === undefined) return false;
  return samePerson(actor, requester) && samePerson(decidedBy, requester) && now - decidedAt < doubleClickMs;
}

/** Why a late click does nothing. The surface adds who and when. */
export const stateNow = ({ target, state }: Request): string =>
  isOpen(state)
    ? `The request for ${target.name} is already ${state}. This click did nothing.`
    : `The request for ${target.name} is already ${state}. This click did nothing.`;

/** Records a click that did nothing, and why. `request` is the current row. Never rejects. */
export async function auditIgnoredClick(
  context: Context,
  { actor, place, correlationId, requestId, action }: IgnoredClick,
  request: Request | undefined,
  reason: unknown,
): Promise<void> {
  const note = reason instanceof BellhopError ? reason.message : 'unexpected';
  await tryRecord(context, 'ignored click', {
    actor,
    place,
    requestId: requestId.slice(0, 64),
    correlationId,
    note: `${action}: ${note}`,
    operation: request?.operation,
    target: request?.target,
    outcome: request?.state,
  });
}
