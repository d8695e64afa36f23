import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { until } from '../../until.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

/** A thread in #ops, by its first message. */
async function thread(about: string): Promise<string> {
  await stage.say('U0ALICE', about);
  return (await stage.seen('U0ALICE', ({ text }) => text === about)).ts;
}

const reply = (as: string, text: string, thread_ts: string) =>
  gesture(stage.workspace, 'send', { as, channel: 'C0OPS', text, thread_ts });

/** Bellhop's message in a thread, once it matches. */
const answer = (as: string, thread_ts: string, fits: (message: Message) => boolean) =>
  stage.seen(
    as,
    (message) => message['thread_ts'] === thread_ts && message.user === 'U0BELLHOP' && fits(message),
  );

const saying = (words: string) => (message: Message) => JSON.stringify(message).includes(words);

const inThread = async (thread_ts: string, fits: (message: Message) => boolean) =>
  (await stage.messages('U0ALICE')).filter((message) => message['thread_ts'] === thread_ts && fits(message));

const formCalled = (title: string) =>
  until(async () => (await stage.modals('U0ALICE')).find((view) => view.title?.text === title));

describe('a mention in a thread', () => {
  it('has its card there, is confirmed there, and runs once however often Slack delivers it', async () => {
    const incident = await thread('web-1 hangs since the deploy');
    await reply('U0ALICE', '@Bellhop reboot web-1 --reason "hangs"', incident);
    const card = await answer('U0ALICE', incident, ({ text }) => text.includes('web-1: proposed'));
    expect(buttonsOf(card)).toEqual(['Reboot web-1', 'Cancel', 'Details']);
    const delivered = stage.payloads.passed.findLast(({ body }) => body.includes('"app_mention"'));
    if (!delivered) throw new Error('no mention was delivered');
    expect((await stage.payloads.again(delivered, { 'x-slack-retry-num': '1' })).status).toBe(200);

    await stage.press('U0ALICE', card, 'Reboot web-1');
    await answer('U0ALICE', incident, ({ ts, text }) => ts === card.ts && text.includes('web-1: succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(1);
    const cards = (await stage.messages('U0ALICE')).filter(({ text }) => text.includes('web-1: '));
    expect(cards.map(({ ts }) => ts)).toEqual([card.ts]);
  });

  it('asks for an approval there, and says there that it came', async () => {
    const incident = await thread('db-1 is slow');
    await reply('U0ALICE', '@Bellhop cloud reboot db-1', incident);
    const card = await answer('U0CAROL', incident, ({ text }) => text.includes('db-1: awaiting approval'));
    await answer('U0CAROL', incident, ({ text }) =>
      /^<@U0CAROL> ⏳ Approve \*Reboot db-1\* .* for <@U0ALICE>/u.test(text),
    );
    await stage.press('U0CAROL', card, 'Approve');
    const told = await answer('U0ALICE', incident, ({ text }) => text.includes('approved by <@U0CAROL>'));
    expect(told.text).toMatch(/^<@U0ALICE>/u);
  });

  it('answers a read there, for all who follow the thread', async () => {
    const incident = await thread('what do the metrics say?');
    await reply('U0ALICE', '@Bellhop: metrics 5xx', incident);
    const report = await answer('U0BOB', incident, ({ text }) => text.includes('CDN metrics'));
    expect(report.ephemeral).toBe(false);
    expect(buttonsOf(report)).not.toContain('Share in channel');

    await stage.press('U0BOB', report, 'Refresh');
    const own = await answer('U0BOB', incident, ({ ephemeral }) => ephemeral);
    await stage.press('U0BOB', own, 'Share in channel');
    await answer(
      'U0ALICE',
      incident,
      (message) => !message.ephemeral && saying('Shared by <@U0BOB>')(message),
    );
  });

  it('shows a denial, and a list with buttons, only to the person who asked', async () => {
    const incident = await thread('what waits for me?');
    await reply('U0ALICE', '@Bellhop reboot web-1', incident);
    const card = await answer('U0ALICE', incident, ({ text }) => text.includes('web-1: proposed'));
    await reply('U0ALICE', '@Bellhop requests', incident);
    const list = await answer('U0ALICE', incident, saying('requests'));
    await reply('U0GUS', '@Bellhop ips', incident);
    const denial = await answer('U0GUS', incident, ({ text }) =>
      text.includes('You have no role that may run'),
    );
    expect([list.ephemeral, denial.ephemeral]).toEqual([true, true]);
    await stage.press('U0ALICE', card, 'Cancel');
  });

  it('offers a form if an input is missing, and its card follows there, too', async () => {
    const incident = await thread('web-2 is to be stopped');
    await reply('U0ALICE', '@Bellhop stop', incident);
    const offer = await answer('U0ALICE', incident, (message) =>
      buttonsOf(message).includes('Open the form'),
    );
    expect(offer).toMatchObject({ ephemeral: true, text: '`/cloud stop` needs more: *Instance*.' });
    await stage.press('U0ALICE', offer, 'Open the form');
    const form = await until(async () => (await stage.modals('U0ALICE'))[0]);
    const option = { text: { type: 'plain_text', text: 'web-2' }, value: 'web-2' };
    const values = { instance: { value: { type: 'external_select', selected_option: option } } };
    await gesture(stage.workspace, 'submit', { as: 'U0ALICE', view_id: form.id, values });
    await answer('U0ALICE', incident, ({ text }) => text.includes('web-2: proposed'));
  });

  it('suggests the command that was meant, and runs nothing', async () => {
    const incident = await thread('a slip of the fingers');
    await reply('U0ALICE', '@Bellhop rebot web-2', incident);
    const said = await answer('U0ALICE', incident, ({ text }) => text.includes('Did you mean “reboot”?'));
    expect(said.ephemeral).toBe(true);
  });

  it('is refused privately there to a guest', async () => {
    const incident = await thread('a guest tries');
    await reply('U0GUS', '@Bellhop reboot web-2', incident);
    const refusal = await answer('U0GUS', incident, ({ text }) => text.includes('Nothing was done'));
    expect(refusal.ephemeral).toBe(true);
  });

  it('does not run again when it is edited', async () => {
    const incident = await thread('an edit');
    await reply('U0ALICE', '@Bellhop ips', incident);
    const mention = await stage.seen('U0ALICE', ({ text }) => text.endsWith('> ips'));
    await gesture(stage.workspace, 'edit', {
      as: 'U0ALICE',
      channel: 'C0OPS',
      ts: mention.ts,
      text: '@Bellhop reboot web-1',
    });
    await until(() =>
      stage.payloads.passed.some(({ body, answer: to }) => to && body.includes('"edited":{')),
    );
    await reply('U0ALICE', '@Bellhop kinds', incident);
    await answer('U0ALICE', incident, ({ text }) => text.includes('Kinds of storage events'));
    expect(await inThread(incident, saying('web-1: proposed'))).toEqual([]);
  });

  it('is nothing in a quote or in code', async () => {
    const incident = await thread('quotes');
    await reply('U0ALICE', '> @Bellhop reboot web-1', incident);
    await reply('U0ALICE', '`@Bellhop reboot web-1`', incident);
    await reply('U0ALICE', 'thanks @Bellhop', incident);
    await reply('U0ALICE', '@Bellhop kinds', incident);
    await answer('U0ALICE', incident, ({ text }) => text.includes('Kinds of storage events'));
    expect(await inThread(incident, ({ user }) => user === 'U0BELLHOP')).toHaveLength(1);
  });
});

describe('a direct message', () => {
  it('is a command without a mention, whose answer stays there', async () => {
    await stage.say('U0ALICE', 'kinds', 'D0ALICE');
    const report = await stage.seen('U0ALICE', saying('Kinds of storage events'), 'D0ALICE');
    expect(report.ephemeral).toBe(false);
  });
});

describe('“Run on this…” on a message', () => {
  it('runs the chosen operation on a target that the message names, in its thread', async () => {
    const incident = await thread('Something is wrong with db-1');
    await gesture(stage.workspace, 'shortcut', {
      as: 'U0ALICE',
      callback_id: 'run-on-this',
      message: { channel: 'C0OPS', ts: incident },
    });
    const choice = await formCalled('Run on this…');
    const option = { text: { type: 'plain_text', text: 'Reboot db-1' }, value: '0 cloud.reboot' };
    const values = { command: { value: { type: 'static_select', selected_option: option } } };
    await gesture(stage.workspace, 'submit', { as: 'U0ALICE', view_id: choice.id, values });
    const form = await formCalled('/cloud reboot');
    await gesture(stage.workspace, 'submit', { as: 'U0ALICE', view_id: form.id, values: {} });
    await answer('U0ALICE', incident, saying('db-1: awaiting approval'));
    expect(await stage.modals('U0ALICE')).toEqual([]);
  });
});
