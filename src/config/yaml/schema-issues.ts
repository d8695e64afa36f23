import type { z } from 'zod';

import { nearest } from '../../command/grammar/nearest.ts';
import type { Finding } from './findings.ts';

type Issue = z.core.$ZodIssue;

/** What the schema found, in the words of somebody who edits the file. */
export function schemaFindings(issues: readonly Issue[]): readonly Finding[] {
  return issues.flatMap((issue): readonly Finding[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => unknownKey([...issue.path, key], key, issue.message.split(', ')));
    }
    if (issue.code === 'invalid_key') {
      return [{ path: issue.path, at: 'key', text: issue.issues.map(({ message }) => message).join(' ') }];
    }
    return [{ path: issue.path, text: sentence(issue), misspelt: misspelt(issue) }];
  });
}

function unknownKey(path: Finding['path'], typed: string, known: readonly string[]): Finding {
  const all = nearest(typed, known) === undefined ? ` Known here: ${known.join(', ')}.` : '';
  return { path, at: 'key', text: `is not a key here.${all}`, misspelt: { typed, known } };
}

const misspelt = (issue: Issue): Finding['misspelt'] =>
  issue.code === 'invalid_value' && typeof issue.input === 'string'
    ? { typed: issue.input, known: issue.values.map(String) }
    : undefined;

function sentence(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is missing.'
      : `must be ${wanted(issue.expected)}, not ${given(issue.input, issue.expected)}.`;
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    if (issue.input === undefined) return `is missing: give ${values.join(', ')}.`;
    return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}.`;
  }
  if (issue.code === 'too_small') {
    return issue.origin === 'array'
      ? 'is an empty list: fill it, or leave the key out.'
      : `must be at least ${issue.minimum}.`;
  }
  return issue.code === 'too_big' ? `must be at most ${issue.maximum}.` : issue.message;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
};

const wanted = (expected: string): string => kinds[expected] ?? expected;

function given(input: unknown, expected: string): string {
  if (input === null) return 'empty (leave the key out, or give it a value)';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'number' || typeof input === 'boolean') {
    return expected === 'string' ? `${input} (as text it is written "${input}")` : String(input);
  }
  return typeof input === 'string' ? 'text' : 'a mapping';
}
