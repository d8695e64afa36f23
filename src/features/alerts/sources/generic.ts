import { hash } from 'node:crypto';

import { alertBounds, type AlertContent, type AlertUpdate } from '../group/record.ts';
import type { HookMapping } from '../group/section.ts';
import { badInput } from '../../../model/values/errors.ts';
import { cut } from '../../../text/words.ts';
import { soleAlert, sourceLink, type Reading } from './cut.ts';

/** The default statuses: `endWords` end an alert, and `otherWords` change nothing. */
const endWords = ['resolved', 'ok', 'closed', 'recovered', 'normal', 'up'];
const otherWords = ['insufficient_data'];

const textsAt = (body: unknown, paths: readonly string[] = []): readonly string[] =>
  paths.map((path) => textAtPath(body, path)?.trim() ?? '').filter((text) => text !== '');

/** Undefined if the path leads to nothing, a list or an object. */
function textAtPath(body: unknown, path: string): string | undefined {
  let value: unknown = body;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** @returns undefined for a status that changes nothing @throws BellhopError without a title at the mapped path */
export function readGeneric(
  body: unknown,
  mapping: Partial<HookMapping> = {},
  reading: Reading,
): AlertUpdate | undefined {
  const textAt = (part: 'key' | 'title' | 'status' | 'severity' | 'text' | 'link'): string | undefined =>
    textsAt(body, mapping[part])[0];
  const word = textAt('status')?.toLowerCase() ?? '';
  const isOneOf = (words: readonly string[]): boolean => words.some((each) => each.toLowerCase() === word);
  if (isOneOf(mapping.ignored ?? otherWords)) return undefined;
  const title = cut(textAt('title'), alertBounds.title);
  if (title === undefined)
    throw badInput(`no text at ${mapping.title?.join(' or ') ?? 'the title of its mapping'}`);
  const status = isOneOf(mapping.resolved ?? endWords) ? 'resolved' : 'firing';
  const severity = cut(textAt('severity'), alertBounds.severity);
  const named = textsAt(body, mapping.target);
  const instance = named.find((one) => reading.about({ instance: one }).target !== undefined) ?? named[0];
  const content: AlertContent = {
    title,
    text: cut(textAt('text'), alertBounds.text),
    severity,
    link: sourceLink([textAt('link')]),
    ...soleAlert(status, { alertname: title, severity, instance }, reading),
  };
  const digest = hash('sha256', JSON.stringify([status, content]));
  return { key: textAt('key') ?? [title, ...named.slice(0, 1)].join('\n'), status, digest, content };
}
