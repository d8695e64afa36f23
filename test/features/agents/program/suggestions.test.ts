import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buttonsOf, type Stage, setStage } from '../../../program/stage.ts';
import { until } from '../../../until.ts';
import {
  agentOf,
  exportedLog,
  incidents,
  inThread,
  withAgents,
  statusOf,
  suggest,
  suggestionFor,
  suggestionsIn,
  textOf,
} from '../../../program/agents.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage(
    withAgents({
      holmes: {},
      watson: {},
      quick: { expire_after: '2s' },
      few: { suggestions: 2 },
      open: { open: 1 },
      ops: { channel: 'C0OPS' },
    }),
  );
});
afterAll(() => stage.close());

const mentionsIn = (blocks: unknown): boolean =>
  /<(?!!date)[@!#]|"type":"(?:user|usergroup|broadcast|channel)"/u.test(JSON.stringify(blocks));

describe('a suggestion', () => {
  it('is a message with the command before the reason; the person who presses is the requester, and the agent hears of it', async () => {
    const agent = await agentOf(stage, 'holmes');
    await agent.call('cdn_metrics', { names: ['5xx'] });
    const { id } = await suggest(agent, '/cloud reboot web-1', 'web-1 answers <!channel> 5xx for <@U0CAROL>');
    const message = await suggestionFor(stage, '/cloud reboot web-1');
    expect(message.text).toBe('Agent holmes suggests /cloud reboot web-1');
    expect(buttonsOf(message)).toEqual(['Reboot web-1…', 'Dismiss']);
    const told = JSON.stringify(message.blocks);
    expect(told.indexOf('`/cloud reboot web-1`')).toBeLessThan(told.indexOf('5xx for'));
    expect(told.indexOf('`/cloud reboot web-1`')).toBeGreaterThan(0);

    // Bob is not a responder. He learns why, and the suggestion stays.
    await stage.press('U0BOB', message, 'Reboot web-1…');
    const refusal = await stage.seen(
      'U0BOB',
      ({ text, ephemeral }) => ephemeral && text.includes('Nothing was done'),
      incidents,
    );
    expect(refusal.text).toContain('web-1');
    expect((await statusOf(agent, id)).state).toBe('waiting for a person');

    await stage.press('U0ALICE', message, 'Reboot web-1…');
    const card = await inThread(stage, message.ts, 'web-1: proposed');
    expect(JSON.stringify(card.blocks)).toContain('Suggested by the agent holmes');
    expect((await statusOf(agent, id)).state).toBe('proposed');
    const pressed = await stage.seen('U0ALICE', ({ text }) => text.startsWith('Pressed:'), incidents);
    expect([pressed.ts, buttonsOf(pressed)]).toEqual([message.ts, []]);
    expect(JSON.stringify(pressed.blocks)).toMatch(/Pressed.*<@U0ALICE>/u);

    await stage.press('U0ALICE', card, 'Reboot web-1');
    await until(async () => (await statusOf(agent, id)).state === 'succeeded');
    expect(await stage.calls('rebootInstance')).toBe(1);
    expect((await statusOf(agent, id)).outcome?.title).toContain('web-1');

    const again = await suggest(agent, '/cloud reboot web-1');
    expect(again.id).not.toBe(id);
    const next = await suggestionFor(stage, '/cloud reboot web-1');
    expect(JSON.stringify(next.blocks)).toContain('The last suggestion like this was pressed');
    expect(mentionsIn(next.blocks)).toBe(false);
    await stage.press('U0ALICE', next, 'Dismiss');
    await until(async () => (await statusOf(agent, again.id)).state === 'dismissed');
    expect((await statusOf(agent, id)).state).toBe('succeeded');
  });

  it('on production needs the approval of someone else than who pressed', async () => {
    const agent = await agentOf(stage, 'holmes');
    const { id } = await suggest(agent, '/cloud reboot db-1');
    const message = await suggestionFor(stage, '/cloud reboot db-1');
    await stage.press('U0ALICE', message, 'Reboot db-1…');
    const card = await inThread(stage, message.ts, 'db-1: awaiting approval');
    expect((await statusOf(agent, id)).state).toBe('awaiting approval');
    await stage.press('U0ALICE', card, 'Approve');
    expect((await statusOf(agent, id)).state).toBe('awaiting approval');
    await stage.press('U0CAROL', card, 'Approve');
    await until(async () => (await statusOf(agent, id)).state === 'succeeded');

    const { entries, of } = { entries: await exportedLog(stage), of: 'agent:holmes' };
    const steps = entries.filter(
      ({ suggestion, requestId }) =>
        suggestion?.id === id ||
        entries.some(
          (one) => one.suggestion?.id === id && one.requestId === requestId && requestId !== undefined,
        ),
    );
    expect(steps.map(({ event, actor }) => `${event} ${actor?.user ?? '–'}`)).toEqual(
      expect.arrayContaining([
        `suggested ${of}`,
        'proposed U0ALICE',
        'pressed U0ALICE',
        'approved U0CAROL',
        'ended –',
      ]),
    );
    expect(steps.find(({ event }) => event === 'pressed')?.suggestion).toEqual({ id, agent: of });
    expect(entries.filter(({ event, actor }) => event === 'read' && actor?.user === of)).not.toEqual([]);
  });

  it('is the same however it is typed, a hundred times, and is posted once', async () => {
    const agent = await agentOf(stage, 'holmes');
    const { id, expires_at: expiresAt } = await suggest(agent, '/cloud stop web-2');
    const ways = [
      'cloud stop web-2',
      '/cloud   stop   "web-2"',
      '/cloud stop web-2 --region 76',
      '/cloud stop --region=76 --project 1186668 web-2',
      '/cloud stop 1186668/76/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10',
      '/cloud stop 1186668/76/2F1B7C1E93A44A558C197F7F3F0C2B10',
      '/cloud stop web-2 --reason "another reason"',
    ];
    const same = await Promise.all(
      Array.from({ length: 100 }, (_, at) => suggest(agent, ways[at % ways.length] ?? '', `reason ${at}`)),
    );
    expect(new Set(same.map((one) => one.id))).toEqual(new Set([id]));
    expect(same.at(-1)).toMatchObject({ expires_at: expiresAt });
    expect(same.at(-1)?.link).toContain(`/archives/${incidents}/`);
    expect(
      (await suggestionsIn(stage)).filter(({ text }) => text.endsWith('/cloud stop web-2')),
    ).toHaveLength(1);

    const other = await agent.call('suggest_change', { command: '/cloud reboot web-2', reason: 'no' });
    expect([other.isError, textOf(other)]).toEqual([true, expect.stringContaining(`your suggestion ${id}`)]);
    const watson = await agentOf(stage, 'watson');
    const foreign = await watson.call('suggest_change', { command: '/cloud stop web-2', reason: 'no' });
    expect(foreign.isError).toBe(true);
    expect(textOf(foreign)).toContain('a suggestion of another agent');
    expect(textOf(foreign)).not.toContain(id);
    const unknown = await watson.call('request_status', { id });
    expect([unknown.isError, textOf(unknown)]).toEqual([
      true,
      expect.stringContaining('No suggestion of yours has this id'),
    ]);

    const message = await suggestionFor(stage, '/cloud stop web-2');
    await stage.press('U0BOB', message, 'Dismiss');
    await until(async () => (await statusOf(agent, id)).state === 'dismissed');
    const dismissed = await stage.seen(
      'U0ALICE',
      ({ text }) => text.startsWith('Dismissed:') && text.endsWith('stop web-2'),
      incidents,
    );
    expect([dismissed.ts, buttonsOf(dismissed)]).toEqual([message.ts, []]);
    expect(JSON.stringify(dismissed.blocks)).toContain('<@U0BOB>');
    const repeated = await agent.call('suggest_change', { command: '/cloud stop web-2', reason: 'please' });
    expect([repeated.isError, textOf(repeated)]).toEqual([
      true,
      expect.stringMatching(/dismissed.*Try again at 20\d\d-.*Z, in 3\d\d\d s/u),
    ]);

    expect(await stage.calls('stopInstance')).toBe(0);
  });

  it('is dismissed by no guest, and by no one of another organization', async () => {
    const agent = await agentOf(stage, 'ops');
    const { id } = await suggest(agent, '/cdn purge 4001 /a.css');
    const message = await suggestionFor(stage, '/cdn purge 4001 /a.css', 'C0OPS');
    for (const [who, why] of [
      ['U0GUS', 'Only full members of this workspace can dismiss a suggestion.'],
      ['U0SARA', 'Bellhop takes commands only from'],
    ] as const) {
      await stage.press(who, message, 'Dismiss');
      await stage.seen(who, ({ text, ephemeral }) => ephemeral && text.includes(why), 'C0OPS');
    }
    expect((await statusOf(agent, id)).state).toBe('waiting for a person');
  });

  it('expires by itself, and the next one says so', async () => {
    const agent = await agentOf(stage, 'quick');
    const { id } = await suggest(agent, '/cdn purge 1001 /a.css');
    const message = await suggestionFor(stage, '/cdn purge 1001 /a.css');
    expect(buttonsOf(message)).toEqual(['Purge CDN resource 1001…', 'Dismiss']);
    await until(async () => (await statusOf(agent, id)).state === 'expired');
    const expired = await stage.seen('U0ALICE', ({ text }) => text.startsWith('Expired:'), incidents);
    expect([expired.ts, buttonsOf(expired)]).toEqual([message.ts, []]);
    expect((await suggest(agent, '/cdn purge 1001 /a.css')).id).not.toBe(id);
    const next = await suggestionFor(stage, '/cdn purge 1001 /a.css');
    expect(JSON.stringify(next.blocks)).toContain('The last suggestion like this expired');
    const entries = await exportedLog(stage);
    expect(
      entries.find(({ event, suggestion }) => event === 'expired' && suggestion?.id === id)?.actor?.user,
    ).toBe('agent:quick');
  });

  it('belongs to the first of two people who press at once', async () => {
    const agent = await agentOf(stage, 'holmes');
    const { id } = await suggest(agent, '/cloud reboot web-2');
    const message = await suggestionFor(stage, '/cloud reboot web-2');
    await Promise.all(['U0ALICE', 'U0CAROL'].map((who) => stage.press(who, message, 'Reboot web-2…')));
    const { request_id: requestId } = await until(async () => {
      const status = await statusOf(agent, id);
      return status.request_id === undefined ? undefined : status;
    });
    const entries = (await exportedLog(stage)).filter(({ suggestion }) => suggestion?.id === id);
    expect(entries.map(({ event }) => event)).toEqual(['suggested', 'pressed']);
    expect(entries.at(-1)?.requestId).toBe(requestId);
    await until(async () => (await statusOf(agent, id)).state === 'proposed');
  });

  it('meets its caps, which say when to try again', async () => {
    const few = await agentOf(stage, 'few');
    await suggest(few, '/cdn purge 2001 /a.css');
    await suggest(few, '/cdn purge 2002 /a.css');
    const third = await few.call('suggest_change', { command: '/cdn purge 2003 /a.css', reason: 'no' });
    expect([third.isError, textOf(third)]).toEqual([
      true,
      expect.stringMatching(/2 suggestions in the last hour.*Try again at 20\d\d-.*Z/u),
    ]);
    const open = await agentOf(stage, 'open');
    await suggest(open, '/cdn purge 3001 /a.css');
    const second = await open.call('suggest_change', { command: '/cdn purge 3002 /a.css', reason: 'no' });
    expect([second.isError, textOf(second)]).toEqual([
      true,
      expect.stringMatching(/the limit is 1 .*Try again at 20\d\d-.*Z/u),
    ]);
  });

  it('is reported in the timeline, the status and the metrics', async () => {
    await stage.say('U0ALICE', '/bellhop timeline', incidents);
    const timeline = await stage.seen('U0ALICE', ({ text }) => text.includes('Timeline'), incidents);
    const told = JSON.stringify(timeline.blocks);
    for (const word of ['suggested', 'took up', 'dismissed', 'expired', 'Agent holmes'])
      expect(told).toContain(word);
    const watson = await agentOf(stage, 'watson');
    for (let at = 0; at < 6; at += 1)
      await watson.call('suggest_change', { command: '/cloud ips', reason: 'no' });
    await stage.say('U0ALICE', '/bellhop status', incidents);
    const status = await stage.seen(
      'U0ALICE',
      ({ blocks }) => JSON.stringify(blocks).includes('keeps being refused'),
      incidents,
    );
    expect(JSON.stringify(status.blocks)).toContain('the agent watson keeps being refused');
    const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
    expect(metrics).toMatch(/bellhop_agent_calls_total\{agent="watson",outcome="refused"\} \d+/u);
    for (const outcome of ['suggested', 'pressed', 'dismissed'])
      expect(metrics).toMatch(
        new RegExp(`bellhop_agent_suggestions_total\\{agent="holmes",outcome="${outcome}"\\} [1-9]`, 'u'),
      );
  });
});
