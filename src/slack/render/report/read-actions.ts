import type { Button } from '@slack/types';
import { z } from 'zod';

import { button } from '../blocks.ts';
import { parseJson } from '../../web-api/parse-json.ts';
import { limits } from '../limits.ts';

/** The buttons under an answer. Ids differ within a block, as Slack asks. */
export const readActions = {
  earlier: 'read:earlier',
  later: 'read:later',
  refresh: 'read:refresh',
  again: 'read:again',
  share: 'read:share',
  csv: 'read:csv',
  file: 'read:file',
} as const;

export const readActionIds = z.enum(readActions);
export type ReadActionId = z.output<typeof readActionIds>;

/** The buttons of the commands that follow from an answer. */
export const nextActions = ['next:0', 'next:1', 'next:2', 'next:3', 'next:4'] as const;

const readAction = z.object({
  /** The command as typed, to be judged and run anew: the button is a hint, never a permission. */
  words: z.string().min(1),
  /** Counted from 0. */
  page: z.number().int().min(0).max(100_000),
});
export type ReadAction = Readonly<z.output<typeof readAction>>;

/** A button that runs `words` again; undefined where they are too long to go with it. */
export function readButton(text: string, action: ReadActionId, run: ReadAction): Button | undefined {
  const value = JSON.stringify(run);
  return value.length > limits.buttonValue ? undefined : button({ text, action, value });
}

/** What a clicked button asks for; undefined where the value is not one of ours. */
export function parseReadAction(value: string | undefined): ReadAction | undefined {
  if (value === undefined || value.length > limits.buttonValue) return undefined;
  return readAction.safeParse(parseJson(value)).data;
}
