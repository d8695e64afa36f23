import type { Asker } from '../core/actor.ts';
import { usage } from '../core/help.ts';
import type { PressAction } from '../core/press-types.ts';
import { isOpen, type Request } from '../core/request.ts';
import { isFirst } from './first-delivery.ts';
import { eventCallback } from './payloads.ts';
import { type HomeRequest, renderHome } from './render-home.ts';
import type { Surface } from './surface.ts';

const mostShown = 10;

/** Somebody opened the app's Home tab: what it is, what they may do, what waits. */
export async function onHome(surface: Surface, raw: unknown): Promise<void> {
  const body = eventCallback.parse(raw);
  const { user } = body.event;
  if (typeof user !== 'string' || !(await isFirst(surface, ['event', body.event_id]))) return;
  const team = body.team_id ?? surface.ownTeam;
  const asker: Asker = {
    actor: { team, user },
    // The Home tab is in no channel: only rules without channels hold there.
    place: { team, channel: user },
    correlationId: surface.ids.correlation(),
  };
  try {
    const { executor } = surface;
    const [offered, open, mine] = await Promise.all([
      executor.offered(asker),
      executor.openRequests(asker.actor),
      executor.requests({ requester: asker.actor, limit: mostShown }),
    ]);
    const view = renderHome({
      commands: offered.map((entry) => ({ usage: usage(entry), summary: entry.operation.summary })),
      open: open.map(({ request, actions }) => listed(surface, request, actions)),
      recent: mine.filter(({ state }) => !isOpen(state)).map((request) => listed(surface, request, [])),
      notices: surface.notices,
    });
    await surface.api.publishHome(user, view);
  } catch (error) {
    surface.log.warn({ err: error, user }, 'the Home tab could not be shown');
  }
}

function listed(surface: Surface, request: Request, buttons: readonly PressAction[]): HomeRequest {
  const entry = surface.executor.catalogue.find(request.operation);
  return {
    request,
    verb: entry?.verb ?? request.operation,
    risk: entry?.operation.risk ?? 'destructive',
    buttons,
  };
}
