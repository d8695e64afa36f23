export const plain = (text: string) => ({ type: 'plain_text', text });
export const option = (text: string) => ({ text: plain(text), value: text });

/** A view with these inputs, by block id. @param optional the inputs that are not required */
export function view(inputs: Record<string, object>, more: object = {}, optional: readonly string[] = []) {
  const blocks = Object.entries(inputs).map(([block_id, element]) => ({
    type: 'input',
    block_id,
    label: plain(block_id),
    element: { action_id: 'a', ...element },
    optional: optional.includes(block_id),
  }));
  const frame = { type: 'modal', title: plain('Form'), submit: plain('Save'), close: plain('Cancel') };
  return { ...frame, blocks, ...more };
}
