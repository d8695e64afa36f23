import { z } from 'zod';

import { input } from './workspace.ts';

export const click = (id: string, change: object = {}) => {
  const pressed = input('click');
  const [action] = z.tuple([z.looseObject({})], z.unknown()).parse(pressed['actions']);
  return { ...pressed, actions: [{ ...action, value: id }], ...change };
};

const typed = input('mention');
const typedEvent = z.looseObject({}).parse(typed['event']);
/** A message to Bellhop with these elements after the mention, as Slack's clients send it. */
export const message = (elements: readonly object[], change: object = {}) => ({
  ...typed,
  event: {
    ...typedEvent,
    text: 'not read',
    blocks: [
      {
        type: 'rich_text',
        block_id: 'Kx2',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U0BELLHOP' }, ...elements] },
        ],
      },
    ],
    ...change,
  },
});
export const text = (words: string, style?: object) => ({
  type: 'text',
  text: words,
  ...(style && { style }),
});
export const codeOf = (words: string) => text(words, { code: true });
