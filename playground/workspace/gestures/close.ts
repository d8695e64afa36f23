import { closedPayload } from '../dispatch/payloads.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { closeModals } from '../views/show-view.ts';
import { stateValues } from '../views/view-state.ts';
import { personOf, refused, type Desk } from './desk.ts';

/** A person closes a modal: Cancel closes the one on top, X all of them. The app is told where it asked for it. */
export async function close({ workspace, dispatcher }: Desk, gesture: Gesture<'close'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const view = workspace.views.find(gesture.view_id);
  if (view === undefined || view.user !== person.id || view.type !== 'modal')
    return refused('not_found', 'This form is not open any more.');
  const cleared = gesture.all || view.clear_on_close;
  const closed = closeModals(workspace, view, cleared);
  for (const one of closed.filter(({ notify_on_close }) => notify_on_close)) {
    const payload = closedPayload(person, one, stateValues(one.blocks, {}), cleared);
    void dispatcher.deliver({ kind: 'interactive', name: 'view_closed', payload });
  }
  return { ok: true };
}
