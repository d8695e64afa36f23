import { allBlocks, blockElements } from '../blocks/block-elements.ts';
import type { NamedBlock } from '../blocks/check-blocks.ts';
import { initialValue } from '../page/element-value.js';
import type { ElementValue, StateValues } from '../gestures/gestures.ts';

/**
 * `state.values` of blocks as Slack sends it: every input with what the person entered, or else its initial value.
 * Buttons and overflow menus have no state.
 */
export function stateValues(blocks: readonly NamedBlock[], entered: StateValues): StateValues {
  const values: StateValues = {};
  for (const block of allBlocks(blocks)) {
    const blockId = block.block_id ?? '';
    for (const { element } of blockElements(block)) {
      const initial = initialValue(element);
      if (initial === undefined) continue;
      const id = element.action_id ?? '';
      const given = entered[blockId]?.[id];
      values[blockId] = {
        ...values[blockId],
        [id]: given?.type === initial.type ? given : initial,
      };
    }
  }
  return values;
}

/** Whether a value is empty, so that a required input is incomplete. */
export function isEmpty(value: ElementValue): boolean {
  const { type: _type, ...held } = value;
  return Object.values(held).every(
    (part) => part === null || part === '' || (Array.isArray(part) && part.length === 0),
  );
}
