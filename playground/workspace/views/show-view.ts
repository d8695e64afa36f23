import type { CheckedView } from '../blocks/check-view.ts';
import { shownView, type OpenView } from './views.ts';
import type { Workspace } from '../workspace.ts';

/** Opens a modal in a page, in place of the modals that were open there. */
export function openModal(
  { views, bus }: Workspace,
  view: CheckedView,
  user: string,
  session: string,
): OpenView {
  const { opened, closed } = views.open(view, user, session);
  if (closed.length > 0)
    bus.publish({ type: 'view-closed', view_ids: closed.map(({ id }) => id) }, { session });
  bus.publish({ type: 'view-opened', view: shownView(opened) }, { session });
  return opened;
}

/** Puts a modal on top; undefined when there are three already. */
export function pushModal(
  { views, bus }: Workspace,
  view: CheckedView,
  onto: OpenView,
): OpenView | undefined {
  const pushed = views.push(view, onto);
  if (pushed !== undefined)
    bus.publish({ type: 'view-pushed', view: shownView(pushed) }, { session: onto.session });
  return pushed;
}

export function updateModal({ views, bus }: Workspace, current: OpenView, view: CheckedView): OpenView {
  const updated = views.update(current, view);
  bus.publish({ type: 'view-updated', view: shownView(updated) }, { session: current.session });
  return updated;
}

/** Closes a modal and those above it, or all of the page. Returns the closed ones, top first. */
export function closeModals({ views, bus }: Workspace, view: OpenView, all: boolean): OpenView[] {
  const closed = views.close(view, all);
  bus.publish({ type: 'view-closed', view_ids: closed.map(({ id }) => id) }, { session: view.session });
  return closed;
}

/** Sets what a person sees on the Home tab. */
export function showHome({ views, bus }: Workspace, view: CheckedView, user: string): OpenView {
  const home = views.publishHome(view, user);
  bus.publish({ type: 'home', view: shownView(home) }, { users: [user] });
  return home;
}
