import { type Caller, samePerson } from '../../model/values/actor.ts';
import { type AuditContext, entryOf } from '../../audit/entries.ts';
import type { AuditLog } from '../../model/records/audit.ts';
import type { Rules, Secrets } from '../../model/ports.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import { requireRole } from '../../policy/authorize.ts';
import { DeniedError, whoHolds } from '../../policy/denied.ts';
import type { Request } from '../../model/records/request.ts';
import type { Requests, Reviews } from '../../model/records/requests.ts';
import { anyone } from '../../policy/roles.ts';
import { auditIgnoredClick } from '../../request/steps/step.ts';
import { readReason } from '../../policy/reason.ts';
import { reviewClosed } from './events.ts';

interface ReviewContext extends Rules, Secrets, AuditContext {
  readonly store: Pick<AuditLog, 'record'> & Pick<Requests, 'find'> & Pick<Reviews, 'closeReview'>;
}

/**
 * The person must be a full member or an approver, and not the requester.
 * @throws DeniedError, BellhopError
 */
export async function reviewToClose(
  context: ReviewContext,
  { actor }: Caller,
  requestId: string,
): Promise<Request> {
  const request = await context.store.find(requestId);
  if (!request?.review) throw new BellhopError('denied', 'That review does not exist. Nothing was done.');
  if (request.reviewClosed) throw closedAlready(request);
  const { rule, approvers } = request.review;
  const whoMay = whoHolds(context, approvers, [], request.requester);
  if (samePerson(request.requester, actor)) {
    const text = 'You used break-glass, so someone else has to close its review. Nothing was done.';
    throw new DeniedError(text, rule, whoMay);
  }
  const refusal = new DeniedError("You can't close this review. Nothing was done.", rule, whoMay);
  await requireRole(context, actor, [anyone, ...approvers], refusal);
  return request;
}

/** Failed attempts are also recorded. @throws DeniedError, BellhopError */
export async function closeReview(
  context: ReviewContext,
  caller: Caller,
  requestId: string,
  word: string,
): Promise<Request> {
  const { actor, place, correlationId } = caller;
  const about = { actor, place, correlationId, requestId: requestId.slice(0, 64) };
  try {
    const request = await reviewToClose(context, caller, requestId);
    const said = await readReason(context, word, 'text');
    if (said === '') throw badInput('Describe the outcome.');
    const at = context.clock.now();
    const { operation, target, review } = request;
    const closing = { ...about, operation, target, rule: review?.rule, reason: said };
    const audit = [entryOf(context, reviewClosed.name, closing)];
    const closed = await context.store.closeReview({ requestId, by: actor, at, word: said, audit });
    if (closed) return closed;
    throw closedAlready(request);
  } catch (error) {
    await auditIgnoredClick(context, { ...caller, requestId, action: 'review' }, undefined, error);
    throw error;
  }
}

const closedAlready = ({ id }: Request): BellhopError =>
  new BellhopError('denied', `The review of ${id} is already closed. Nothing was done.`);
