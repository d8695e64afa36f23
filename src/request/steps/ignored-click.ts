import { tryRecord } from '../../audit/entries.ts';
import type { Context } from '../../model/context.ts';
import { samePerson, type Caller } from '../../model/actor.ts';
import { BellhopError } from '../../model/errors.ts';
import { isOpen, type Request } from '../../model/request.ts';

interface IgnoredClick extends Caller {
  readonly requestId: string;
  readonly action: string;
}

/** The click did nothing, for this reason. `request` is its state now, where it exists. */
export class IgnoredClickError extends BellhopError {
  override readonly name = 'IgnoredClickError';
  readonly request: Request | undefined;

  constructor(message: string, request: Request | undefined, until?: number) {
    super('denied', message, { until });
    this.request = request;
  }
}

/** Within this time the second click of one person on one button is a double click, in milliseconds. */
const doubleClickMs = 2_000;

/** Whether a click that did nothing only repeats what this person has just confirmed or cancelled: no answer is needed. */
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

/** Why a late click does nothing, in words; the surface adds who and when from the request. */
export const stateNow = ({ target, state }: Request): string =>
  isOpen(state)
    ? `The request for ${target.name} is ${state}: this button does nothing now. Nothing more was run.`
    : `The request for ${target.name} is already ${state}. Nothing more was run.`;

/** Records a click that did nothing, and why. `request` is what it meant, as it is now. Never rejects. */
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
