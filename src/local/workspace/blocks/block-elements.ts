import type { AcceptedBlock } from './layout.ts';

type Of<T, K extends string> = T extends { type: K } ? T : never;
type AcceptedElement =
  | Of<AcceptedBlock, 'actions'>['elements'][number]
  | Of<AcceptedBlock, 'input'>['element']
  | NonNullable<Of<AcceptedBlock, 'section'>['accessory']>;
export type ActionElement = Exclude<AcceptedElement, { type: 'image' }>;

/** An interactive element with where it stands in its block. */
export interface Placed {
  readonly element: ActionElement;
  readonly path: readonly (string | number)[];
}

/** The interactive elements of a block, in their order. */
export function blockElements(block: AcceptedBlock): Placed[] {
  if (block.type === 'actions')
    return block.elements.map((element, index) => ({ element, path: ['elements', index] }));
  if (block.type === 'input') return [{ element: block.element, path: ['element'] }];
  if (block.type !== 'section' || block.accessory === undefined || block.accessory.type === 'image')
    return [];
  return [{ element: block.accessory, path: ['accessory'] }];
}

/** All options that a select, a set of checkboxes or a menu offers by itself. */
export function offeredOptions(
  element: ActionElement,
): readonly { value: string; text: { text: string } }[] | undefined {
  if ('option_groups' in element && element.option_groups !== undefined)
    return element.option_groups.flatMap((group) => group.options);
  return 'options' in element ? element.options : undefined;
}
