import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { signedHeaders } from '../../slack/receive/receiving-app.ts';
import { callsBesideSuggestions } from '../service-control.ts';
import { setStage, type Message, type Stage } from '../stage.ts';
import { until } from '../../until.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'error' } });
});
afterAll(() => stage.close());

/** The longest answer that counts as short. */
const shortText = 700;

const whispersOf = async (): Promise<readonly Message[]> =>
  (await stage.messages('U0ALICE')).filter(({ ephemeral }) => ephemeral);

/** Types the text, and waits for its private answer, which is the only one. */
async function answerTo(typed: string): Promise<Message> {
  const before = (await whispersOf()).length;
  expect(await stage.say('U0ALICE', typed)).toEqual({ ok: true });
  return until(
    async () => (await whispersOf())[before],
    () => `${typed}\n${stage.bot.output()}`,
  );
}

const published = async (): Promise<number> =>
  (await stage.messages('U0ALICE')).filter(({ ephemeral }) => !ephemeral).length;

const zeroWidth = '\u200B';

describe('what cannot be understood', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['no subcommand', '/cloud', /reboot/u],
    ['a misspelt subcommand', '/cloud rebot web-1', /Did you mean “\/cloud reboot”/u],
    ['a misspelt instance', '/cloud reboot wbe-1', /Did you mean “web-1”/u],
    ['a misspelt option', '/cloud reboot web-1 --forse', /has no option “--forse”/u],
    ['an unclosed quote', '/cloud reboot web-1 --reason "stuck', /quote .* is never closed/u],
    ['an unclosed smart quote', '/cloud reboot “web-1', /quote .* is never closed/u],
    ['a misspelt option after an autocorrected dash', '/cloud reboot web-1 —forse', /no option “--forse”/u],
    [
      '10,000 characters',
      `/cloud reboot ${'x'.repeat(10_000)}`,
      /has 10,007 characters\. The limit is 3,000/u,
    ],
    ['control characters', '/cloud reboot web-1\u0007\u001B[2J', /invisible|control/u],
    ['invisible characters', `/cloud reboot web${zeroWidth}-1`, /invisible characters/u],
    ['an emoji', '/cloud reboot 🔥', /no instance “🔥”/u],
    ['a mention of everyone', '/cloud reboot <!channel>', /no instance “&lt;!channel&gt;”/u],
    ['words of another program', '/cloud rm -rf /', /Unknown command “\/cloud rm”/u],
    ['a region that the instance is not in', '/cloud reboot web-1 --region 180', /“web-1” is in region 76/u],
    [
      'a listed id under another region',
      '/cloud reboot 1186668/76/0d9c0a3a52a54a1b8f0e0d5f4c1b7a11',
      /is the id of “db-1”, which is in region 180, not 76. Type db-1 instead/u,
    ],
    [
      'letters that only look like those of an id',
      '/cloud reboot 1186668/76/6с6aa80f-7836-4dc2-a2ae-125e248be476',
      /no instance/u,
    ],
    ['two instances', '/cloud reboot web-1 web-2', /Name one instance at a time/u],
  ];

  it.each(cases)('%s gets a short private answer, and nothing is sent', async (_, typed, says) => {
    const [calls, messages] = [await callsBesideSuggestions(stage.service), await published()];
    const answer = await answerTo(typed);
    const words = `${answer.text}\n${JSON.stringify(answer.blocks)}`;
    expect(words).toMatch(says);
    expect(words).not.toContain('<!channel>');
    expect(answer.text.length).toBeLessThanOrEqual(shortText);
    expect(await published()).toBe(messages);
    expect(await callsBesideSuggestions(stage.service)).toEqual(calls);
  });

  it.each([
    ['/cloud rebot web-2 --reason "disk errors"', 'Run /cloud reboot web-2 --reason "disk errors"'],
    ['@Bellhop rebot web-2 --reason "disk is full"', 'Run reboot web-2 --reason "disk is full"'],
  ])('%s: a button runs the corrected line, with what else was typed', async (typed, button) => {
    const answer = await answerTo(typed);
    await stage.press('U0ALICE', answer, button);
    const reason = /"(.*)"/u.exec(typed)?.[1] ?? '';
    const isCard = (state: string) => (message: Message) =>
      message.text.startsWith(`Reboot web-2: ${state}`) && JSON.stringify(message.blocks).includes(reason);
    await stage.press('U0ALICE', await stage.seen('U0ALICE', isCard('proposed')), 'Cancel');
    expect(await stage.seen('U0ALICE', isCard('cancelled'))).toBeDefined();
  });

  it.each(['-eyJ', '<@UA|', '<https:a|', '\\', '--a="', ' xoxb-2345678901-abcdef'])(
    '100,000 characters of %j are refused by their length, before anything looks at them',
    async (pattern) => {
      await answerTo('/cloud help');
      const before = (await whispersOf()).length;
      const sent = new URLSearchParams(stage.payloads.passed.at(-1)?.body.toString());
      sent.set('trigger_id', `1.2.${pattern}`);
      sent.set('text', `reboot ${pattern.repeat(100_000 / pattern.length)}`);
      const body = sent.toString();
      const secret = stage.env['SLACK_SIGNING_SECRET'] ?? '';
      const { status } = await fetch(`${stage.botUrl}/slack/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...signedHeaders(body, Date.now(), secret),
        },
        body,
      });
      expect(status).toBe(200);
      const answer = await until(async () => (await whispersOf())[before]);
      expect(answer.text).toMatch(/has [\d,]+ characters\. The limit is 3,000/u);
    },
  );

  it('a missing instance opens a form', async () => {
    const calls = await callsBesideSuggestions(stage.service);
    expect(await stage.say('U0ALICE', '/cloud reboot')).toEqual({ ok: true });
    const form = await until(async () => (await stage.modals('U0ALICE'))[0]);
    expect(form.title?.text).toMatch(/reboot/iu);
    expect(await callsBesideSuggestions(stage.service)).toEqual(calls);
  });

  it.each([
    ['smart quotes', '/cloud reboot “web-1” --reason “it hangs”'],
    ['backticks', '/cloud reboot `web-1` --reason `it hangs`'],
    ['a dash made by autocorrect', '/cloud reboot web-1 —reason hangs'],
  ])('%s are understood', async (_, typed) => {
    await stage.say('U0ALICE', typed);
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('Reboot web-1: proposed'));
    expect(JSON.stringify(card.blocks)).toMatch(/hangs/u);
    await stage.press('U0ALICE', card, 'Cancel');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('cancelled'));
  });
});

const wordsOf = ({ text, blocks }: Message): string => `${text}\n${JSON.stringify(blocks)}`;

async function rebootOf(name: string): Promise<Message> {
  await stage.say('U0ALICE', `/cloud reboot ${name}`);
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`Reboot ${name}: proposed`));
  await stage.press('U0ALICE', card, `Reboot ${name}`);
  return stage.seen(
    'U0ALICE',
    ({ ts, text }) => ts === card.ts && /: (succeeded|failed|unknown)/u.test(text),
  );
}

describe('a service that misbehaves', () => {
  afterEach(() => stage.clearFaults());

  const refusals: readonly (readonly [string, object, RegExp, RegExp])[] = [
    ['rejects the key', { status: 401 }, /: failed/u, /Check API_KEY: the service does not accept it/u],
    ['forbids it', { status: 403 }, /: failed/u, /A fault is switched on for this endpoint/u],
    ['answers HTML', { html: true }, /: unknown/u, /502 Bad Gateway.*Before you run it again/u],
    [
      'answers HTML as if all was well',
      { html: true, status: 200 },
      /: unknown/u,
      /it is not JSON.*Before you run it again/u,
    ],
  ];

  it.each(refusals)('that %s gives one message that says what to do', async (_, fault, state, says) => {
    const before = await stage.calls('rebootInstance');
    await stage.fault('readInstance', { status: 404 });
    await stage.fault('rebootInstance', fault);
    const ended = await rebootOf('web-1');
    expect(ended.text).toMatch(state);
    expect(wordsOf(ended)).toMatch(says);
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it('that is slow is waited for, and the card says in the meantime that it runs', async () => {
    await stage.fault('rebootInstance', { delay_ms: 600_000 });
    await stage.say('U0ALICE', '/cloud reboot web-2');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('Reboot web-2: proposed'));
    await stage.press('U0ALICE', card, 'Reboot web-2');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes(': running'));
    await stage.clearFaults();
    const ended = await stage.seen(
      'U0ALICE',
      ({ ts, text }) => ts === card.ts && !/proposed|running/u.test(text),
    );
    expect(ended.text).toContain('Reboot web-2: succeeded');
  });

  it.each([
    ['rejects the key', { status: 401 }, /Check API_KEY/u],
    ['forbids it', { status: 403 }, /A fault is switched on for this endpoint.* 403 /u],
    ['answers HTML', { html: true, status: 400 }, /400 Bad Request/u],
  ])('that %s during a read gives a private message', async (_, fault, says) => {
    await stage.fault('listFloatingIps', fault);
    expect(wordsOf(await answerTo('/cloud ips'))).toMatch(says);
  });
});

describe('an unsigned payload', () => {
  const form = 'application/x-www-form-urlencoded';
  const bodies: readonly (readonly [string, string, string])[] = [
    [
      'a command',
      form,
      'command=%2Fcloud&text=reboot+web-1&team_id=T0LOCAL&user_id=U0ALICE&channel_id=C0OPS',
    ],
    ['ssl_check', form, 'ssl_check=1&token=x'],
    ['url_verification', 'application/json', '{"type":"url_verification","challenge":"c"}'],
  ];

  it('is answered with 401, whatever it claims to be, and so is one that another secret signed', async () => {
    const statusOf = async (body: string, type: string, headers: Readonly<Record<string, string>>) =>
      (
        await fetch(`${stage.botUrl}/slack/events`, {
          method: 'POST',
          headers: { 'content-type': type, ...headers },
          body,
        })
      ).status;
    for (const [, type, body] of bodies) {
      expect(await statusOf(body, type, {})).toBe(401);
      expect(await statusOf(body, type, signedHeaders(body, Date.now(), 'another secret'))).toBe(401);
    }
    const [, type, body] = bodies[2] ?? ['', '', ''];
    expect(
      await statusOf(body, type, signedHeaders(body, Date.now(), stage.env['SLACK_SIGNING_SECRET'])),
    ).toBe(200);
  });
});

describe('a service that is down', () => {
  it('is reported as “not sent”', async () => {
    await stage.service.close();
    // This comes first: after several failed calls, no call is made for a while, and another sentence says so.
    const read = await answerTo('/cloud ips');
    expect(wordsOf(read)).toMatch(/was not sent: the connection was refused/u);
    const ended = await rebootOf('web-1');
    expect(ended.text).toMatch(/: failed, not sent/u);
    expect(wordsOf(ended)).toMatch(/not sent/iu);
  });
});
