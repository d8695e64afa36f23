import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { targetsIn } from '../src/run/from-message.ts';
import { fallbackText } from '../src/slack/cards/card-words.ts';
import { askedIn } from '../src/slack/handle/message.ts';
import { readable } from '../src/slack/render/text.ts';
import { correctedLines } from '../src/text/nearest.ts';
import { withoutColours } from '../src/text/words.ts';
import { featureTests } from './features/index.ts';
import type { BuiltPattern } from './features/feature-tests.ts';
import { growsFaster } from './growth.ts';
import { hostileTo } from './hostile-text.ts';
import { aRequest } from './sample-request.ts';
import { longestText } from '../src/command/grammar/refuse.ts';
import { userOrProgram } from '../src/model/rulebook/schema-parts.ts';
import { splitWords } from '../src/command/grammar/words.ts';

const root = join(import.meta.dirname, '..');
const literal = z.object({
  type: z.literal('Literal'),
  regex: z.object({ pattern: z.string(), flags: z.string() }),
});

/** Every regular expression in a file. */
function patternsIn(file: string): readonly RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { data } = literal.safeParse(node);
    if (data) found.push(new RegExp(data.regex.pattern, data.regex.flags));
    else for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }, file));
  return found;
}

const files = globSync('src/**/*.ts', { cwd: root }).toSorted();
const patterns = files.flatMap((file) => patternsIn(file).map((pattern) => [file, pattern] as const));

const emptyInventory = { regions: {}, instances: {}, containers: {}, targets: {} };
const message = { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', ts: '1.1' } as const;

/** Expressions built at run time cannot be collected: each by its user, with the prefixes of the text that it matches. */
const built: Readonly<Record<string, BuiltPattern>> = {
  ...Object.fromEntries(featureTests.flatMap(({ patterns: own = {} }) => Object.entries(own))),
  'src/run/from-message.ts': {
    work: (text) => targetsIn(text, emptyInventory),
    fillings: ['a', '1', '1/', '1/1/', '0123abcd-', '.', 'a-', 'a:1', '-'],
    longest: 20_000,
  },
  'src/model/rulebook/schema-parts.ts': {
    work: (text) => userOrProgram(['program']).safeParse(text),
    fillings: ['U', 'T0/U', 'program:', 'program:a', 'a'],
  },
  'src/command/grammar/words.ts': {
    work: (text) => splitWords(`"${text}x"`),
    fillings: ['\\', '\\" ', 'a"'],
    longest: longestText - 10,
  },
  'src/slack/cards/card-words.ts': {
    work: (text) => fallbackText(aRequest(), 'reboot', [text]),
    fillings: ['awaiting ', 'awaiting', ' '],
  },
  'src/slack/handle/message.ts': {
    work: (text) => askedIn({ ...message, text }, 'U1'),
    fillings: [' ', '\n', '<@U1|', '<@U1>', ' <@U1>', '\n ', '`', '&gt'],
    longest: 15_000,
  },
  'src/slack/render/text.ts': { work: readable, fillings: ['\r', '\u200B', 'a'] },
  'src/text/nearest.ts': {
    work: (text) => correctedLines(text, { typed: 'a-b', words: ['a'] }),
    fillings: ['a-b-', ' a-bb', '--reason ', '--reason=', '--reason "', '"a-b ', '—', '—reason '],
  },
  'src/text/words.ts': {
    work: withoutColours,
    fillings: ['\u001B[', '\u001B[1;', '\u001B]', '\u001B]8;;', '1;'],
  },
};

const longest = 16_000;

/** Tries a pattern on a text with an ending that no pattern allows, so that it has to look for another way. */
const usesOf =
  (pattern: RegExp) =>
  (text: string): unknown =>
    pattern.global ? `${text}\u0001`.replaceAll(pattern, '') : pattern.test(`${text}\u0001`);

describe('every regular expression takes time in proportion to the text', () => {
  it.each(patterns)('%s %s', (_, pattern) => {
    const work = usesOf(pattern);
    expect(hostileTo(pattern).find((filling) => growsFaster(filling, work, longest))).toBeUndefined();
  });

  it('those that are put together at run time are all listed here', () => {
    const builds = files.filter((file) => /\bRegExp\(/u.test(readFileSync(join(root, file), 'utf8')));
    expect(builds).toEqual(Object.keys(built).toSorted());
  });

  it.each(Object.entries(built))('%s, put together', (_, { work, fillings, longest: most }) => {
    expect(fillings.filter((filling) => growsFaster(filling, work, most))).toEqual([]);
  });
});
