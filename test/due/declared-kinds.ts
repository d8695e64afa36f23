import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type DueKind, dueKind } from '../../src/model/records/due.ts';

const src = join(import.meta.dirname, '../../src');

/** All matches in the code of the bot, by the pattern's first group, in order. */
export const inCode = (pattern: RegExp): readonly string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(src, file), 'utf8').matchAll(pattern).toArray())
    .map(([, name = '']) => name)
    .toSorted();

/** The kinds of due work that the code declares. */
export const declaredKinds: readonly DueKind[] = inCode(/\bdueKind\('([a-z ]+)'\)/gu).map(dueKind);
