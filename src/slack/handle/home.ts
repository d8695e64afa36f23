import type { Caller } from '../../model/actor.ts';
import { briefUsage } from '../../command/grammar/help.ts';
import { offered } from '../../policy/authorize.ts';
import { openItems, requestItem } from '../../run/items.ts';
import type { Sender } from '../receive/payloads.ts';
import { renderHome } from '../render/report/home.ts';
import { callerOf, type SlackContext } from '../messages/context.ts';

/** Shows the Home tab to whoever opened it. It is in no channel: only rules without channels hold there. */
export async function handleHomeOpened(context: SlackContext, sender: Sender | undefined): Promise<void> {
  if (sender) await showHome(context, callerOf(context, sender));
}

const maxRecent = 10;

/** Publishes a person's Home tab as things are now. Never throws: it is only a view. */
export async function showHome(context: SlackContext, caller: Caller): Promise<void> {
  try {
    const { actor, place } = caller;
    const [entries, open, mine] = await Promise.all([
      offered(context, actor, place),
      openItems(context, actor),
      context.store.list({ requester: actor, limit: maxRecent }),
    ]);
    const view = renderHome({
      commands: entries.map((entry) => ({ usage: briefUsage(entry), summary: entry.operation.summary })),
      open,
      recent: mine
        .filter(({ id }) => !open.some((waiting) => waiting.id === id))
        .map((request) => requestItem(context.registry, request)),
      notices: context.notices,
    });
    await context.api.publishHome(actor.user, view);
  } catch (error) {
    context.log.warn({ err: error, user: caller.actor.user }, 'Home tab not published');
  }
}
