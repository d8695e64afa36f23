import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { assert, asyncProperty, constantFrom, integer, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { operation, refused, z } from '../../../src/bellhop/bellhop.ts';
import { createRedactor } from '../../../src/command/redactor.ts';
import { boundOperation } from '../../../src/config/own/bound-operation.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Operation, RunContext } from '../../../src/model/operation.ts';
import type { Inventory, Target } from '../../../src/model/rulebook/target.ts';
import { reach } from '../../reach.ts';

const target: Target = { kind: 'own', type: 'node', name: 'one', labels: {}, settings: {} };
const context: RunContext = {
  ...reach,
  service: undefined,
  target,
  now: 0,
  confirmed: [],
  maySend: () => true,
};
const inventory: Inventory = { instances: {}, containers: {}, targets: {}, regions: {} };
const back = { earlier: reach.earlier, extensions: [] };

/** An operation with every member, each of which says, or throws, a text. */
const sayingOperation = (text: string, throws: boolean): Operation => {
  const say = <T>(value: T): T => {
    if (throws) throw new Error(text);
    return value;
  };
  const report = () => say({ title: text, notes: [text] });
  const task = () =>
    say({ id: '1', state: 'failed' as const, type: 'reboot', stateName: 'ERROR', error: text });
  return operation({
    name: 'lb.drain',
    summary: 'Drain it.',
    risk: 'change',
    input: z.strictObject({ host: z.string().max(40).optional().describe('The host.') }),
    target: () => say({ ...target, name: text.slice(0, 200) || 'one' }),
    faults: () => say([{ field: 'host', text }]),
    form: () => say({ fields: ['host'], redraw: [], note: text }),
    lookUp: {
      field: 'host',
      listedBy: 'lb.list',
      find: () => Promise.resolve(say([{ name: text, title: text, about: text }])),
    },
    preview: () => say([{ label: 'Sends', value: text }]),
    actionLabelFor: () => say(text),
    effect: () => say(text),
    run: () => Promise.reject(throws ? new Error(text) : refused(text)),
    report,
    observe: () => Promise.resolve(say({ state: text })),
    sighting: report,
    watch: {
      returns: false,
      progress: () => say('there' as const),
      answered: () => say({ state: text }),
      there: () => say(text),
      words: () => say(text),
    },
    tasks: {
      started: () => say(['1']),
      read: () => Promise.resolve(task()),
      search: () => Promise.resolve({ tasks: [task()], complete: true, named: true }),
      finished: () => say(text),
    },
    isKnown: () => Promise.resolve(say(true)),
    isRunning: () => Promise.resolve(say(true)),
  });
};

const period = { from: 0, to: 1 };
const seen = { state: 'up' };

const plain = (text: string): string => text;
const namesIn = (value: object | undefined): readonly string[] => Object.keys(value ?? {});

/** The result of each member, by its name in surface.d.ts. */
const members: Readonly<Record<string, (one: Operation) => unknown>> = {
  run: (one) => one.run({}, context),
  preview: (one) => one.preview?.({}, target, { ...context, ...back }),
  actionLabelFor: (one) => one.actionLabelFor?.({}) ?? 'its default',
  effect: (one) => one.effect?.({}, target, { extensions: [] }),
  report: (one) => one.report(undefined, { target, input: {} }),
  observe: (one) => one.observe?.(context, {}),
  sighting: (one) => one.sighting?.(seen, seen, target),
  isKnown: (one) => one.isKnown?.(target, context),
  isRunning: (one) => one.isRunning?.(target, context),
  target: (one) => one.target({}, inventory),
  form: (one) => one.form?.({}, context),
  faults: (one) => one.faults?.({}, back),
  'lookUp.find': (one) => one.lookUp?.find('a', { ...context, inventory }),
  'watch.progress': ({ watch }) => [watch?.progress(seen), watch?.problem?.(seen)],
  'watch.answered': ({ watch }) => watch?.answered?.(undefined),
  'watch.there': ({ watch }) => watch?.there(target),
  'watch.words': ({ watch }) => watch?.words(seen),
  'tasks.started': ({ tasks }) => tasks?.started?.(undefined),
  'tasks.read': ({ tasks }) => tasks?.read?.('1', context, {}),
  'tasks.search': ({ tasks }) => tasks?.search?.({}, period, context),
  'tasks.finished': ({ tasks }) => tasks?.finished(target, {}),
};

const broken = new Error('kaboom');

const failures: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw broken;
  },
  rejects: () => Promise.reject(broken),
  'returns a number': () => 7,
  'returns an object without members': () => ({}),
};

const brokenOperation = (fail: unknown): Operation => ({
  ...sayingOperation('', false),
  ...Object.fromEntries(['target', 'form', 'faults', 'isKnown'].map((name) => [name, fail])),
  lookUp: { field: 'a', listedBy: 'lb.list', find: fail as () => Promise<[]> },
});

const saidBy = async (name: string, one: Operation): Promise<string> => {
  try {
    return JSON.stringify(await members[name]?.(one)) ?? '';
  } catch (error) {
    // Any other error goes to the log, which masks its lines.
    return error instanceof BellhopError ? error.message : 'logged';
  }
};

const redactAll = (secret: string) => {
  const mask = createRedactor();
  mask.learn(secret);
  return (text: string): string => mask.redact(text);
};

/** The core masks what these return, once more and whole. */
const maskedLater = new Set([
  'report',
  'sighting',
  'preview',
  'tasks.read',
  'tasks.search',
  'tasks.finished',
]);

describe('an operation of your own', () => {
  it('lets no learnt secret out of any member, whole or in part, wherever the text is cut', () =>
    assert(
      asyncProperty(
        constantFrom(...Object.keys(members)),
        string({ unit: 'grapheme-ascii', minLength: 16, maxLength: 40 }).filter(
          (one) => /^\w+$/u.test(one) || one.trim().length > 15,
        ),
        integer({ min: 0, max: 3010 }),
        constantFrom(true, false),
        async (name, secret, length, throws) => {
          const redact = redactAll(secret);
          const said = await saidBy(
            name,
            boundOperation(sayingOperation(`${'·'.repeat(length)}${secret}`, throws), { mask: redact }),
          );
          const left = maskedLater.has(name) ? redact(said) : said;
          for (let at = 0; at + 12 <= secret.length; at += 1) {
            const part = secret.slice(at, at + 12);
            expect(left.includes(part) || left.includes(JSON.stringify(part).slice(1, -1))).toBe(false);
          }
        },
      ),
    ));

  it.each(Object.keys(members))(
    'has its %s reach the runner, and a default or an error of Bellhop if it throws',
    async (name) => {
      const said = await saidBy(
        name,
        boundOperation(sayingOperation('the text of the file', false), { mask: plain }),
      );
      expect(said).not.toBe('');
      const thrown = await saidBy(name, boundOperation(sayingOperation('kaboom', true), { mask: plain }));
      expect(thrown).not.toContain('undefined is not');
    },
  );

  it.each(
    ['isKnown', 'target', 'form', 'faults', 'lookUp.find'].flatMap((name) =>
      Object.keys(failures)
        .filter((how) => how !== 'rejects' || name !== 'target')
        .map((how) => ({ name, how })),
    ),
  )('whose $name $how has a default, or an error of Bellhop', async ({ name, how }) => {
    const said = await saidBy(name, boundOperation(brokenOperation(failures[how]), { mask: plain }));
    expect(said).toMatch(/^(?:The .* of|isKnown of) lb\.drain is broken: .*Fix its file/u);
  });

  it('has every member that surface.d.ts declares', () => {
    const file = join(import.meta.dirname, '../../../src/bellhop/surface.d.ts');
    const interfaces = readFileSync(file, 'utf8').matchAll(/export interface (\w+)[^{]*\{\n(.*?)\n {2}\}/gsu);
    const declared = new Map(
      [...interfaces].map(([, name = '', body = '']) => [
        name,
        [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??[(<:]/gmu)].map(([, member = '']) => member),
      ]),
    );
    const bound = boundOperation(sayingOperation('', false), { mask: (text) => text });
    const notCalled = new Set([
      'name',
      'summary',
      'risk',
      'input',
      'examples',
      'actionLabel',
      'doneWord',
      'synonyms',
      'escalatedBy',
      'formOnly',
      'startsFromLast',
      'lookUp',
      'watch',
      'tasks',
    ]);
    const callbacks = [
      ...(declared.get('Declaration') ?? []).filter((name) => !notCalled.has(name)),
      ...(declared.get('Watch') ?? []).filter((name) => name !== 'returns').map((name) => `watch.${name}`),
      ...(declared.get('Tasks') ?? []).map((name) => `tasks.${name}`),
      'lookUp.find',
    ];
    expect(callbacks.toSorted()).toEqual(Object.keys(members).toSorted());
    expect(namesIn(bound)).toEqual(expect.arrayContaining(callbacks.filter((name) => !name.includes('.'))));
    expect(namesIn(bound.watch)).toEqual(expect.arrayContaining(declared.get('Watch') ?? []));
    expect(namesIn(bound.tasks)).toEqual(expect.arrayContaining(declared.get('Tasks') ?? []));
  });
});

describe('the reason of an error', () => {
  const inner = new Error('certificate has expired');
  it.each<[what: string, thrown: unknown, said: string]>([
    [
      'a host with two addresses',
      new AggregateError([
        new Error('connect ECONNREFUSED ::1:5432'),
        new Error('connect ECONNREFUSED 127.0.0.1:5432'),
      ]),
      'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    ],
    [
      'Promise.any',
      new AggregateError([inner], 'All promises were rejected'),
      'rejected: certificate has expired',
    ],
    [
      'a cause of a cause',
      new Error('job failed', { cause: new Error('rpc failed', { cause: inner }) }),
      'expired',
    ],
    ['a cause that is text', new Error('job failed', { cause: 'disk is full' }), 'job failed: disk is full'],
    ['only a code', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['an object', { message: 'quota exceeded' }, 'quota exceeded'],
    ['another realm', runInNewContext('new Error("from a vm")'), 'from a vm'],
  ])('of %s is said', async (_, thrown, said) => {
    const read = { ...sayingOperation('', false), risk: 'read' as const, run: () => Promise.reject(thrown) };
    const bound = boundOperation(read, { mask: (text) => text });
    await expect(bound.run({}, context)).rejects.toThrow(said);
  });
});

it('tasks may have numbers instead of names', async () => {
  const tasks = {
    started: () => [7354081290123456789n, 5],
    read: () => Promise.resolve({ id: 5, state: 'open', type: 'a', stateName: 'b' }),
    finished: () => 'done',
  };
  const declared = { ...sayingOperation('', false) };
  Reflect.set(declared, 'tasks', tasks);
  const bound = boundOperation(declared, { mask: (text) => text });
  expect(bound.tasks?.started?.({})).toEqual(['7354081290123456789', '5']);
  expect(await bound.tasks?.read?.('5', context, {})).toMatchObject({ id: '5' });
});
