import { type Caller, samePerson } from '../model/actor.ts';
import { type AuditContext, entryOf, tryRecord } from '../audit/entries.ts';
import type { AuditLog } from '../model/audit.ts';
import type { Rules, Secrets } from '../model/context.ts';
import { BellhopError } from '../model/errors.ts';
import { requireRole } from '../policy/authorize.ts';
import { DeniedError, whoHolds } from '../policy/denied.ts';
import { refusePastedSecrets } from '../command/grammar/secrets.ts';
import type { Review, Reviews } from '../model/requests.ts';
import { anyone } from '../policy/roles.ts';

interface ReviewContext extends Rules, Secrets, AuditContext {
  readonly store: Pick<AuditLog, 'record'> & Pick<Reviews, 'findReview' | 'closeReview'>;
}

const longestWord = 500;

/**
 * The review of a request, where this person may close it: another than who broke the glass, and a full member or one
 * who might have approved.
 * @throws DeniedError, BellhopError
 */
export async function reviewToClose(
  context: ReviewContext,
  { actor }: Caller,
  requestId: string,
): Promise<Review> {
  const review = await context.store.findReview(requestId);
  if (!review) throw new BellhopError('denied', 'There is no such review. Nothing was done.');
  if (review.closedAt !== undefined) throw closedAlready(review);
  const whoMay = whoHolds(context, review.approvers, [], review.openedBy);
  if (samePerson(review.openedBy, actor)) {
    const text = 'You broke the glass: another person has to close its review. Nothing was done.';
    throw new DeniedError(text, review.rule, whoMay);
  }
  const refusal = new DeniedError('You may not close this review. Nothing was done.', review.rule, whoMay);
  await requireRole(context, actor, [anyone, ...review.approvers], refusal);
  return review;
}

/** Closes a review with a word. Attempts that come to nothing are recorded too. @throws DeniedError, BellhopError */
export async function closeReview(
  context: ReviewContext,
  caller: Caller,
  requestId: string,
  word: string,
): Promise<Review> {
  const { actor, place, correlationId } = caller;
  const about = { actor, place, correlationId, requestId: requestId.slice(0, 64) };
  try {
    const review = await reviewToClose(context, caller, requestId);
    refusePastedSecrets(context, word);
    const said = readWord(word);
    const at = context.clock.now();
    const { rule } = review;
    const audit = [entryOf(context, 'review closed', { ...about, rule, reason: said })];
    const closed = await context.store.closeReview({ requestId, by: actor, at, word: said, audit });
    if (closed) return closed;
    throw closedAlready(review);
  } catch (error) {
    const note = `review: ${error instanceof BellhopError ? error.message : 'unexpected'}`;
    await tryRecord(context, 'ignored click', { ...about, note });
    throw error;
  }
}

/** @throws BellhopError `bad-input` */
function readWord(word: string): string {
  const said = word.trim();
  if (said === '') throw new BellhopError('bad-input', 'Describe the outcome. Nothing was done.');
  if (said.length <= longestWord) return said;
  throw new BellhopError('bad-input', `That is longer than ${longestWord} characters. Shorten it.`);
}

const closedAlready = ({ requestId }: Review): BellhopError =>
  new BellhopError('denied', `The review of ${requestId} is closed already. Nothing was done.`);
