import type { AcceptedBlock } from './layout.ts';

type Of<T, K extends string> = T extends { type: K } ? T : never;
type AcceptedElement =
  | Of<AcceptedBlock, 'actions'>['elements'][number]
  | Of<AcceptedBlock, 'context_actions'>['elements'][number]
  | Of<AcceptedBlock, 'input'>['element']
  | NonNullable<Of<AcceptedBlock, 'section'>['accessory']>;
export type ActionElement = Exclude<AcceptedElement, { type: 'image' }>;

/** An interactive element and its path in the block. */
export interface Placed {
  readonly element: ActionElement;
  readonly path: readonly (string | number)[];
}

/** A block and its path in the block that contains it. */
export interface PlacedBlock {
  readonly block: AcceptedBlock;
  readonly path: readonly (string | number)[];
}

/** A block and the blocks in it: the cards of a carousel, the blocks of a container. */
export function withInner(block: AcceptedBlock): PlacedBlock[] {
  const outer = { block, path: [] };
  if (block.type === 'carousel')
    return [outer, ...block.elements.map((card, index) => ({ block: card, path: ['elements', index] }))];
  if (block.type !== 'container') return [outer];
  return [
    outer,
    ...block.child_blocks.map((child, index) => ({ block: child, path: ['child_blocks', index] })),
  ];
}

/** These blocks and all blocks in them. */
export const allBlocks = (blocks: readonly AcceptedBlock[]): AcceptedBlock[] =>
  blocks.flatMap((outer) => withInner(outer).map(({ block }) => block));

/** The interactive elements of a block itself, without the blocks in it, in order. */
export function blockElements(block: AcceptedBlock): Placed[] {
  if (block.type === 'actions' || block.type === 'context_actions')
    return block.elements.map((element, index) => ({ element, path: ['elements', index] }));
  if (block.type === 'card')
    return (block.actions ?? []).map((element, index) => ({ element, path: ['actions', index] }));
  if (block.type === 'input') return [{ element: block.element, path: ['element'] }];
  if (block.type !== 'section' || block.accessory === undefined || block.accessory.type === 'image')
    return [];
  return [{ element: block.accessory, path: ['accessory'] }];
}

/** All options that are part of a select, a set of checkboxes or a menu. */
export function offeredOptions(
  element: ActionElement,
): readonly { value: string; text: { text: string } }[] | undefined {
  if ('option_groups' in element && element.option_groups !== undefined)
    return element.option_groups.flatMap((group) => group.options);
  return 'options' in element ? element.options : undefined;
}
