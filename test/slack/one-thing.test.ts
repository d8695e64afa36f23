import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRegistry } from '../../src/command/grammar/registry.ts';
import type { Request } from '../../src/model/records/request.ts';
import { type Notice, notice as noticeRow } from '../../src/model/records/requests.ts';
import { operations } from '../../src/operations/index.ts';
import { DeniedError } from '../../src/policy/denied.ts';
import { runTypedCommand } from '../../src/run/run-command.ts';
import { renderNotice } from '../../src/slack/cards/notice.ts';
import { cardRenderer } from '../../src/slack/cards/render-card.ts';
import { renderDetails } from '../../src/slack/cards/render-details.ts';
import { renderRefusal } from '../../src/slack/handle/refusal.ts';
import { callerOf } from '../core.ts';
import { openStage, sampleRules } from '../operations/stage.ts';
import { carol, people } from '../people.ts';
import { aRequest } from '../sample-request.ts';
import { noSources } from '../sample-source.ts';
import { rolloutStory } from './cards/sample-whole.ts';

const at = 1_763_700_000_000;
const options = {
  registry: createRegistry(operations, sampleRules.extensions),
  rulebook: () => sampleRules,
  sources: noSources,
  disclaimers: [],
};

const noticeOf = (request: Request, kind: Notice['kind'], by = carol) =>
  renderNotice({ requestId: request.id, kind, at, by, why: 'No answer.' }, request, options).text;

const decision = { ...aRequest().decision, effect: 'approve' as const, approvers: ['leads'] };
const paused = { ...rolloutStory(3)['paused'], decision };

describe('the fallback text of a notice', () => {
  const requests: readonly (readonly [name: string, request: Request])[] = [
    ['Reboot web-1', aRequest({ state: 'awaiting approval', decision })],
    ['Reboot 3 × tier=web', aRequest(paused)],
  ];

  it.each(
    noticeRow.shape.kind.options.flatMap((kind) =>
      requests.map(([name, request]) => ({ kind, name, request })),
    ),
  )('“$kind” begins with people and a sign, and names $name and where', ({ kind, name, request }) => {
    const said = noticeOf(request, kind);
    expect(said).toMatch(/^(?:<\S+> )+\p{Emoji}\S* \S/u);
    expect(said).toContain(`*${name}* (staging)`);
    // Long texts from outside come last, so that a lock screen does not cut the rest.
    expect(said.indexOf(name)).toBeLessThan(160);
  });
});

describe('a refusal', () => {
  const commands = [
    '/cloud reboot web-1',
    '/cloud reboot db-1',
    '/cloud reboot --each tier=web',
    '/cloud reboot 1/2/00000000-0000-4000-8000-000000000000',
    '/cloud reboot db-1 --break-glass "the shop is down"',
    '/cloud stop db-1',
    '/cloud show web-1',
    '/cloud ips',
    '/cdn metrics 5xx',
    '/cdn purge 1001 --all',
    '/storage kinds',
    '/bellhop audit',
  ];
  const places = ['C0OPS', 'C0INC42', 'C0GENERAL', 'D0ALICE'];
  const rules = [
    sampleRules,
    { ...sampleRules, policy: { ...sampleRules.policy, rules: [] } },
    { ...sampleRules, policy: { ...sampleRules.policy, rules: sampleRules.policy.rules.slice(-1) } },
  ];

  it('says either in which channel, or where and to whom it is allowed, or that it is allowed to no one', async () => {
    const kinds = { allowed: 0, never: 0 };
    for (const rulebook of rules) {
      const context = (await openStage(rulebook)).another();
      for (const someone of Object.values(people))
        for (const channel of places)
          for (const line of commands) {
            const [area = '', text = ''] = line.slice(1).split(/ (.*)/su);
            const caller = callerOf(someone, channel);
            const error: unknown = await runTypedCommand(context, caller, area, text).catch(
              (refusal: unknown) => refusal,
            );
            if (!(error instanceof DeniedError)) continue;
            const said = JSON.stringify(renderRefusal(error, { disclaimers: [] }).blocks);
            const allowed = /Allowed: |Where: |Use <#|can use `--break-glass/u.test(said);
            const never = /for anyone|No one is exempt/u.test(said);
            expect([line, channel, said, allowed && never]).toEqual([line, channel, said, false]);
            const misleads = said.includes('Use <#') && /Allowed: |Where: |`--break-glass/u.test(said);
            expect([line, channel, said, misleads]).toEqual([line, channel, said, false]);
            kinds.allowed += allowed ? 1 : 0;
            kinds.never += never ? 1 : 0;
          }
    }
    expect(Math.min(kinds.allowed, kinds.never)).toBeGreaterThan(10);
  });
});

describe('a rollout', () => {
  it('has one duration, on its card, in its thread and in Details', () => {
    const minutes = fc.integer({ min: 0, max: 90 });
    fc.assert(
      fc.property(minutes, minutes, fc.boolean(), (ran, waited, settled) => {
        const endedAt = at + (ran + waited) * 60_000;
        const pause = settled
          ? { paused: { at: endedAt - waited * 60_000, why: 'No answer.', next: 3 } }
          : { pausedMs: waited * 60_000, paused: undefined };
        const progress = paused.rollout && { ...paused.rollout, startedAt: at, ...pause };
        const over = aRequest({ ...paused, state: 'succeeded', endedAt, rollout: progress });
        const [took = ''] =
          JSON.stringify(cardRenderer(options)(over).blocks).match(/(?<=\* in )[^·]*(?= · )/u) ?? [];
        expect(took).not.toBe('');
        expect(noticeOf(over, 'done')).toContain(`1 of 3 rebooted in ${took}.`);
        const details = JSON.stringify(renderDetails(over, { verb: 'reboot', disclaimers: [] }).blocks);
        expect(details.match(/ after [^·"]*/u)?.[0]).toBe(` after ${took}`);
      }),
    );
  });
});
