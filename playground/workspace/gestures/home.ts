import { sendEvent } from '../dispatch/events.ts';
import { viewPayload } from '../dispatch/payloads.ts';
import { DIRECT_MESSAGES } from '../conversations/directory.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { stateValues } from '../views/view-state.ts';
import { personOf, refused } from './outcomes.ts';
import type { Workspace } from '../workspace.ts';

/** A person opens the Home tab: app_home_opened. Only people of the app's own workspace have one. */
export async function openHome(workspace: Workspace, gesture: Gesture<'home'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  if (person.kind === 'stranger')
    return refused('not_available', 'People from another organization have no Home tab for this app.');
  if (!workspace.manifest.homeTab)
    return refused('home_tab_disabled', 'The manifest does not enable the Home tab.');
  const home = workspace.views.home(person.id);
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: DIRECT_MESSAGES.find(({ members }) => members[0] === person.id)?.id,
    tab: 'home',
    event_ts: workspace.ids.ts(workspace.clock.now()),
    view: home && viewPayload(home, stateValues(home.blocks, {})),
  };
  sendEvent(workspace, 'app_home_opened', event);
  return { ok: true };
}
