import * as fc from 'fast-check';

import type { Fact, Item, Report } from '../../src/model/report.ts';
import { type Request, states } from '../../src/model/request.ts';
import { targetKey, type Target } from '../../src/model/target.ts';
import { hostileList, hostileText } from './hostile.ts';

const at = 1_763_700_000_000;
const minute = 60_000;

const web1: Target = {
  kind: 'instance',
  name: 'web-1',
  project: 1186668,
  region: 76,
  regionName: 'Luxembourg-2',
  id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
  labels: { env: 'staging', tier: 'web' },
};

/** A request to reboot web-1, asked by Alice at 04:40 UTC. */
export const aRequest = (changes: Partial<Request> = {}): Request => ({
  id: 'r-7k3m9qpd',
  version: 1,
  state: 'proposed',
  operation: 'cloud.reboot',
  input: { instance: 'web-1' },
  words: '/cloud reboot web-1',
  target: web1,
  targetKey: targetKey(web1),
  preview: [{ label: 'Sends', value: 'POST /cloud/v1/instances/1186668/76/6c6aa80f/reboot' }],
  requester: { team: 'T0LOCAL', user: 'U0ALICE' },
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  reason: 'stuck since the deploy',
  decision: { effect: 'confirm', rule: 'rule 3', approvers: [], approvals: 1, typeName: false },
  approvals: [],
  createdAt: at,
  expiresAt: at + 15 * minute,
  policyHash: 'p',
  correlationId: 'c',
  ...changes,
});

/** The same after Alice confirmed it at 04:41. */
export const confirmed = (changes: Partial<Request>): Request =>
  aRequest({
    decidedBy: { team: 'T0LOCAL', user: 'U0ALICE' },
    decidedAt: at + minute,
    startedAt: at + minute,
    endedAt: at + minute + 3_000,
    ...changes,
  });

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

const somebody = fc.record({
  team: fc.constant('T0LOCAL'),
  user: fc.oneof(fc.constantFrom('U0ALICE', 'U0CAROL', 'U0BOB'), hostileText),
});

/** A line of a list with hostile text in every place, and at most one button of each kind, as ours have. */
export const hostileItem: fc.Arbitrary<Item> = fc.record(
  {
    title: hostileText,
    state: fc.oneof(fc.constantFrom<string>(...states), hostileText),
    id: hostileText,
    by: somebody,
    at: fc.constant(at),
    why: hostileText,
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
    tone: fc.constantFrom('neutral' as const, 'good' as const, 'bad' as const, 'unsure' as const),
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
      requester: somebody,
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
      approvals: hostileList(fc.record({ by: somebody, at: fc.constant(at) }), 30),
      decidedBy: somebody,
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
