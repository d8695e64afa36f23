import { fileURLToPath } from 'node:url';

import type { KnownOperation } from './checks.ts';
import { readRulebook, type RulebookResult } from './read-rulebook.ts';

const file = fileURLToPath(new URL('../../../bellhop.example.yaml', import.meta.url));

/** The rules of local mode: the very file that newcomers copy, so that what it says is also what they see work. */
export const sampleRulebook = (operations: readonly KnownOperation[]): RulebookResult =>
  readRulebook(file, 'bellhop.example.yaml', operations);
