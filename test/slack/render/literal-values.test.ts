import { describe, expect, it } from 'vitest';

import { BellhopError, ServiceError } from '../../../src/model/values/errors.ts';
import { report, type ReportParts } from '../../../src/model/values/report.ts';
import { DeniedError } from '../../../src/policy/denied.ts';
import { IgnoredClickError } from '../../../src/request/steps/step.ts';
import { type Request, states } from '../../../src/model/records/request.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { operations } from '../../../src/operations/index.ts';
import { renderDetails } from '../../../src/slack/cards/render-details.ts';
import { renderCard } from '../../../src/slack/cards/render-card.ts';
import { renderNotice } from '../../../src/slack/cards/notice.ts';
import { renderRequestForm } from '../../../src/slack/forms/request-form.ts';
import { settleForm } from '../../../src/slack/forms/request-forms.ts';
import { openTypeName } from '../../../src/slack/forms/request-forms.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import { renderHome } from '../../../src/slack/handle/home.ts';
import { renderPostProblem, renderRefusal } from '../../../src/slack/handle/refusal.ts';
import { renderReport } from '../../../src/slack/render/report.ts';
import { rulebookOf } from '../cards/sample-card.ts';
import { clickOn } from '../receive/handled.ts';
import { click } from '../receive/payload-samples.ts';
import { nasty, timesSeen } from './times-seen.ts';
import { alice } from '../../people.ts';
import { aRequest, confirmed } from '../../sample-request.ts';
import { rotaOf } from '../../sample-source.ts';
import type { Source } from '../../../src/model/rulebook/rulebook.ts';

const registry = createRegistry(operations, ['instance-read']);
const at = 1_763_700_000_000;

const parts: ReportParts = {
  title: nasty,
  headline: nasty,
  facts: [
    { label: nasty, value: nasty },
    {
      label: 'Where',
      value: nasty,
      parts: [nasty, { person: nasty }, { channel: nasty }, { usergroup: nasty }],
    },
  ],
  items: [
    { title: nasty, state: nasty, id: nasty, by: { team: 'T', user: nasty }, at, why: nasty, buttons: [] },
  ],
  tables: [
    { caption: nasty, columns: [{ label: nasty }], rows: [[nasty]] },
    { caption: nasty, columns: [{ label: nasty }], lines: true, rows: [[nasty], [nasty]] },
  ],
  charts: [{ kind: 'bar', title: 'x', unit: nasty, labels: ['a'], series: [{ name: 'b', values: [1] }] }],
  notes: [nasty],
};

const full: Partial<Request> = {
  words: nasty,
  target: {
    kind: 'container',
    name: nasty,
    project: 1,
    region: 2,
    regionName: nasty,
    labels: { [nasty]: 'x' },
  },
  preview: [
    { label: 'Sends', value: nasty, isCall: true },
    { label: nasty, value: nasty },
  ],
  reason: nasty,
  breakGlass: nasty,
  note: nasty,
  decision: { ...aRequest().decision, rule: nasty, approvers: [nasty], breakGlass: [nasty] },
  outcome: {
    report: report.parse(parts),
    error: { code: 'rejected', message: nasty },
    serviceRequestId: nasty,
    sighting: report.parse({ title: nasty, facts: [{ label: nasty, value: nasty }] }),
    look: { at, title: `${nasty}.` },
    search: { sent: { from: 0, to: 1 }, seen: nasty },
    settledBy: nasty,
  },
};
const unknown = confirmed({ ...full, state: 'unknown' });

describe('a value is seen as it is, whatever it holds, in', () => {
  it.each([true, false])('a report, with newer blocks: %s', (modern) => {
    const shown = renderReport(report.parse(parts), {
      shareable: true,
      modern,
      now: at,
      disclaimers: [nasty],
    });
    expect(timesSeen(shown)).toBeGreaterThan(11);
  });

  it.each(states)('a card that is %s, and its details', (state) => {
    const request = state === 'proposed' ? aRequest(full) : confirmed({ ...full, state });
    const operation = { name: 'cloud.reboot', summary: nasty, risk: 'destructive' as const };
    const link = `https://console.example/${encodeURIComponent(nasty)}`;
    const card = renderCard(request, { operation, verb: 'reboot', done: nasty, link, disclaimers: [nasty] });
    expect(timesSeen(card)).toBeGreaterThan(2);
    expect(timesSeen(renderDetails(request, { verb: 'reboot', disclaimers: [nasty] }))).toBeGreaterThan(5);
  });

  it('a card that a alice settled', () => {
    const settledByHand = { by: alice, at, reason: nasty };
    const settled = confirmed({ ...full, state: 'failed', outcome: { settledByHand } });
    const operation = { name: 'cloud.reboot', summary: nasty, risk: 'destructive' as const };
    expect(
      timesSeen(renderCard(settled, { operation, verb: 'reboot', done: nasty, disclaimers: [] })),
    ).toBeGreaterThan(2);
  });

  it.each([
    'waiting',
    'reminder',
    'denied',
    'refused',
    'failed',
    'unknown',
    'seen',
    'settled',
    'done',
    'watched',
  ] as const)('a notice: %s', (kind) => {
    const request = confirmed({ ...full, state: 'succeeded', place: { ...aRequest().place, thread: '1.1' } });
    const sources = { membersOf: ({ name }: Source) => rotaOf(name) };
    const rules = rulebookOf({ users: [], usergroups: [] });
    const options = { registry, rulebook: () => rules, sources, disclaimers: [nasty] };
    const why = kind === 'settled' ? undefined : nasty;
    const shown = renderNotice({ requestId: 'r', kind, at, why }, request, options);
    expect(timesSeen(shown)).toBeGreaterThan(1);
  });

  const call = { method: 'GET', path: '/', serviceRequestId: nasty };
  const whoMay = { roles: [nasty], users: [nasty], usergroups: [nasty], channels: [nasty] };
  const silent = { ...rotaOf(nasty), problem: { text: nasty, since: at } };
  it.each([
    new BellhopError('bad-input', nasty),
    new ServiceError('rejected', nasty, call),
    new DeniedError(nasty, nasty, { ...whoMay, sources: [silent], breakGlass: [nasty] }),
    new DeniedError([nasty, { channel: nasty }, { person: nasty }], nasty, whoMay),
    new IgnoredClickError(nasty, confirmed({ ...full, state: 'failed' })),
  ])('an error: %s', (error) => {
    expect(timesSeen(renderRefusal(error, { disclaimers: [nasty] }))).toBeGreaterThan(1);
    expect(timesSeen(renderPostProblem(confirmed({ id: nasty }), error, [nasty]))).toBeGreaterThan(1);
  });

  it('the Home tab', () => {
    const { items } = report.parse(parts);
    const roles = { roles: [nasty], unknownRoles: [nasty] };
    const home = renderHome({
      now: 0,
      ...roles,
      reader: alice,
      lines: [],
      open: { items, more: false },
      recent: items,
      disclaimers: [nasty],
    });
    expect(timesSeen(home)).toBeGreaterThan(3);
  });

  it('the forms of a request', async () => {
    const views: { readonly blocks: readonly { readonly type: string }[] }[] = [];
    const context = {
      registry,
      api: { openView: (_: string, view: { blocks: [] }) => Promise.resolve(void views.push(view)) },
    } as unknown as SlackContext;
    await openTypeName(context, clickOn(click), unknown);
    expect([renderRequestForm(settleForm(unknown), unknown.place), ...views].map(timesSeen)).toEqual([1, 1]);
  });
});
