import type { Acknowledgement } from '../dispatch/dispatcher.ts';
import { findPerson, type Member } from '../conversations/directory.ts';
import type { Workspace } from '../workspace.ts';
import type { Outcome } from './gestures.ts';

export function refused(error: string, message: string): Outcome & { ok: false } {
  return { ok: false, error, message };
}

/** A gesture that Slack's own client would not let a person make. */
export class RefusedGesture extends Error {
  override readonly name = 'RefusedGesture';
  readonly outcome: Outcome & { ok: false };

  constructor(error: string, message: string) {
    super(message);
    this.outcome = refused(error, message);
  }
}

/** @throws RefusedGesture if no one has this id */
export function personOf(id: string): Member {
  const person = findPerson(id);
  if (person === undefined) throw new RefusedGesture('unknown_person', `There is no person ${id} here.`);
  return person;
}

/** The message to a person whose click or form did not reach the app. */
export function failure(acknowledgement: Acknowledgement & { ok: false }): Outcome & { ok: false } {
  return refused(
    acknowledgement.error,
    acknowledgement.error === 'operation_timeout'
      ? 'The app did not answer within 3 seconds (operation_timeout).'
      : 'The app could not be reached, or answered with an error (dispatch_failed).',
  );
}

/** Also shows the problem on the actor's page, and returns it. */
export function toastFailure(
  { bus }: Workspace,
  failed: Outcome & { ok: false },
  { user, session }: { readonly user: string; readonly session: string },
): Outcome {
  bus.publish({ type: 'toast', error: failed.error, text: failed.message }, { users: [user], session });
  return failed;
}
