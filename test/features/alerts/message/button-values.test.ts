import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { operation, z } from '../../../../src/bellhop/bellhop.ts';
import { parse } from '../../../../src/command/grammar/grammar.ts';
import { createRegistry } from '../../../../src/command/grammar/registry.ts';
import { filledCommand, isButtonTemplate } from '../../../../src/features/alerts/group/button-command.ts';

const silence = operation({
  name: 'am.silence',
  summary: 'Silence an alert.',
  risk: 'change',
  input: z.strictObject({
    alert: z.string().describe('The alert.').meta({ positional: true }),
    for: z.string().optional().describe('How long.'),
    tags: z.array(z.string()).optional().describe('Tags.'),
    loud: z.boolean().default(false).describe('Loud.'),
  }),
  examples: ['/am silence X'],
  run: () => Promise.resolve('done'),
});
const registry = createRegistry([silence], []);

const filled = (run: string, value: string, annotation?: string) =>
  filledCommand(registry, run, undefined, {
    labels: { alertname: value, 'a.b': 'dotted' },
    ...(annotation !== undefined && { annotations: { note: annotation } }),
  });

const valuesOf = (made: ReturnType<typeof filled>) => {
  if ('fault' in made) return made.fault;
  const parsed = parse(registry, made.command.area, made.command.text);
  return parsed.kind === 'command' ? { ...parsed.values, ...parsed.options } : parsed.kind;
};

const run = '/am silence {label.alertname} --for 2h';

describe('a label of an alert in the command of its button', () => {
  it.each([
    ['InstanceDown'],
    ['two words'],
    ['a "quote" and \'another\''],
    ['C:\\new\\'],
    ['“smart”'],
    ['web-1, web-2'],
    ['it’s'],
    ['5'],
    ['--for=9h x'],
    ['$(reboot)'],
  ])('is one argument, literally, or the button is not shown: %s', (value) => {
    const made = valuesOf(filled(run, value));
    expect(typeof made === 'string' ? 'no button' : made).toEqual(
      value.startsWith('-') ? 'no button' : { alert: value, for: '2h' },
    );
  });

  it('is never an option, a second argument or an item of its own, whatever it is', () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 30, unit: 'grapheme' }),
      fc.stringMatching(/^[-–—"'“”\\, =@#<>a-zA-Z0-9]{1,20}$/u),
    );
    const templates = [
      run,
      '/am silence X --tags {label.alertname}',
      '/am silence X --tags={label.alertname} --loud',
      '/am silence X --reason {label.alertname}',
    ];
    let shown = 0;
    fc.assert(
      fc.property(hostile, fc.constantFrom(...templates), (value, template) => {
        const made = filled(template, value);
        if ('fault' in made) return;
        shown += 1;
        const values = valuesOf(made);
        const expected = {
          [run]: { alert: value, for: '2h' },
          '/am silence X --tags {label.alertname}': { alert: 'X', tags: [value] },
          '/am silence X --tags={label.alertname} --loud': { alert: 'X', tags: [value], loud: true },
          '/am silence X --reason {label.alertname}': { alert: 'X', reason: value },
        }[template];
        expect(values).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
    expect(shown).toBeGreaterThan(500);
  });

  it.each([
    ['', 'is missing'],
    [' ', 'is missing'],
    ['x'.repeat(201), 'is too long'],
    [`${'x'.repeat(199)}…`, 'is too long'],
    ['a\u202Eb', 'has invisible characters'],
    ['a\nb', 'has invisible characters'],
    ['<@U0BOB>', 'has a mention'],
    ['@U0BOB', 'has a mention'],
  ])('keeps the button from being shown, and the log says why: %j %s', (value, fault) => {
    expect(filled(run, value)).toEqual({ fault: `{label.alertname} ${fault}` });
  });

  it('may have a dot in its name; an absent one, and an absent annotation, show no button', () => {
    expect(valuesOf(filled('/am silence {label.a.b}', 'x'))).toEqual({ alert: 'dotted' });
    expect(filled('/am silence {label.gone}', 'x')).toEqual({ fault: '{label.gone} is missing' });
    expect(filled('/am silence {label.constructor}', 'x')).toEqual({
      fault: '{label.constructor} is missing',
    });
    expect(filled('/am silence {annotation.note}', 'x')).toEqual({ fault: '{annotation.note} is missing' });
    expect(valuesOf(filled('/am silence {annotation.note}', 'x', 'a note'))).toEqual({ alert: 'a note' });
  });
});

it.each([
  ['/{label.area} silence X', false],
  ['/am {label.verb} X', false],
  ['/am silence --{label.option} X', false],
  ['/am silence --{label.option}=X', false],
  ['/am silence X{label.alertname}', false],
  ['/am silence {label.}', false],
  ['/am silence {other.alertname}', false],
  ['/am silence {label.alertname} --for={annotation.for}', true],
])('config check takes %s for a command of a button: %s', (template, isOne) => {
  expect(isButtonTemplate(template)).toBe(isOne);
});
