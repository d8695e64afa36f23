import type { Asker } from '../../core/model/actor.ts';
import { briefUsage } from '../../core/grammar/help.ts';
import { renderHome } from '../render/home.ts';
import type { Surface } from './context.ts';

const mostShown = 10;

/** Publishes somebody's Home tab as things are now. Never throws: it is only a view. */
export async function showHome(surface: Surface, asker: Asker): Promise<void> {
  const { executor } = surface;
  try {
    const [offered, open, mine] = await Promise.all([
      executor.offered(asker),
      executor.openItems(asker.actor),
      executor.requestItems({ requester: asker.actor, limit: mostShown }),
    ]);
    const view = renderHome({
      commands: offered.map((entry) => ({ usage: briefUsage(entry), summary: entry.operation.summary })),
      open,
      recent: mine.filter(({ id }) => !open.some((waiting) => waiting.id === id)),
      notices: surface.notices,
    });
    await surface.api.publishHome(asker.actor.user, view);
  } catch (error) {
    surface.log.warn({ err: error, user: asker.actor.user }, 'the Home tab could not be shown');
  }
}
