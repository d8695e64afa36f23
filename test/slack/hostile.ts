import * as fc from 'fast-check';

import type { Fact, Item, Report } from '../../src/model/values/report.ts';
import { type Request, states } from '../../src/model/records/request.ts';
import type { Target } from '../../src/model/rulebook/target.ts';
import { aRequest } from '../sample-request.ts';

const at = 1_763_700_000_000;

/** Strings that have broken chat bots: markup, controls, direction marks, half characters, emoji, length. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '<!channel>',
    '<@U0ALICE>',
    '<https://evil.example|click>',
    '&amp;&lt;&',
    '```\n*bold* _it_ ~no~',
    '\u202Etxt.exe\u2066',
    '\u0000\u0007\u001B[31m',
    '\uD83D',
    '👩‍👩‍👧‍👦🏳️‍🌈',
    '&'.repeat(3_000),
    '<'.repeat(10_000),
    'x'.repeat(10_000),
    '😀'.repeat(5_000),
    '',
    ' \n\t ',
    'failed',
    'awaiting approval',
    // Beginnings that patterns look for, over and over.
    '-eyJ'.repeat(3_000),
    '<@UA|'.repeat(3_000),
    '<title'.repeat(3_000),
    '\\'.repeat(10_000),
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** Sizes of lists near and beyond Slack's limits. */
const hostileList = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.array(item, { maxLength, size: 'max' });

const namedPart = fc.oneof(
  fc.record({ at: fc.nat() }),
  fc.record({ person: hostileText }),
  fc.record({ usergroup: hostileText }),
  fc.record({ channel: hostileText }),
);
const facts = (length: number): fc.Arbitrary<Fact[]> =>
  hostileList(
    fc.record(
      {
        label: hostileText,
        value: hostileText,
        parts: fc.array(fc.oneof(hostileText, namedPart), { maxLength: 4 }),
      },
      { requiredKeys: ['label', 'value'] },
    ),
    length,
  );
const cell = fc.oneof(
  hostileText,
  fc.double(),
  fc.integer(),
  fc.constantFrom({ at: 0 }, { person: '<!here>' }),
);

const someone = fc.record({
  team: fc.constant('T0LOCAL'),
  user: fc.oneof(fc.constantFrom('U0ALICE', 'U0CAROL', 'U0BOB'), hostileText),
});

/** An item of a list with hostile text in every place, and at most one button of each kind, as ours have. */
export const hostileItem: fc.Arbitrary<Item> = fc.record(
  {
    title: hostileText,
    state: fc.oneof(fc.constantFrom<string>(...states), hostileText),
    id: hostileText,
    by: someone,
    at: fc.constant(at),
    until: fc.constant(at),
    channel: hostileText,
    why: hostileText,
    refusal: fc.record({ by: someone, note: hostileText }, { requiredKeys: ['note'] }),
    link: fc.constant('https://acme.slack.com/archives/C0OPS/p1'),
    buttons: fc.uniqueArray(
      fc.record({
        action: fc.constantFrom('inspect' as const, 'check' as const, 'settle' as const, 'review' as const),
        text: hostileText,
        value: hostileText,
      }),
      { selector: ({ action }) => action, maxLength: 4 },
    ),
  },
  { requiredKeys: ['title', 'state', 'id', 'by', 'at', 'buttons'] },
);

/** Reports with hostile text in every place, of sizes near and beyond the limits. */
export const hostileReport: fc.Arbitrary<Report> = fc.record(
  {
    title: hostileText,
    tone: fc.constantFrom(
      'neutral' as const,
      'good' as const,
      'warning' as const,
      'bad' as const,
      'unsure' as const,
    ),
    headline: hostileText,
    facts: facts(60),
    items: hostileList(hostileItem, 20),
    charts: hostileList(
      fc.record({
        kind: fc.constantFrom('line' as const, 'bar' as const, 'area' as const, 'pie' as const),
        title: hostileText,
        unit: hostileText,
        labels: hostileList(hostileText, 70),
        series: hostileList(
          fc.record({
            name: hostileText,
            values: hostileList(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), 70),
          }),
          9,
        ),
      }),
      4,
    ),
    tables: hostileList(
      fc.record({
        caption: hostileText,
        columns: fc.array(fc.record({ label: hostileText, numeric: fc.boolean() }), {
          minLength: 1,
          maxLength: 25,
          size: 'max',
        }),
        rows: hostileList(fc.array(cell, { maxLength: 26 }), 50),
      }),
      5,
    ),
    notes: hostileList(hostileText, 12),
    csv: fc.constant({ fileName: 'all.csv', columns: ['a'], rows: [] }),
  },
  { requiredKeys: ['title', 'tone', 'facts', 'items', 'charts', 'tables', 'notes'] },
);

const labels = fc.dictionary(hostileText, hostileText, { maxKeys: 12 });
const hostileTarget: fc.Arbitrary<Target> = fc.oneof(
  fc.record({
    kind: fc.constant('instance' as const),
    name: hostileText,
    project: fc.nat(),
    region: fc.nat(),
    regionName: hostileText,
    id: hostileText,
    labels,
  }),
  fc.record({
    kind: fc.constant('bucket' as const),
    name: hostileText,
    storage: hostileText,
    bucket: hostileText,
    labels,
  }),
);

export const hostileRequest: fc.Arbitrary<Request> = fc
  .record(
    {
      state: fc.constantFrom(...states),
      target: hostileTarget,
      words: hostileText,
      preview: facts(40),
      requester: someone,
      reason: hostileText,
      breakGlass: hostileText,
      note: hostileText,
      decision: fc.record({
        effect: fc.constantFrom('confirm' as const, 'approve' as const),
        rule: hostileText,
        approvers: hostileList(hostileText, 10),
        approvals: fc.integer({ min: 1, max: 5 }),
        typeName: fc.boolean(),
      }),
      approvals: hostileList(fc.record({ by: someone, at: fc.constant(at) }), 30),
      decidedBy: someone,
      outcome: fc.record(
        {
          report: hostileReport,
          error: fc.record({
            code: fc.constantFrom('not-sent', 'rejected', 'unknown-outcome'),
            message: hostileText,
          }),
          serviceRequestId: hostileText,
          sighting: hostileReport,
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['state', 'target', 'words', 'preview', 'requester', 'decision', 'approvals'] },
  )
  .map((changes) => aRequest({ decidedAt: at, startedAt: at, endedAt: at, ...changes }));
