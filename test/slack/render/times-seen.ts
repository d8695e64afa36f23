import { expect } from 'vitest';

import { parseMrkdwn } from '../../../playground/workspace/page/text/mrkdwn.js';
import { messageProblems } from '../within-limits.ts';

/**
 * A value with everything that formats text in mrkdwn. Each `Q` shows which part is left if the value is not shown
 * whole.
 */
export const nasty = '*Q* _Q_ ~Q~ `Q` **Q :fire: <@UQ> &Q;';
type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns mrkdwn as Alice sees it in the simulated Slack. */
function seenIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(seenIn).join('');
  if (!isNode(value)) return '';
  const own = value['text'] ?? value['fallback'] ?? value['label'];
  return `${typeof own === 'string' ? own : ''}${seenIn(value['children'])}${seenIn(value['lines'])}`;
}

/** The texts of a message or a view, as people see them. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isNode(value)) return [];
  const { type, text } = value;
  if (type === 'mrkdwn' && typeof text === 'string') return [seenIn(parseMrkdwn(text, { verbatim: true }))];
  const own = type === undefined || typeof text !== 'string' ? [] : [text];
  return [...own, ...Object.values(value).filter(isNode).flatMap(textsOf)];
}

/** How often the value is shown unchanged. Fails if a part of the value is shown in any other form. */
export function timesSeen(shown: {
  readonly blocks: readonly { readonly type: string }[];
  readonly text?: string;
}): number {
  const fallback = shown.text === undefined ? [] : [seenIn(parseMrkdwn(shown.text, { verbatim: true }))];
  const texts = [...textsOf(shown.blocks), ...fallback];
  for (const text of texts) expect(text.replaceAll(nasty, '')).not.toMatch(/Q|🔥/u);
  expect(messageProblems({ text: 'x', ...shown })).toEqual([]);
  return texts.filter((text) => text.includes(nasty)).length;
}
