import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { operations } from '../../../src/operations/index.ts';
import { type Request, states } from '../../../src/model/records/request.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { cardRenderer, renderCard } from '../../../src/slack/cards/render-card.ts';
import { renderDetails } from '../../../src/slack/cards/render-details.ts';
import { hostileRequest, hostileText } from '../hostile.ts';
import { runs } from '../limits-hold.ts';
import { outline, outlineMessage } from '../outline.ts';
import { messageProblems } from '../within-limits.ts';
import { card, options, rulebookOf } from './sample-card.ts';
import { carol } from '../../people.ts';
import { aRequest, confirmed } from '../../sample-request.ts';

describe('a card', () => {
  test('says what is proposed, by whom, why and until when, with one button that harms', () => {
    expect(card(aRequest())).toMatchInlineSnapshot(`
      "text: Reboot web-1: proposed · for <@U0ALICE>, confirm by <!date^1763700900^{time}|04:55 UTC> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
      header: 👉 Reboot web-1?
      section: Requested by <@U0ALICE>. Confirm by <!date^1763700900^{time}|04:55 UTC>. ⏎ Why: “stuck since the deploy”
      small: env=staging · tier=web · Luxembourg-2
      small: ⚠️ Local service: nothing real is touched
      small: Will be sent: POST /cloud/v1/instances/1186668/76/6c6aa80f/reboot
      small: request r-7k3m9qpd · rule 3
      button: [Reboot web-1] danger confirm=r-7k3m9qpd
      button: [Cancel] cancel=r-7k3m9qpd
      button: [Details] details=r-7k3m9qpd"
    `);
  });

  test('says in its title and on its button which approval it skips', () => {
    const decision = { ...aRequest().decision, approvers: ['leads', 'managers'] };
    const skips = (name = 'db-1') =>
      card(
        aRequest({
          breakGlass: 'fire',
          decision,
          target: { kind: 'own', type: 'box', name, labels: {}, settings: {} },
        }),
      );
    expect(skips()).toContain('header: 👉 Reboot db-1 without approval by leads or managers?\n');
    expect(skips()).toContain('button: [Reboot db-1 without approval by leads or managers] danger confirm');
    // A name that leaves no room for the roles.
    expect(skips('x'.repeat(60))).toMatch(/button: \[Reboot x{49,}… without approval\] danger/u);
  });

  test('of an unknown outcome leads with what is known, and ends with what to do', () => {
    const look = { at: 1_763_700_100_000, title: 'web-1 is ACTIVE' };
    const sent = { from: 0, to: 1 };
    const said = (mayHaveRun?: true) => {
      const search = { sent, seen: 'Task t-1 was created then.', mayHaveRun };
      return card(confirmed({ state: 'unknown', outcome: { search, look } })).match(/section: (.*)/u)?.[1];
    };
    expect(said(true)).toMatch(
      /^\*Outcome unknown:\* it may well have run\. .* Task t-1 .* \*Next:\* check web-1's state, tasks and uptime, then press \*Settle…\*\.$/u,
    );
    expect(said()).toMatch(/^\*Outcome unknown:\* it may or may not have run\. /u);
  });

  test('keeps who approved it while it runs', () => {
    const approvals = [{ by: carol, at: 1_763_700_100_000 }];
    const running = aRequest({ state: 'running', startedAt: 1_763_700_100_000, approvals });
    expect(card(running)).toContain('Requested by <@U0ALICE>. Approved by <@U0CAROL>. Running since ');
    expect(card({ ...running, approvals: [] })).toContain('Requested by <@U0ALICE>. Running since ');
  });

  test('offers no one as the approver of their own request', () => {
    const role = { users: ['U0ALICE', 'U0CAROL', 'T0OTHER/U0ALICE'], usergroups: [] };
    const render = cardRenderer({
      registry: createRegistry([], []),
      rulebook: () => rulebookOf(role),
      disclaimers: [],
    });
    const decision = {
      effect: 'approve' as const,
      rule: 'rule 2',
      approvers: ['leads'],
      approvals: 1,
      typeName: false,
    };
    const shown = outlineMessage(render(aRequest({ state: 'awaiting approval', decision })));
    expect(shown).toContain('Approvers: <@U0CAROL> (leads).');
  });

  test('about a bucket names its storage and the bucket, each once', () => {
    const target = {
      kind: 'bucket',
      name: 'main/logs',
      storage: 'main',
      bucket: 'logs',
      labels: {},
    } as const;
    const details = renderDetails(aRequest({ target }), options);
    expect(outline(details.blocks).match(/^field: .*/gmu)).toEqual([
      'field: *Storage* ⏎ main',
      'field: *Bucket* ⏎ logs',
    ]);
  });

  test('that awaits approval says who may approve and how many did', () => {
    const decision = {
      effect: 'approve' as const,
      rule: 'rule 2',
      approvers: ['leads'],
      approvals: 2,
      typeName: false,
    };
    const approvals = [{ by: carol, at: 1_763_700_030_000 }];
    expect(card(aRequest({ state: 'awaiting approval', decision, approvals }))).toMatchInlineSnapshot(`
      "text: Reboot web-1: awaiting approval · for <@U0ALICE>, approve by <!date^1763700900^{time}|04:55 UTC> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
      header: ⏳ Reboot web-1: awaiting approval
      section: Requested by <@U0ALICE>. Approve by <!date^1763700900^{time}|04:55 UTC>. ⏎ Approvers: <@U0CAROL> (leads). Needs 2 approvals; runs as soon as it has them. Approved by <@U0CAROL>. ⏎ Why: “stuck since the deploy”
      small: env=staging · tier=web · Luxembourg-2
      small: ⚠️ Local service: nothing real is touched
      small: Will be sent: POST /cloud/v1/instances/1186668/76/6c6aa80f/reboot
      small: request r-7k3m9qpd · rule 2
      button: [Approve] primary approve=r-7k3m9qpd
      button: [Deny] deny=r-7k3m9qpd
      button: [Cancel] cancel=r-7k3m9qpd
      button: [Details] details=r-7k3m9qpd"
    `);
    const [managers, directors] = ['managers', 'directors'].map((role, index) => ({
      at: Date.parse(`2025-11-21T04:5${index}:00Z`),
      roles: [role],
    }));
    if (!managers || !directors) throw new Error('both are given');
    const later = [{ ...managers, since: Date.parse('2025-11-21T04:51:00Z') }, directors];
    const asked = card(aRequest({ state: 'awaiting approval', decision: { ...decision, later } }));
    expect(asked).toMatch(/Approvers: .*\(leads, managers\)\./u);
    expect(asked).toMatch(
      /Since <[^|]*\|04:51 UTC>, managers can also approve\. ⏎ From <[^|]*\|04:51 UTC>, directors can also approve if it is still waiting\./u,
    );
  });

  test('that runs has no button but Details', () => {
    expect(card(confirmed({ state: 'running' }))).toMatchInlineSnapshot(`
      "text: Reboot web-1: running · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
      header: 🔄 Reboot web-1: running
      section: Requested by <@U0ALICE>. Running since <!date^1763700060^{time}|04:41 UTC>. This message will update. ⏎ Why: “stuck since the deploy”
      small: env=staging · tier=web · Luxembourg-2
      small: ⚠️ Local service: nothing real is touched
      small: Being sent: POST /cloud/v1/instances/1186668/76/6c6aa80f/reboot
      small: request r-7k3m9qpd · rule 3
      button: [Details] details=r-7k3m9qpd"
    `);
  });

  test('that runs says that the service has not answered, where it has not', () => {
    const running = confirmed({ state: 'running' });
    expect(outlineMessage(renderCard(running, { ...options, unanswered: true }))).toContain(
      '*The service has not answered yet.*',
    );
  });

  test('begins with what the operation says it does, apart from what is sent', () => {
    const preview = [
      { label: 'Sends', value: 'POST /stop', isCall: true as const },
      { label: 'Effect', value: 'web-1 will be down.', isEffect: true as const },
    ];
    const proposed = aRequest({ preview });
    expect(card(proposed)).toContain('section: *web-1 will be down.* Requested by <@U0ALICE>.');
    expect(card(proposed)).toContain('small: Will be sent: POST /stop\n');
    const harmless = { ...options.operation, risk: 'change' as const };
    expect(outlineMessage(renderCard(proposed, { ...options, operation: harmless }))).toContain(
      'section: web-1 will be down. Requ',
    );
    const details = outline(renderDetails(proposed, { verb: 'stop', disclaimers: [] }).blocks);
    expect(details).toContain('stop');
  });

  test('of a hard reboot says so in its title and on its button', () => {
    const rulebook = rulebookOf({ users: [], usergroups: [] });
    const registry = createRegistry(operations, rulebook.extensions);
    const render = cardRenderer({ registry, rulebook: () => rulebook, disclaimers: [] });
    const shown = outlineMessage(render(aRequest({ input: { instance: 'web-1', hard: true } })));
    expect(shown).toContain('header: 👉 Hard-reboot web-1?');
    expect(shown).toContain('[Hard-reboot web-1] danger');
  });

  test.each([
    ['destructive', 'danger'],
    ['change', 'primary'],
  ] as const)('of a %s operation has a %s button', (risk, style) => {
    const message = renderCard(aRequest(), { ...options, operation: { ...options.operation, risk } });
    expect(outlineMessage(message)).toContain(`[Reboot web-1] ${style} confirm=r-7k3m9qpd`);
  });
});

describe('the fallback text of a card', () => {
  test.each(states)('names its own state and no other: %s', (state) => {
    for (const name of ['web-1', 'failed-over', 'unknown', 'Awaiting  Approval', 'running-man']) {
      const request = confirmed({ state, target: { ...aRequest().target, name } as Request['target'] });
      const { text } = renderCard(request, { ...options, disclaimers: ['nothing has failed here'] });
      expect(states.filter((other) => text.toLowerCase().includes(other))).toEqual([state]);
    }
  });

  test('names its own state and no other, whatever it is about', () => {
    fc.assert(
      fc.property(hostileRequest, hostileText, (request, notice) => {
        const { text } = renderCard(request, { ...options, disclaimers: [notice] });
        expect(states.filter((other) => text.toLowerCase().includes(other))).toEqual([request.state]);
      }),
      runs(100),
    );
  });
});

const buttonCounts: Readonly<Record<Request['state'], number>> = {
  proposed: 2,
  'awaiting approval': 3,
  running: 0,
  succeeded: 0,
  failed: 1,
  unknown: 1,
  cancelled: 1,
  expired: 1,
  refused: 0,
};

describe('any card', () => {
  test('is within the limits of Slack, escapes everything and keeps its buttons to its state', () => {
    fc.assert(
      fc.property(hostileRequest, hostileText, (request, summary) => {
        const message = renderCard(request, { ...options, operation: { ...options.operation, summary } });
        expect(messageProblems(message)).toEqual([]);
        const { blocks } = renderDetails(request, options);
        expect(messageProblems({ text: message.text, blocks })).toEqual([]);
        const buttons =
          outlineMessage(message).match(/^button: .* (confirm|cancel|approve|deny|again)=/gmu) ?? [];
        expect(buttons.length).toBe(buttonCounts[request.state]);
      }),
      runs(100),
    );
  });
});
