import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { kernelEvents } from '../../src/audit/kernel-events.ts';
import { events, features } from '../../src/features/index.ts';
import { auditEntry } from '../../src/model/records/audit.ts';
import { entrySentence, hasSubject } from '../../src/operations/self/entry-sentence.ts';

const reading = { events, names: new Map([['U0BOB', 'Bob']]), zone: 'Europe/Berlin' };

const anEntry = (event: string) =>
  auditEntry.parse({ seq: 1, at: 1, event, note: 'the note', reason: 'the reason', policyHash: 'p' });

it('no feature declares an event that the kernel or another feature has', () => {
  const declared = features.flatMap((one) => one.events ?? []).map(({ name }) => name);
  expect(events.size).toBe(Object.keys(kernelEvents).length + declared.length);
});

it.each([...events.keys()])('“%s” is a sentence', (name) => {
  const sentence = entrySentence(anEntry(name), '/box kick web-1', reading);
  expect(sentence).not.toMatch(/undefined|“[a-z ]+”, /u);
  expect(sentence).not.toBe('');
});

it('an entry that a feature of another build recorded is shown with what it says', () => {
  const entry = anEntry('made tea');
  expect(hasSubject(entry, events)).toBe(true);
  expect(entrySentence(entry, '/box kick web-1', reading)).toBe(
    '“made tea”, /box kick web-1: the note: “the reason”',
  );
  expect(entrySentence(anEntry('made tea'), '', reading)).toBe('“made tea”: the note: “the reason”');
});

it('each event that a feature declares is in its list', () => {
  const src = join(import.meta.dirname, '../../src');
  const declared = globSync('features/**/*.ts', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/\bownEvent\('([^']+)'/gu)].map(
      ([, name = '']) => name,
    ),
  );
  expect(declared.length).toBeGreaterThan(0);
  expect(declared.filter((name) => !events.has(name))).toEqual([]);
});
