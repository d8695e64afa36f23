import type { Request } from '../../../../src/model/records/request.ts';
import type { OfferMessage } from '../../../../src/model/records/offer.ts';
import { createRegistry } from '../../../../src/command/grammar/registry.ts';
import { parseDelivery } from '../../../../src/features/alerts/sources/parse-delivery.ts';
import { operations } from '../../../../src/operations/index.ts';
import { renderAlert } from '../../../../src/features/alerts/render.ts';
import { hooksSection } from '../../../../src/features/alerts/group/section.ts';
import { rulesOf } from '../../../rules-of.ts';
import { sampleRules } from '../sources/hook-server.ts';

export const rulebook = rulesOf(sampleRules);
export const registry = createRegistry(operations, rulebook.extensions);
export const at = Date.UTC(2026, 10, 21, 3, 0);

export function messageOf(body: string, more: Partial<OfferMessage> = {}): OfferMessage {
  const hook = hooksSection.of(rulebook)['grafana'];
  const delivery = hook && parseDelivery(hook, rulebook.inventory, Buffer.from(body));
  if (delivery?.kind !== 'update') throw new Error(JSON.stringify(delivery));
  const { status, content } = delivery.update;
  return {
    id: 'a-1',
    source: 'grafana',
    channel: 'C0INC42',
    version: 1,
    shownVersion: 0,
    openedAt: at,
    group: { id: 'g-1', status, content, statusAt: at },
    ...more,
  };
}

export function rendered(message: OfferMessage, rules = rulebook, changes: readonly Request[] = []) {
  const shown = renderAlert({ registry, rulebook: () => rules, disclaimers: [] }, message, changes);
  if (!shown) throw new Error('nothing to show');
  return shown;
}

/** The label and action of each button. */
export const buttonsOf = (message: OfferMessage, rules = rulebook): readonly string[] =>
  rendered(message, rules).blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) => (element.type === 'button' ? [element.text.text] : []))
      : [],
  );
