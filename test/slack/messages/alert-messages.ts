import type { AlertMessage } from '../../../src/model/records/alert.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { parseDelivery } from '../../../src/alerts/sources/parse-delivery.ts';
import { operations } from '../../../src/operations/index.ts';
import { alertRenderer } from '../../../src/slack/messages/render-alert.ts';
import { hooksSection } from '../../../src/alerts/section.ts';
import { rulesOf, sampleRules } from '../../alerts/sources/hook-server.ts';

export const rulebook = rulesOf(sampleRules);
export const registry = createRegistry(operations, rulebook.extensions);
export const at = Date.UTC(2026, 10, 21, 3, 0);

export function messageOf(body: string, more: Partial<AlertMessage> = {}): AlertMessage {
  const hook = hooksSection.of(rulebook)['grafana'];
  const delivery = hook && parseDelivery(hook, rulebook.inventory, Buffer.from(body));
  if (delivery?.kind !== 'update') throw new Error(JSON.stringify(delivery));
  const { status, content } = delivery.update;
  return {
    id: 'a-1',
    hook: 'grafana',
    channel: 'C0INC42',
    version: 1,
    shownVersion: 0,
    openedAt: at,
    group: { status, content, statusAt: at },
    ...more,
  };
}

export function rendered(message: AlertMessage, rules = rulebook) {
  const shown = alertRenderer({ registry, rulebook: () => rules, disclaimers: [] })(message);
  if (!shown) throw new Error('nothing to show');
  return shown;
}

/** The label and action of each button. */
export const buttonsOf = (message: AlertMessage, rules = rulebook): readonly string[] =>
  rendered(message, rules).blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) => (element.type === 'button' ? [element.text.text] : []))
      : [],
  );
