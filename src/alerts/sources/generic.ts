import { hash } from 'node:crypto';

import { alertBounds, type AlertContent, type AlertUpdate } from '../../model/records/alert.ts';
import type { HookMapping } from '../section.ts';
import { cut, soleAlert, sourceLink, type Reading } from './cut.ts';

/** The default statuses: `endWords` end an alert, and `otherWords` change nothing. */
const endWords = ['resolved', 'ok', 'closed', 'recovered', 'normal', 'up'];
const otherWords = ['insufficient_data'];

/** The texts at the paths, without empty ones. */
const textsAt = (body: unknown, paths: readonly string[] = []): readonly string[] =>
  paths.map((path) => textAtPath(body, path) ?? '').filter((text) => text.trim() !== '');

const textAt = (body: unknown, paths?: readonly string[]): string | undefined => textsAt(body, paths)[0];

/** The text at a path of names and numbers. Undefined if the path leads to nothing, a list or an object. */
function textAtPath(body: unknown, path: string): string | undefined {
  let value: unknown = body;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** @returns undefined without a title at the mapped path, or `ignored` for a status that changes nothing */
export function readGeneric(
  body: unknown,
  mapping: HookMapping,
  reading: Reading,
): AlertUpdate | 'ignored' | undefined {
  const word = textAt(body, mapping.status)?.trim().toLowerCase() ?? '';
  const isOneOf = (words: readonly string[]): boolean => words.some((each) => each.toLowerCase() === word);
  if (isOneOf(mapping.ignored ?? otherWords)) return 'ignored';
  const title = cut(textAt(body, mapping.title), alertBounds.title);
  if (title === undefined) return undefined;
  const status = isOneOf(mapping.resolved ?? endWords) ? 'resolved' : 'firing';
  const severity = cut(textAt(body, mapping.severity), alertBounds.severity);
  const named = textsAt(body, mapping.target);
  const instance = named.find((one) => reading.targetOf({ instance: one }) !== undefined) ?? named[0];
  const labels = { alertname: title, severity, instance };
  const content: AlertContent = {
    title,
    text: cut(textAt(body, mapping.text), alertBounds.text),
    severity,
    link: sourceLink([textAt(body, mapping.link)]),
    ...soleAlert(status, labels, reading),
  };
  const digest = hash('sha256', JSON.stringify([status, content]));
  const key = textAt(body, mapping.key) ?? [title, ...named.slice(0, 1)].join('\n');
  return { key, status, digest, content };
}
