import { expect } from 'vitest';

import { renderRefusal } from '../../../src/slack/handle/refusal.ts';
import { openStage } from '../../operations/stage.ts';

/** The first sentences of the refusal, and the commands that its buttons run. */
export async function hintOf(lines: readonly string[]): Promise<Record<string, readonly string[]>> {
  const stage = await openStage();
  const hints: Record<string, readonly string[]> = {};
  for (const typed of lines) {
    const error: unknown = await stage.ask(typed).catch((refusal: unknown) => refusal);
    const { text, blocks } = renderRefusal(error, { disclaimers: [], typed });
    const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
    const runs = buttons.map((button) => {
      if (button.type !== 'button') throw new Error(`${button.type} instead of a button`);
      expect(`Run ${button.value}`.startsWith(button.text.text.replace(/…$/u, ''))).toBe(true);
      return String(button.value);
    });
    hints[typed] = [text, ...runs];
  }
  return hints;
}
