import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { checkView, type CheckedView } from '../blocks/check-view.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import type { DrawnView } from '../protocol.ts';

export interface OpenView extends CheckedView {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  /** The page in which the view is open; "" for a Home view. */
  readonly session: string;
  readonly root_view_id: string;
  readonly previous_view_id: string | null;
}

/** Modals that are open, a stack for each page, and the Home view of each person. */
export interface Views {
  stack(session: string): readonly OpenView[];
  /** Closes the session's open modals and opens this one. Also returns the closed ones. */
  open(view: CheckedView, user: string, session: string): { opened: OpenView; closed: readonly OpenView[] };
  /** Undefined when the stack is full. */
  push(view: CheckedView, onto: OpenView): OpenView | undefined;
  update(current: OpenView, view: CheckedView): OpenView;
  /** Removes the view and all above it, or with `all` the whole stack. Returns the removed views, top first. */
  close(view: OpenView, all: boolean): OpenView[];
  find(idOrExternalId: string): OpenView | undefined;
  home(user: string): OpenView | undefined;
  publishHome(view: CheckedView, user: string): OpenView;
}

export function createViews(ids: Ids, clock: Clock, database: DatabaseSync): Views {
  const stacks = new Map<string, OpenView[]>();
  const homes = keptHomes(database);
  const hash = () => `${ids.ts(clock.now())}.${ids.next('')}`;
  const stack = (session: string) => stacks.get(session) ?? [];
  const make = (view: CheckedView, user: string, session: string, below?: OpenView): OpenView => {
    const id = ids.next('V0');
    return {
      ...view,
      id,
      hash: hash(),
      user,
      session,
      root_view_id: below?.root_view_id ?? id,
      previous_view_id: below?.id ?? null,
    };
  };
  return {
    stack,
    open(view, user, session) {
      const closed = stack(session);
      const opened = make(view, user, session);
      stacks.set(session, [opened]);
      return { opened, closed };
    },
    push(view, onto) {
      const below = stack(onto.session);
      if (below.length >= LIMITS.viewStack) return undefined;
      const pushed = make(view, onto.user, onto.session, below.at(-1));
      stacks.set(onto.session, [...below, pushed]);
      return pushed;
    },
    update(current, view) {
      const updated: OpenView = { ...current, ...view, hash: hash() };
      stacks.set(
        current.session,
        stack(current.session).map((one) => (one.id === current.id ? updated : one)),
      );
      return updated;
    },
    close(view, all) {
      const open = stack(view.session);
      const index = all ? 0 : open.findIndex(({ id }) => id === view.id);
      if (index < 0) return [];
      stacks.set(view.session, open.slice(0, index));
      return open.slice(index).toReversed();
    },
    find: (id) =>
      [...[...stacks.values()].flat(), ...homes.all()].find(
        (view) => view.id === id || (view.external_id !== '' && view.external_id === id),
      ),
    home: homes.find,
    publishHome(view, user) {
      const published = { ...make(view, user, ''), id: homes.find(user)?.id ?? ids.next('V0') };
      homes.save(published);
      return published;
    },
  };
}

/**
 * Whether another view has the same external_id, which is unique in a workspace.
 * @param current the view that is replaced
 */
export function isDuplicate(views: Views, { external_id }: CheckedView, current?: OpenView): boolean {
  const holder = views.find(external_id);
  return holder !== undefined && holder.id !== current?.id;
}

const rowSchema = z.object({ user: z.string(), json: z.string() });
const savedHomeSchema = z.object({ id: z.string(), hash: z.string(), view: z.unknown() });

/** Home views are kept on disk, as Slack keeps them; they pass the same check when read again. */
function keptHomes(database: DatabaseSync) {
  const homes = new Map<string, OpenView>();
  for (const row of database.prepare('SELECT user, json FROM homes').all()) {
    const { user, json } = rowSchema.parse(row);
    const { id, hash, view } = savedHomeSchema.parse(JSON.parse(json));
    const checked = checkView(view, { type: 'home', newBlockId: () => '', hasFile: () => true });
    if (!checked.ok) continue;
    homes.set(user, {
      ...checked.view,
      id,
      hash,
      user,
      session: '',
      root_view_id: id,
      previous_view_id: null,
    });
  }
  const insert = database.prepare('INSERT OR REPLACE INTO homes (user, json) VALUES (?, ?)');
  return {
    all: () => [...homes.values()],
    find: (user: string) => homes.get(user),
    save(home: OpenView) {
      homes.set(home.user, home);
      const { id, hash, blocks, private_metadata, callback_id, external_id } = home;
      const view = { type: 'home', blocks, private_metadata, callback_id, external_id };
      insert.run(home.user, JSON.stringify({ id, hash, view }));
    },
  };
}

/** A view as the page draws it. */
export function shownView(view: OpenView): DrawnView {
  const { id, type, callback_id, hash, title, submit, close, notify_on_close, clear_on_close, blocks } = view;
  return { id, type, callback_id, hash, title, submit, close, notify_on_close, clear_on_close, blocks };
}
