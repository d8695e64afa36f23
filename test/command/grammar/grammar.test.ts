import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import * as bellhop from '../../../src/bellhop/bellhop.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import { format } from '../../../src/command/grammar/format.ts';
import { parse, type Values } from '../../../src/command/grammar/grammar.ts';
import { readInput } from '../../../src/command/grammar/check-input.ts';
import { runs } from '../../slack/limits-hold.ts';
import { registry, entry } from '../../run/sample-registry.ts';
import { hiddenCharacter, longestText } from '../../../src/command/grammar/refuse.ts';
import type { CommandOptions } from '../../../src/command/grammar/words.ts';

const read = (area: string, text: string) => {
  const parsed = parse(registry, area, text);
  if (parsed.kind === 'help') throw new Error('help');
  return {
    is: `${parsed.kind} ${parsed.entry.operation.name}`,
    values: parsed.values,
    options: parsed.options,
  };
};

describe('a command', () => {
  it.each<[typed: string, is: string, values: Values, options: CommandOptions]>([
    ['cloud reboot web-1', 'command cloud.reboot', { instance: 'web-1' }, {}],
    ['cloud reboot --instance=web-1', 'command cloud.reboot', { instance: 'web-1' }, {}],
    [
      'cloud reboot --project 7 web-1 --reason "it hangs"',
      'command cloud.reboot',
      { instance: 'web-1', project: 7 },
      { reason: 'it hangs' },
    ],
    [
      'cloud reboot web-1 --break-glass=“fire” --reason=-',
      'command cloud.reboot',
      { instance: 'web-1' },
      { reason: '-', breakGlass: 'fire' },
    ],
    ['cloud reboot', 'form cloud.reboot', {}, {}],
    ['cloud reboot --reason fire', 'form cloud.reboot', {}, { reason: 'fire' }],
    ['cloud reboot -- web-1', 'command cloud.reboot', { instance: 'web-1' }, {}],
    ['cloud container api --brief', 'command cloud.container', { name: 'api', brief: true }, {}],
    ['cloud container api --brief=false', 'command cloud.container', { name: 'api', brief: false }, {}],
    ['cloud ips', 'command cloud.ips', {}, {}],
    ['cdn metrics', 'form cdn.metrics', {}, {}],
    ['cdn metrics 5xx 2xx,4xx', 'command cdn.metrics', { names: ['5xx', '2xx', '4xx'] }, {}],
    [
      'cdn metrics 5xx --by cname --by=resource --every 1h --min-share 0.5',
      'command cdn.metrics',
      { names: ['5xx'], by: ['cname', 'resource'], every: '1h', minShare: 0.5 },
      {},
    ],
    [
      'cdn metrics 5xx --where " cname in a,b" --where=“isp eq c\\,d”',
      'command cdn.metrics',
      { names: ['5xx'], where: ['cname in a,b', 'isp eq c\\,d'] },
      {},
    ],
    [
      'cdn metrics 5xx every=1h by=cname',
      'command cdn.metrics',
      { names: ['5xx'], every: '1h', by: ['cname'] },
      {},
    ],
    ['cdn metrics 5xx nothing=1h', 'command cdn.metrics', { names: ['5xx', 'nothing=1h'] }, {}],
    ['cdn metrics 5xx --min-share -1', 'command cdn.metrics', { names: ['5xx'], minShare: -1 }, {}],
    ['cdn metrics 5xx --min-share half', 'command cdn.metrics', { names: ['5xx'], minShare: 'half' }, {}],
    ['cdn raw-logs', 'form cdn.raw-logs', {}, {}],
  ])('/%s is %s', (typed, is, values, options) => {
    const [area = '', text = ''] = typed.split(/ (.*)/su);
    expect(read(area, text)).toEqual({ is, values, options });
  });

  it.each([
    ['cloud', '?', undefined],
    ['cloud', 'reboot ?', 'cloud.reboot'],
    ['cloud', 'reboot help', 'cloud.reboot'],
    ['cloud', 'reboot -h', 'cloud.reboot'],
    ['cloud', 'reboot web-1 --help', 'cloud.reboot'],
    ['cloud', 'help reboot', 'cloud.reboot'],
    ['cloud', 'help --help', undefined],
    ['cloud', '? ?', undefined],
  ])('/%s %s asks for help', (area, text, operation) => {
    const parsed = parse(registry, area, text);
    expect(parsed.kind === 'help' && { area: parsed.area, operation: parsed.entry?.operation.name }).toEqual({
      area,
      operation,
    });
  });

  it('is read the same from the words that it is written as', () => {
    expect(
      [
        format(entry('cloud.reboot'), { instance: 'web-1' }, { reason: 'it "hangs" — again' }),
        format(entry('cloud.reboot'), { instance: '-x', project: 7 }, { breakGlass: 'fire' }),
        format(entry('cdn.metrics'), { names: ['a,b', 'c d'], by: ['cname'], total: false, like: '--x y' }),
        format(entry('cdn.metrics'), { names: ['x', '--y'], total: true }),
        format(entry('cdn.metrics'), { names: ['x'], where: ['cname in a,b', 'isp eq c'] }),
        format(entry('cloud.container'), { name: 'api', brief: false, project: undefined }),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "/cloud reboot web-1 --reason "it \\"hangs\\" — again"
      /cloud reboot --instance=-x --project 7 --break-glass fire
      /cdn metrics a\\,b "c d" --by cname --like="--x y" --total=false
      /cdn metrics --names x --names=--y
      /cdn metrics x --where "cname in a,b" --where "isp eq c"
      /cloud container api"
    `);
  });
});

const letters = fc.constantFrom(
  '"',
  "'",
  '“',
  '”',
  '‘',
  '’',
  '«',
  '»',
  '\\',
  ',',
  ' ',
  '\n',
  '-',
  '--',
  '—',
  '=',
  'a',
  '🔥',
  '<!channel>',
  '%',
);
const visible = (text: string): boolean => !hiddenCharacter.test(text);
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(letters, { minLength: 1, maxLength: 10 }).map((parts) => parts.join('')),
  )
  .filter((each) => each !== '' && visible(each));
/** White space around an item of a list is ignored. */
const item = text.map((each) => each.trim()).filter((each) => each !== '');

describe('whatever is typed', () => {
  it('is understood or refused with a reason', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.oneof(
            letters,
            fc.constantFrom('reboot', '--reason', '--by', 'metrics', '--brief', '-r', '--__proto__'),
          ),
        )
        .map((parts) => parts.join(' ')),
      fc
        .tuple(
          fc.constantFrom('-eyJ', '\\', '--a="', '"', 'a,', '<@UA|'),
          fc.constantFrom(700, 3_000, 100_000),
        )
        .map(([pattern, length]) => pattern.repeat(length / pattern.length)),
    );
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom('cloud', 'cdn'), fc.string()), typed, (area, words) => {
        expect(failureOf(() => parse(registry, area, words))).toSatisfy(
          (failure) =>
            failure === undefined || (failure instanceof BellhopError && failure.message.length < 600),
        );
      }),
      runs(10_000),
    );
  });
});

/** Formats the command as text and parses that text. Returns undefined if the text is too long to be typed. */
function readBack(name: string, values: Values, options: CommandOptions) {
  const of = entry(name);
  const [area = '', words = ''] = format(of, values, options).slice(1).split(/ (.*)/su);
  if (words.length > longestText) return undefined;
  const parsed = parse(registry, area, words);
  return parsed.kind === 'command'
    ? { input: readInput(of, parsed.values), options: parsed.options }
    : parsed;
}

/** The same command, neither formatted nor parsed. */
const direct = (name: string, values: Values, options: CommandOptions) => ({
  input: readInput(entry(name), values),
  options,
});

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

describe('every command', () => {
  it('can be typed again', () => {
    fc.assert(
      fc.property(
        fc.record({ instance: item, project: fc.nat(), region: fc.nat() }, { requiredKeys: ['instance'] }),
        fc.record({ reason: text, breakGlass: text }, { requiredKeys: [] }),
        (values, options) => {
          expect([direct('cloud.reboot', values, options), undefined]).toContainEqual(
            readBack('cloud.reboot', values, options),
          );
        },
      ),
      runs(1500),
    );
  });

  it('can be typed again, lists and flags too', () => {
    fc.assert(
      fc.property(
        fc.record({
          names: fc.array(item, { minLength: 1, maxLength: 5 }),
          every: some(fc.constantFrom('1m', '1h', '1d')),
          by: fc.array(fc.constantFrom('cname', 'resource'), { maxLength: 3 }),
          minShare: some(
            fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
          ),
          where: fc.array(item, { maxLength: 3 }),
          like: some(text),
          total: fc.boolean(),
        }),
        (values) => {
          expect([direct('cdn.metrics', values, {}), undefined]).toContainEqual(
            readBack('cdn.metrics', values, {}),
          );
        },
      ),
      runs(1500),
    );
  });
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const nothing = (): Promise<string> => Promise.resolve('');

it('offers at most three words of a schema that guesses itself', () => {
  const words = ['a1', 'a2', 'a3', 'a4'];
  const name = bellhop.z.string().transform((typed, context) => {
    context.addIssue({ code: 'custom', message: 'is unknown.', params: { guess: { typed, words } } });
    return bellhop.z.NEVER;
  });
  const input = bellhop.z.strictObject({ name });
  const declared = { name: 'lb.show', summary: 'Show.', risk: 'read', input, run: nothing } as const;
  const [found] = createRegistry([bellhop.operation(declared)], []).entries;
  const error = failureOf(() => found && readInput(found, { name: 'a5' }));
  expect(error).toMatchObject({ guess: { typed: 'a5', words: ['a1', 'a2', 'a3'] } });
});
