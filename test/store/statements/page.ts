import { Client } from 'pg';
import { z } from 'zod';

import type { Recorded } from './recorder.ts';

export interface Section {
  readonly title: string;
  readonly about: string;
  readonly statements: readonly Recorded[];
  /** Whether equal statements are counted instead of listed one by one. */
  readonly counted: boolean;
}

const plans = z.array(z.object({ 'QUERY PLAN': z.string() }));

const intro = `# The statements of the database

For anyone who wants to know what Bellhop asks of PostgreSQL. Each statement is in full where it comes first, with the plan of the server and
the indexes in it. A statement is one round trip. A test writes this page and fails if a statement changes: after a change, run
\`npm run statements\`.
`;

/** The page of all sections. @param databaseUrl of a migrated database, for the plans */
export async function statementsPage(databaseUrl: string, sections: readonly Section[]): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  // The settings of the store's sessions.
  await client.query('set enable_seqscan = off; set jit = off');
  const known = new Map<string, string>();
  const shown: string[] = [];
  for (const [index, { title, about, statements, counted }] of sections.entries()) {
    const letter = String.fromCodePoint(65 + index);
    const count = `${statements.length} statements, ${statements.length} round trips`;
    shown.push(`## ${title}: ${count}`, about);
    const all = counted ? mostFirst(statements) : statements.map((one) => ({ one, times: 1 }));
    let number = 0;
    for (const { one, times } of all) {
      number += 1;
      const name = `${letter}${number}`;
      const often = times === 1 ? '' : `, ${times} times`;
      const before = known.get(one.text);
      if (before !== undefined) {
        shown.push(`**${name}**${often}: as ${before}`);
        continue;
      }
      known.set(one.text, name);
      shown.push(`**${name}**${often}`, fenced('sql', laidOut(one.text)));
      if (one.values !== undefined && !isControl(one.text)) shown.push(await planOf(client, one.text));
    }
  }
  await client.end();
  return `${[intro, ...shown].join('\n\n').replaceAll(/\n{3,}/gu, '\n\n')}\n`;
}

const isControl = (text: string): boolean => /^(?:begin|commit|rollback|savepoint|release)\b/u.test(text);

function mostFirst(statements: readonly Recorded[]) {
  const groups = [...Map.groupBy(statements, ({ text }) => text).values()];
  return groups
    .flatMap(([one, ...others]) => (one ? [{ one, times: others.length + 1 }] : []))
    .toSorted((one, other) => other.times - one.times || (one.one.text < other.one.text ? -1 : 1));
}

async function planOf(client: Client, text: string): Promise<string> {
  const { rows } = await client.query(`explain (generic_plan, costs off) ${text}`);
  const lines = plans.parse(rows).map((row) => row['QUERY PLAN']);
  const indexes = new Set(lines.flatMap((line) => / using (\S+) on /u.exec(line)?.[1] ?? []));
  const names = [...indexes].map((name) => `\`${name}\``).join(', ');
  return `Indexes: ${names || 'none'}\n\n${fenced('text', lines.join('\n'))}`;
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const widest = 120;

/** The lines without the indentation of the code, wrapped. */
function laidOut(text: string): string {
  const lines = text.trim().split('\n');
  const indents = lines.slice(1).flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/u)]));
  const indent = Math.min(...indents, 40);
  return lines
    .map((line, index) => (index === 0 ? line : line.slice(indent)).trimEnd())
    .flatMap(wrapped)
    .join('\n');
}

function wrapped(line: string): readonly string[] {
  const indent = ' '.repeat(line.search(/\S/u) + 2);
  const parts: string[] = [];
  let part = '';
  for (const word of line.split(
    /(?<=,) |(?= (?:and|or|where|from|on|values|returning|union|select|order|limit) )/u,
  )) {
    const joint = part === '' || word.startsWith(' ') ? '' : ' ';
    if (part !== '' && part.length + word.length > widest) {
      parts.push(part);
      part = indent + word.trimStart();
    } else part += joint + word;
  }
  return [...parts, part];
}
