import type { Host } from '../../host/feature.ts';
import type { Handler } from '../../model/records/due.ts';
import type { OfferMessage } from '../../model/records/offer.ts';
import type { Request } from '../../model/records/request.ts';
import type { Registry } from '../../model/registry.ts';
import { textMessage } from '../../slack/render/blocks.ts';
import { mention, safeLine } from '../../slack/render/text.ts';
import { afterChange, changeBefore, changesUnder } from './changes.ts';
import { groupOf, resolvedKind } from './group/group-due.ts';
import { readAlert } from './group/record.ts';
import { titleOf } from './render.ts';

/** Notifies the person whose change came before the end of an alert, in the alert's thread. */
export const createResolvedHandler = ({ store, registry, api, disclaimers }: Host): Handler => ({
  kind: resolvedKind,
  atOnce: 3,
  trouble: 'the end of an alert could not be posted in its thread',
  giveUpAfterMs: 60 * 60_000,
  async handle(due) {
    const found = await groupOf(store, due);
    const message = found && (await store.findOffer(found.messageId));
    if (message?.ts === undefined) return { done: true };
    const text = resolvedText(registry, message, await changesUnder(store, message));
    if (text !== undefined)
      await api.postMessage(message.channel, textMessage(text, disclaimers), message.ts);
    return { done: true };
  },
});

/** For example `@Alice ✅ DiskFull on db-1: resolved 40 s after *Reboot db-1* (production).` */
export function resolvedText(
  registry: Registry,
  { group }: OfferMessage,
  changes: readonly Request[],
): string | undefined {
  const content = group && readAlert(group.content);
  const alert = content && { ...group, content };
  const last = alert && changeBefore(alert, changes);
  if (!last) return undefined;
  const after = afterChange(registry, alert, changes).join('');
  return `${mention(last.change.requester)} ✅ ${safeLine(titleOf(content), 300)}: resolved ${after}.`;
}
