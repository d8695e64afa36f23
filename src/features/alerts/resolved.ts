import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { CardPorts, Host } from '../../host/feature.ts';
import { cardKind, type Handler } from '../../model/records/due.ts';
import type { OfferMessage } from '../../model/records/offer.ts';
import { isWaiting, type Request } from '../../model/records/request.ts';
import { shortName } from '../../model/records/whole.ts';
import type { Registry } from '../../model/registry.ts';
import type { CardLines } from '../../slack/cards/card-lines.ts';
import { textMessage } from '../../slack/render/blocks.ts';
import { mention, safeLine } from '../../slack/render/text.ts';
import { afterChange, type AlertGroup, changeBefore, changesUnder, changeText } from './changes.ts';
import { groupOf, resolvedKind } from './group/group-due.ts';
import { readAlert } from './group/record.ts';
import { titleOf } from './render.ts';

/**
 * Notifies the people whose change came before the end of an alert, or still waits for them, in the alert's thread. The cards of
 * waiting changes are drawn again.
 */
export const createResolvedHandler = ({ store, registry, api, clock, disclaimers }: Host): Handler => ({
  kind: resolvedKind,
  atOnce: 3,
  trouble: 'the end of an alert could not be posted in its thread',
  giveUpAfterMs: 60 * 60_000,
  async handle(due) {
    const found = await groupOf(store, due);
    const message = found && (await store.findOffer(found.messageId));
    if (message?.ts === undefined) return { done: true };
    const changes = await changesUnder(store, message);
    const now = clock.now();
    // A card that another process is posting says so by itself. If it was made due here, it could be posted twice.
    for (const { id: key } of changes.filter((change) => isWaiting(change) && change.card))
      await store.countDue({ kind: cardKind, key, at: now }, now);
    const text = resolvedText(registry, message, changes);
    if (text !== undefined)
      await api.postMessage(message.channel, textMessage(text, disclaimers), message.ts);
    return { done: true };
  },
});

/** The alert of a message, if it is resolved. */
function resolvedAlert(message: OfferMessage | undefined): AlertGroup | undefined {
  const { group } = message ?? {};
  const content = group?.status === 'resolved' ? readAlert(group.content) : undefined;
  return group && content && { ...group, content };
}

/**
 * For example `@Alice ✅ DiskFull on db-1: resolved 40 s after *Reboot db-1* (production).` A change that still waits has a line of
 * its own.
 */
export function resolvedText(
  registry: Registry,
  message: OfferMessage,
  changes: readonly Request[],
): string | undefined {
  const alert = resolvedAlert(message);
  if (!alert) return undefined;
  const title = `✅ ${safeLine(titleOf(alert.content), 300)}`;
  const last = changeBefore(alert, changes);
  const lines = [
    ...(last
      ? [
          `${mention(last.change.requester)} ${title}: resolved ${afterChange(registry, alert, changes).join('')}.`,
        ]
      : []),
    ...changes
      .filter(isWaiting)
      .map((change) => `${mention(change.requester)} ${title} is resolved. ${waitsText(registry, change)}`),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

function waitsText(registry: Registry, change: Request): string {
  const what = changeText(registry, change);
  const waits =
    change.state === 'proposed' ? `You have not confirmed ${what}` : `${what} still needs approval`;
  return `${waits}; cancel it if it is not needed.`;
}

/** Says on the card of a waiting change that the alert of its thread is resolved. */
export const resolvedLines =
  ({ store, registry }: CardPorts): CardLines =>
  async (request) => {
    const { channel, thread: ts } = request.place;
    const alert = ts === undefined ? undefined : resolvedAlert(await store.findOfferAt({ channel, ts }));
    if (!alert) return [];
    const { content, statusAt } = alert;
    const verb = actionLabelOf(registry.find(request.operation), request);
    const at = content.until ?? statusAt;
    return [['✅ The alert was resolved ', { at }, `. Still ${verb} ${shortName(request)}?`]];
  };
