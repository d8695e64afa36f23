import { hash } from 'node:crypto';

import { alertBounds, type AlertContent, type AlertUpdate } from '../core/alerts/alert.ts';
import type { HookMapping } from '../core/model/hook.ts';
import { cut, firstLink, soleAlert } from './cut.ts';
import type { Reading } from './parse-delivery.ts';

const endWords: ReadonlySet<string> = new Set(['resolved', 'ok', 'closed', 'recovered', 'normal', 'up']);

/** What stands at a path of names and numbers, as text; undefined for nothing, a list or an object. */
function textAt(body: unknown, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  let value: unknown = body;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** @returns undefined where no title stands where the mapping says */
export function readGeneric(body: unknown, mapping: HookMapping, reading: Reading): AlertUpdate | undefined {
  const title = cut(textAt(body, mapping.title), alertBounds.title);
  if (title === undefined) return undefined;
  const word = textAt(body, mapping.status)?.trim().toLowerCase() ?? '';
  const status = endWords.has(word) ? 'resolved' : 'firing';
  const severity = cut(textAt(body, mapping.severity), alertBounds.severity);
  const target = textAt(body, mapping.target);
  const labels = {
    alertname: title,
    ...(severity !== undefined && { severity }),
    ...(target !== undefined && { instance: target }),
  };
  const content: AlertContent = {
    title,
    text: cut(textAt(body, mapping.text), alertBounds.text),
    severity,
    link: firstLink([textAt(body, mapping.link)]),
    ...soleAlert(status, labels, reading),
  };
  const digest = hash('sha256', JSON.stringify([status, content]));
  return { key: textAt(body, mapping.key) ?? title, status, digest, content };
}
