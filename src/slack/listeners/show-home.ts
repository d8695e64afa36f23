import type { Caller } from '../../core/model/actor.ts';
import { briefUsage } from '../../core/grammar/help.ts';
import { renderHome } from '../render/home.ts';
import type { SlackContext } from './context.ts';

const mostShown = 10;

/** Publishes somebody's Home tab as things are now. Never throws: it is only a view. */
export async function showHome(context: SlackContext, caller: Caller): Promise<void> {
  const { bellhop } = context;
  try {
    const [offered, open, mine] = await Promise.all([
      bellhop.offered(caller),
      bellhop.openItems(caller.actor),
      bellhop.requestItems({ requester: caller.actor, limit: mostShown }),
    ]);
    const view = renderHome({
      commands: offered.map((entry) => ({ usage: briefUsage(entry), summary: entry.operation.summary })),
      open,
      recent: mine.filter(({ id }) => !open.some((waiting) => waiting.id === id)),
      notices: context.notices,
    });
    await context.api.publishHome(caller.actor.user, view);
  } catch (error) {
    context.log.warn({ err: error, user: caller.actor.user }, 'the Home tab could not be shown');
  }
}
