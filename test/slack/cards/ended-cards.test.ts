import { describe, expect, test } from 'vitest';

import { operations } from '../../../src/operations/index.ts';
import { report as readReport } from '../../../src/model/values/report.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { cardRenderer, renderCard } from '../../../src/slack/cards/render-card.ts';
import { renderDetails } from '../../../src/slack/cards/render-details.ts';
import { outline, outlineMessage } from '../outline.ts';
import { card, options, rulebookOf } from './sample-card.ts';
import { carol } from '../../people.ts';
import { aRequest, confirmed } from '../../sample-request.ts';

describe('a card of a request that is over', () => {
  test('that ran without a confirmation says by which rule, and that no one confirmed it', () => {
    const decision = { ...aRequest().decision, effect: 'allow' as const, rule: 'rule 3 (quick ones)' };
    const ran = aRequest({ state: 'succeeded', decision, startedAt: 1_763_700_001_000 });
    expect(card(ran)).toContain('run without confirmation (rule 3 (quick ones))');
    expect(card(ran)).not.toContain('confirmed by');
  });

  test('that is over says behind Details where its last entry is sealed, once that is known', () => {
    const over = confirmed({ state: 'succeeded', startedAt: 1_763_700_001_000 });
    const details = { verb: 'reboot', disclaimers: [] };
    const seal = { number: 1042, checkpoint: 88 };
    expect(JSON.stringify(renderDetails(over, { ...details, seal }))).toContain(
      'request r-7k3m9qpd · rule 3 · audit entry 1042, checkpoint 88 · prove it: `npm run audit -- prove 1042`',
    );
    expect(JSON.stringify(renderDetails(over, details))).toContain('The audit entry has no number yet.');
    expect(JSON.stringify(renderDetails(confirmed({}), details))).not.toContain('sealed');
  });

  test('that succeeded says so in a line, and has the answer behind Details', () => {
    const report = {
      title: 'web-1 is rebooting',
      tone: 'good' as const,
      headline: 'web-1 is rebooting',
      facts: [
        { label: 'Status', value: 'REBOOT' },
        { label: 'Task', value: 'rebooting' },
      ],
      items: [],
      charts: [],
      tables: [],
      notes: [],
    };
    const ended = confirmed({ state: 'succeeded', outcome: { report, serviceRequestId: 'req-1' } });
    expect(`${card(ended)}\n---\n${outline(renderDetails(ended, options).blocks)}`).toMatchInlineSnapshot(`
      "text: Reboot web-1: succeeded · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
      section: ✅ *Reboot web-1: succeeded* in 3 s · web-1 is rebooting
      button: [Details] details=r-7k3m9qpd
      small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700063^{date_short} {time}|2025-11-21 04:41 UTC> · ⚠️ Local service: nothing real is touched
      ---
      section: ✅ *Reboot web-1*: succeeded
      section: Why: “stuck since the deploy”
      field: *Instance* ⏎ web-1
      field: *ID* ⏎ 6c6aa80f-7836-4dc2-a2ae-125e248be476
      field: *Project* ⏎ 1186668
      field: *Region* ⏎ Luxembourg-2 (76)
      field: *Labels* ⏎ env=staging · tier=web
      section: *Sent* ⏎ • POST /cloud/v1/instances/1186668/76/6c6aa80f/reboot
      section: *Answer:* web-1 is rebooting
      field: *Status* ⏎ REBOOT
      field: *Task* ⏎ rebooting
      small: requested by <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · confirmed by <@U0ALICE> <!date^1763700060^{time}|04:41 UTC> · started <!date^1763700060^{time}|04:41 UTC> · ended <!date^1763700063^{time}|04:41 UTC> after 3 s
      small: request r-7k3m9qpd · service request req-1 · rule 3
      small: The audit entry has no number yet. Open Details again in a moment.
      small: ⚠️ Local service: nothing real is touched"
    `);
  });

  const startedAt = 1_763_700_060_000;

  test.each<[took: string, ms: number, more?: Partial<Request>]>([
    ['* in less than 1 s · ', 0],
    ['* in less than 1 s · ', 499],
    ['* in 1 s · ', 500],
    [
      '* in 2 min 0 s · ',
      120_000,
      { state: 'failed', outcome: { error: { code: 'rejected', message: 'No' } } },
    ],
    // The end is from a clock that was behind.
    ['* · ', -1000],
    ['* · ', 3000, { outcome: { settledByHand: { by: carol, at: startedAt + 240_000, reason: 'seen' } } }],
    ['* · ', 3000, { outcome: { settledBy: 't-1' } }],
    ['* · ', 3000, { state: 'failed', outcome: { error: { code: 'not-sent', message: 'No' } } }],
  ])('says how long the change took if that is known: %j', (took, ms, more = {}) => {
    const ended = confirmed({ state: 'succeeded', startedAt, endedAt: startedAt + ms, ...more });
    expect(card(ended)).toContain(`*Reboot web-1: ${ended.state}${took}`);
  });

  test('that failed gives the reason of the service', () => {
    const error = { code: 'rejected', message: 'Instance 6c6aa80f is locked by another task' };
    expect(card(confirmed({ state: 'failed', outcome: { error } }))).toMatchInlineSnapshot(`
      "text: Reboot web-1: failed · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
      section: ❌ *Reboot web-1: failed* in 3 s · It did not run: the service refused it. Instance 6c6aa80f is locked by another task
      small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700063^{date_short} {time}|2025-11-21 04:41 UTC> · ⚠️ Local service: nothing real is touched
      button: [Run it again] again=r-7k3m9qpd
      button: [Details] details=r-7k3m9qpd"
    `);
  });

  test('that was not sent says so', () => {
    const error = { code: 'not-sent', message: 'The service refused the connection.' };
    const message = renderCard(confirmed({ state: 'failed', outcome: { error } }), options);
    expect(message.text).toBe(
      'Reboot web-1: failed, not sent · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched',
    );
    expect(outlineMessage(message)).toContain('It did not run: nothing reached the service.');
  });

  test.each(['configuration', 'bad-input', 'unknown-target'])(
    'that never left because of %s does not say that it was sent',
    (code) => {
      const shown = card(confirmed({ state: 'failed', outcome: { error: { code, message: 'Set it.' } } }));
      expect(shown).toContain('text: Reboot web-1: failed, not sent');
      expect(shown).toContain('It did not run: nothing reached the service. Set it.');
    },
  );

  test('that is unknown says what to check and offers a new request', () => {
    const error = { code: 'unknown-outcome', message: 'The service did not answer within 30 s.' };
    expect(card(confirmed({ state: 'unknown', outcome: { error } }))).toMatchInlineSnapshot(`
      "text: Reboot web-1: unknown · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
      header: ❓ Reboot web-1: unknown
      section: *Outcome unknown:* it may or may not have run. Bellhop will not retry it. The service did not answer within 30 s. ⏎ Before you run it again, check web-1's state, tasks and uptime.
      small: env=staging · tier=web · Luxembourg-2
      small: ⚠️ Local service: nothing real is touched
      small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700063^{date_short} {time}|2025-11-21 04:41 UTC>
      small: request r-7k3m9qpd · rule 3
      button: [Settle…] settle=r-7k3m9qpd
      button: [Run it again] again=r-7k3m9qpd
      button: [Details] details=r-7k3m9qpd"
    `);
  });

  test('that is unknown gives the cause in a sentence, and all of it in Details', () => {
    const error = {
      code: 'unknown-outcome',
      message: `Boom. The service answered POST /cloud/v1/instances/${'0'.repeat(300)} with 500 Internal Server Error.`,
      summary: 'The service answered 500 Internal Server Error.',
    };
    const unknown = confirmed({ state: 'unknown', outcome: { error } });
    expect(card(unknown)).toContain('not retry it. The service answered 500 Internal Server Error. ⏎');
    expect(card(unknown)).not.toContain('/cloud/v1/instances/0');
    const details = outline(renderDetails(unknown, { verb: 'reboot', disclaimers: [] }).blocks);
    expect(details).toContain(error.message);
  });

  test('that is unknown says what was seen at the target since, and what was before', () => {
    const sighting = {
      title: "web-1 is rebooting. That may be this request or someone else's change",
      tone: 'unsure' as const,
      facts: [
        { label: 'State before the request', value: 'ACTIVE' },
        { label: 'State now', value: 'REBOOT, active, rebooting' },
      ],
      items: [],
      charts: [],
      tables: [],
      notes: ['This settles nothing.'],
    };
    const error = { code: 'unknown-outcome', message: 'No answer in 30 s.' };
    const [before, sighted] = [{ status: 'ACTIVE' }, { status: 'REBOOT' }];
    const outcome = { error, sighting, sighted, sightedAt: 1_763_700_000_000 };
    const unknown = confirmed({ state: 'unknown', before, outcome });
    const shown = card(unknown);
    expect(card({ ...unknown, before: sighted })).toContain('it may or may not have run');
    expect(shown.split('\n').slice(2, 7)).toMatchInlineSnapshot(`
      [
        "section: *Outcome unknown:* it may well have run. Bellhop will not retry it. No answer in 30 s. ⏎ *Seen* <!date^1763700000^{time}|04:40 UTC>: web-1 is rebooting. That may be this request or someone else's change. ⏎ Before you run it again, check web-1's state, tasks and uptime.",
        "small: env=staging · tier=web · Luxembourg-2",
        "small: ⚠️ Local service: nothing real is touched",
        "small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700063^{date_short} {time}|2025-11-21 04:41 UTC>",
        "small: request r-7k3m9qpd · rule 3",
      ]
    `);
    expect(shown).toContain('text: Reboot web-1: unknown ·');
  });

  test('that is unknown begins with Check now if the service can be asked, and links to the console', () => {
    const { rulebook } = { rulebook: rulebookOf({ users: [], usergroups: [] }) };
    const look = { at: 1_763_700_300_000, title: 'web-1 is still ACTIVE', isSighting: true as const };
    const sighting = readReport.parse({
      title: look.title,
      facts: [{ label: 'State before the request', value: 'not known' }],
    });
    const unknown = confirmed({ state: 'unknown', outcome: { look, sighting } });
    const shown = (extensions: typeof rulebook.extensions, request = unknown) =>
      outlineMessage(
        cardRenderer({
          registry: createRegistry(operations, extensions),
          rulebook: () => ({
            ...rulebook,
            extensions,
            links: { instance: 'https://console.example/{project}/{region}/{id}?tab=a&b=1' },
          }),
          disclaimers: [],
        })(request),
      );
    const all = shown(rulebook.extensions);
    expect(all).toContain(
      '<https://console.example/1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476?tab=a&amp;b=1|Open in console>',
    );
    expect(all).toContain(
      '*Checked* <!date^1763700300^{time}|04:45 UTC>: web-1 is still ACTIVE. State before the request: not known. ⏎',
    );
    expect(all).not.toMatch(/\bsince\b(?! the deploy)/u);
    expect(all.match(/^button: .*/gmu)?.[0]).toBe('button: [Check now] primary check=r-7k3m9qpd');
    const search = { sent: { from: 0, to: 1 }, seen: 'No task.', suggests: 'failed' as const };
    const likely = shown(rulebook.extensions, { ...unknown, outcome: { ...unknown.outcome, search } });
    expect(likely.match(/^button: .*/gmu)?.slice(0, 2)).toEqual([
      'button: [Settle…] primary settle=r-7k3m9qpd',
      'button: [Check now] check=r-7k3m9qpd',
    ]);
    expect(shown([])).not.toContain('Check now');
    expect(shown([])).toContain('button: [Settle…] settle=r-7k3m9qpd');
  });

  test('that a person settled says who, how, and why', () => {
    const settledByHand = {
      by: carol,
      at: 1_763_700_300_000,
      reason: 'its <uptime>',
    };
    const shown = card(confirmed({ state: 'failed', outcome: { settledByHand } }));
    expect(shown).toContain('*It did not run* (settled by <@U0CAROL>: “its &lt;uptime&gt;”)');
    expect(shown).not.toContain('settled by <@U0CAROL> <!date');
    expect(shown).toContain('text: Reboot web-1: failed ·');
  });

  test.each<[Request['state'], Partial<Request>]>([
    ['cancelled', {}],
    ['expired', { decidedBy: undefined }],
    ['refused', { decidedBy: carol, note: 'Why: “not now”' }],
  ])('that is %s says that nothing was sent', (state, changes) => {
    const shown = card(confirmed({ state, startedAt: undefined, ...changes }));
    expect(shown).toContain('Nothing was sent.');
    const again = state === 'refused' ? [] : ['button: [Request again] again=r-7k3m9qpd'];
    expect(shown.match(/^button: .*/gmu)).toEqual([...again, 'button: [Details] details=r-7k3m9qpd']);
  });

  test('cancelled says by whom and when, the time once', () => {
    const at = 1_763_700_060_000;
    const shown = card(confirmed({ state: 'cancelled', startedAt: undefined, decidedAt: at, endedAt: at }));
    expect(shown).toContain('cancelled by <@U0ALICE> · <!date^1763700060^{date_short} {time}|');
  });

  test('refused by a freeze says until when, in the zone of the reader it', () => {
    const decision = { ...aRequest().decision, refusedUntil: Date.UTC(2025, 11, 1, 8) };
    const note = 'The rules no longer allow it. Frozen: sale.';
    expect(card(confirmed({ state: 'refused', startedAt: undefined, note, decision }))).toContain(
      'Nothing was sent. The rules no longer allow it. Frozen: sale. Allowed again from <!date^1764576000^{date_short} {time}|2025-12-01 08:00 UTC>.',
    );
  });
});

describe('a card of a change that has a task', () => {
  const ended = confirmed({ endedAt: 1_763_700_060_000 });

  test.each<[what: string, request: Partial<Request>, says: string]>([
    [
      'is accepted',
      { state: 'running', endedAt: undefined, outcome: { tasks: { ids: ['t-1'] } } },
      'Accepted; the service is working on it.',
    ],
    [
      'is not settled yet',
      { state: 'unknown', outcome: { search: { sent: { from: 0, to: 1 }, seen: 'No <!channel> task.' } } },
      'Bellhop will not retry it. ⏎ No ',
    ],
    ['is settled', { state: 'succeeded', outcome: { settledBy: 't-1' } }, "confirmed by the service's task"],
    [
      'failed',
      { state: 'failed', outcome: { error: { code: 'task-failed', message: 'Task t-1 ended in ERROR.' } } },
      'The service started it, but it failed. Task t-1 ended in ERROR.',
    ],
  ])('that %s says so', (_, more, says) => {
    const shown = card({ ...ended, ...more });
    expect(shown).toContain(says);
    expect(shown).not.toContain('<!channel>');
  });
});
