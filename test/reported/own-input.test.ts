import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { operation } from '../../src/bellhop/bellhop.ts';
import { format } from '../../src/command/grammar/format.ts';
import { parse } from '../../src/command/grammar/grammar.ts';
import { readInput } from '../../src/command/grammar/check-input.ts';
import { createRegistry, fieldsOf } from '../../src/command/grammar/registry.ts';
import { boundOperation } from '../../src/config/own/bound-operation.ts';
import { boundFacts, boundReport } from '../../src/config/own/bound-report.ts';
import { safeLine } from '../../src/slack/render/text.ts';
import { mistakesOf } from '../../src/config/own/check-operation.ts';
import type { Operation } from '../../src/model/operation.ts';
import { parseForm } from '../../src/slack/forms/parse-form.ts';
import { exampleAddress, manifestOf } from '../../src/slack/manifest.ts';
import { runProgram } from '../run-node.ts';
import { mistakesIn as mistakesInFile } from '../config/rulebook/mistakes-in.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import * as fields from './own-input/operations/inputs.ts';

const inputs = join(import.meta.dirname, 'own-input');
const textOf = (file: string): string => readFileSync(join(inputs, file), 'utf8');

/** The operation /queue purge, whose input has these fields. */
const queuePurge = (input: z.ZodObject, more: object = {}) =>
  operation({
    name: 'queue.purge',
    summary: 'Purge a queue.',
    risk: 'change',
    input,
    run: () => Promise.resolve({}),
    ...more,
  });

const mistakesIn = (declared: Operation): readonly string[] =>
  mistakesOf(declared, { areas: new Map(), names: new Set(), kinds: [] }).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const typed = (declared: Operation, text: string) => {
  const parsed = parse(createRegistry([declared], []), 'queue', `purge ${text}`);
  if (parsed.kind === 'help') throw new Error('help');
  return parsed;
};

const option = (one: string) => ({ text: { type: 'plain_text' as const, text: one }, value: one });

describe('a field of an own operation', () => {
  it.each(Object.entries(fields.entered))('that is %s is entered', (_, [schema, text, value]) => {
    const declared = queuePurge(z.strictObject({ ports: schema }));
    expect(mistakesIn(declared)).toEqual([]);
    const { entry, values } = typed(declared, text);
    expect(readInput(entry, values)).toEqual({ ports: value });
    // The words of a card and of “Show again” read back as the same input.
    const words = format(entry, values).replace('/queue purge ', '');
    expect(readInput(entry, typed(declared, words).values)).toEqual({ ports: value });
  });

  it.each(Object.entries(fields.entered))('that is %s is entered in a form', (_, [schema, , value]) => {
    const [field] = fieldsOf(z.strictObject({ ports: schema }));
    if (!field) throw new Error('no field');
    const text = [value].flat().join(', ');
    const given =
      field.kind === 'choices'
        ? { type: 'multi_static_select', selected_options: [value].flat().map((one) => option(String(one))) }
        : field.kind === 'choice'
          ? { type: 'static_select', selected_option: option(text) }
          : { type: 'plain_text_input', value: text };
    const { values } = parseForm({ values: { ports: { value: given } } }, [field]);
    expect(values).toEqual({ ports: value });
  });

  it.each(Object.entries(fields.refused))('that is %s is refused by check', (_, schema) => {
    expect(mistakesIn(queuePurge(z.strictObject({ ports: schema })))).toEqual([
      expect.stringContaining("input.ports: can't be typed"),
    ]);
  });

  it.each(fields.names)('named %s is refused by check', (name) => {
    const shape = Object.fromEntries([[name, z.string().max(9).describe('A field.')]]);
    expect(mistakesIn(queuePurge(z.strictObject(shape)))).toEqual([
      expect.stringContaining(`input.${name}: needs another name`),
    ]);
  });

  it('after a list without names is refused, because the list takes all words', () => {
    const word = z.string().max(9).describe('A word.').meta({ positional: true });
    const list = z.array(z.string().max(9)).max(9).describe('Words.').meta({ positional: true });
    expect(mistakesIn(queuePurge(z.strictObject({ list, word })))).toHaveLength(1);
  });

  it('whose name ends in a digit takes name=value', () => {
    const ipv4 = z.string().max(40).describe('An address.');
    const declared = queuePurge(z.strictObject({ ipv4, dry: z.boolean().describe('Only say.').optional() }));
    expect(typed(declared, 'ipv4=10.0.0.1 dry=false').values).toEqual({ ipv4: '10.0.0.1', dry: false });
  });

  it('whose check throws is named', () => {
    const at = z
      .string()
      .max(40)
      .describe('A path.')
      .transform((text) => decodeURIComponent(text));
    const declared = queuePurge(z.strictObject({ at }));
    const { entry, values } = typed(declared, '--at %E0%A4%A');
    expect(() => readInput(entry, values)).toThrow(
      '--at cannot be checked, because the check itself fails on this value.',
    );
  });

  it.each(['false', 'FALSE', 'no', 'off', 'true'])(
    'that is a flag does not take “%s” from the next word',
    (word) => {
      const name = z.string().max(9).describe('A queue.').meta({ positional: true });
      const force = z.boolean().describe('Purge what is locked.').optional();
      const declared = queuePurge(z.strictObject({ name, force }));
      const meant = word === 'true' ? 'true' : 'false';
      expect(() => typed(declared, `--force ${word}`)).toThrow(`write --force=${meant}`);
      expect(typed(declared, `${word} --force`).values).toEqual({ name: word, force: true });
    },
  );
});

describe('an answer of an own operation', () => {
  const minutes = Array.from({ length: 2_880 }, (_, at) => at);

  it('keeps the newest points of a chart, and says so', () => {
    const labels = minutes.map((at) => `minute ${at}`);
    const series = [{ name: 'load', values: minutes }];
    const { charts, notes } = boundReport({
      title: 'Load',
      charts: [{ kind: 'line', title: 'Load', unit: '%', labels, series }],
    });
    expect(charts?.[0]?.labels.at(-1)).toBe('minute 2879');
    expect(charts?.[0]?.series[0]?.values.at(-1)).toBe(2_879);
    expect(charts?.[0]?.series[0]?.values.at(0)).toBe(880);
    expect(notes).toEqual(['Points: only the newest 2000 of 2880 are shown.']);
  });

  it.each<[string, object, string]>([
    [
      'facts',
      { facts: minutes.slice(0, 60).map((at) => ({ label: `${at}`, value: 'v' })) },
      'Facts: only the first 50 of 60 are shown.',
    ],
    [
      'columns',
      {
        tables: [
          { caption: 'Wide', columns: minutes.slice(0, 25).map(String), rows: [minutes.slice(0, 25)] },
        ],
      },
      'Columns: only the first 20 of 25 are shown.',
    ],
    [
      'tables',
      { tables: minutes.slice(0, 12).map(() => ({ caption: 'a', columns: ['a'], rows: [] })) },
      'Tables: only the first 10 of 12 are shown.',
    ],
    [
      'charts',
      {
        charts: minutes
          .slice(0, 6)
          .map(() => ({ kind: 'bar', title: 'a', unit: '', labels: [], series: [] })),
      },
      'Charts: only the first 5 of 6 are shown.',
    ],
    ['notes', { notes: minutes.slice(0, 30).map(String) }, 'Notes: only the first 20 of 30 are shown.'],
    [
      'a document',
      { document: { fileName: 'a.txt', text: 'x'.repeat(200_001) } },
      'Document: only the first 200000 of 200001 characters are shown.',
    ],
    [
      'rows of a CSV file',
      { csv: { fileName: 'a.csv', columns: ['a'], rows: Array.from({ length: 100_001 }, () => ['x']) } },
      'The CSV file has only the first 100000 of 100001 rows.',
    ],
  ])('says that %s were cut', (_, parts, note) => {
    expect(boundReport({ title: 'Long', ...parts }).notes?.at(-1)).toBe(note);
  });

  it('has all columns and whole cells in its full CSV', () => {
    const rows = [minutes.slice(0, 60).map((at) => `${at} ${'x'.repeat(800)}`)];
    const columns = minutes.slice(0, 60).map(String);
    const { csv, notes } = boundReport({ title: 'Wide', csv: { fileName: 'a.csv', columns, rows } });
    expect(csv).toEqual({ fileName: 'a.csv', columns, rows });
    expect(notes).toEqual([]);
  });

  it('says in a preview that lines are missing', () => {
    const facts = minutes.slice(0, 60).map((at) => ({ label: `${at}`, value: 'v' }));
    expect(boundFacts(facts).at(-1)).toEqual({ label: 'Not shown', value: '11 more lines' });
  });

  it.each([
    [new Date(Number.NaN), 'invalid date'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    // npm 11 and pytest 8 with FORCE_COLOR.
    ['\u001B[31mFAILED\u001B[0m tests/test_a.py', 'FAILED tests/test_a.py'],
    ['\u001B]8;;https://example.com\u0007link\u001B]8;;\u0007', 'link'],
  ])('shows %j as text', (value, text) => {
    const { facts } = boundReport({ title: 'a', facts: [{ label: 'a', value }] });
    expect(facts).toEqual([{ label: 'a', value: text }]);
    expect(typeof value === 'string' ? safeLine(value, 100) : text).toBe(text);
  });

  it.each<[risk: 'read' | 'change', how: string]>([
    ['read', 'failed'],
    // The change may have been made even so.
    ['change', 'ended with an error'],
  ])('names the cause of an error in a %s, which %s', async (risk, how) => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:9');
    const failing = queuePurge(z.strictObject({}), {
      risk,
      run: () => Promise.reject(new TypeError('fetch failed', { cause })),
    });
    const context = {} as Parameters<Operation['run']>[1];
    await expect(boundOperation(failing, { mask: String }).run({}, context)).rejects.toThrow(
      `queue.purge ${how}: fetch failed: connect ECONNREFUSED 127.0.0.1:9.`,
    );
  });
});

describe('text in bellhop.yaml that YAML reads as a number', () => {
  it.each(['007', '1.10', '0x1F', '1e3', '1.0', '.5', 'True'])(
    'is quoted as it is written: %s',
    (written) => {
      const text = `instances:\n  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476, labels: { rack: ${written} } }\n`;
      expect(mistakesInFile(text).join('\n')).toContain(`as text it is written "${written}"`);
    },
  );
});

describe('what Slack would refuse in the manifest', () => {
  it.each(['status', 'remind', 'topic', 'invite'])('an area called %s is a mistake', (area) => {
    const declared = queuePurge(z.strictObject({}), { name: `${area}.purge` });
    expect(mistakesIn(declared)).toEqual([
      `name: “${area}.purge”: /${area} is a command of Slack itself. Choose another area.`,
    ]);
  });

  it('a usage hint of 1,017 characters ends at a whole verb', () => {
    const word = z.string().max(9).describe('A word.').meta({ positional: true });
    const verbs = Array.from({ length: 40 }, (_, at) => `check-the-queue-${at}`);
    const all = verbs.map((verb) => queuePurge(z.strictObject({ word }), { name: `queue.${verb}` }));
    const [command] = manifestOf(createRegistry(all, []), exampleAddress).features.slash_commands;
    expect(command?.usage_hint.length).toBeLessThanOrEqual(1000);
    expect(command?.usage_hint).toMatch(/^check-the-queue-0 <word> · .* · check-the-queue-\d+ <word> · …$/u);
  });
});

describe('a file of operations that writes to the console while it loads', () => {
  it('does not spoil what a program prints', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'bellhop.yaml'), textOf('chatty/bellhop.yaml'));
    writeFileSync(join(folder, 'queue.ts'), textOf('chatty/queue.ts.txt'));
    const { out, err, code } = await runProgram('config', ['manifest'], {}, folder);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('features');
    expect(err).toContain('dotenv');
  });
});
