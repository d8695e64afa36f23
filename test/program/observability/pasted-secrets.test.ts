import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startCollector } from '../../collector.ts';
import { until } from '../../until.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Message, type Stage } from '../stage.ts';
import { gesture } from '../workspace-page.ts';

const marker = 'PASTED5f1c';
const apiKey = `key-${marker}-of-the-stage`;
/** Not a secret. The search must find it, or it proves nothing. */
const kept = 'reason-of-this-very-story';

/** A secret of each shape that Bellhop recognizes, and one that Bellhop uses itself. */
const secrets: readonly (readonly [what: string, secret: string])[] = [
  ['a Slack token', `xoxb-${marker}-abcdefABCDEF`],
  ['a Slack app token', `xapp-1-${marker}-abcdef`],
  ['a private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${marker}`],
  ['a GitHub token', `ghp_${marker}${'a1'.repeat(18)}`],
  ['a fine-grained GitHub token', `github_pat_${marker}${'a1'.repeat(18)}`],
  ['an authorization header', `Bearer ${marker}abcdef0123456789`],
  ['a signed token', `eyJ${marker}hbGciOiJI.eyJ${marker}dWIiOiI.c2ln`],
  ['one of its own', apiKey],
];

const confirmedByName = (rulebook: string): string =>
  rulebook.replace(
    /(- name: delivery and storage\n(?: {4}.*\n)*? {4}then: confirm\n)/u,
    '$1    confirm: type-name\n',
  );

let stage: Stage;
let collector: Awaited<ReturnType<typeof startCollector>>;
let cards: Awaited<ReturnType<typeof openCards>>;
beforeAll(async () => {
  collector = await startCollector();
  stage = await setStage({
    secrets: { apiKey },
    rulebook: `${confirmedByName(exampleRulebook({}))}audit: { forward: { url: "${collector.url}", token: secret:siem } }\n`,
    env: { LOG_LEVEL: 'trace', BELLHOP_SECRET_SIEM: 'token-of-the-collector' },
  });
  cards = await openCards();
});
afterAll(async () => {
  await stage.close();
  await collector.close();
});

const cardOf = (text: string): Promise<Message> => stage.seen('U0ALICE', (one) => one.text.includes(text));

/** A request in each state in which Bellhop asks for words. */
async function openCards() {
  await stage.say('U0ALICE', `/cloud reboot db-1 --break-glass ${kept}`);
  await stage.press(
    'U0ALICE',
    await cardOf('db-1 without approval by leads: proposed'),
    'Reboot db-1 without approval by leads',
  );
  await cardOf('db-1: succeeded');
  const review = await cardOf('review open');
  await stage.fault('rebootInstance', { reset: true, after: true, times: 1 });
  await stage.say('U0ALICE', '/cloud reboot web-1');
  await stage.press('U0ALICE', await cardOf('web-1: proposed'), 'Reboot web-1');
  const unknown = await cardOf('web-1: unknown');
  await stage.say('U0ALICE', `/cloud stop db-1 --reason ${kept}`);
  const awaiting = await cardOf('db-1: awaiting approval');
  await stage.say('U0ALICE', '/cdn purge 1001 /index.html');
  const named = await cardOf('1001: proposed');
  return { review, unknown, awaiting, named };
}

/** The bot's message to a person after their action, once it begins like this. */
async function said(beginning: string, way: () => Promise<unknown>): Promise<string> {
  const answers = async (): Promise<readonly Message[]> => {
    const all = await Promise.all(['C0OPS', 'D0ALICE'].map((place) => stage.messages('U0ALICE', place)));
    return all.flat().filter(({ user, text }) => user === 'U0BELLHOP' && text.startsWith(beginning));
  };
  const before = new Set((await answers()).map(({ ts }) => ts));
  await way();
  const answer = await until(
    async () => (await answers()).find(({ ts }) => !before.has(ts)),
    () => stage.bot.output().slice(-5000),
  );
  return JSON.stringify(answer);
}

const refusal = 'That looks like';
const typed = (text: string, channel?: string): Promise<string> =>
  said(refusal, () => stage.say('U0ALICE', text, channel));

const text = (value: string) => ({ value: { type: 'plain_text_input', value } });
const chosen = (type: string, value: string) => ({
  value: { type, selected_option: { text: { type: 'plain_text', text: 'it' }, value } },
});

const formOf = (as: string) => until(async () => (await stage.modals(as))[0]);

/** Opens a form, does something in it and closes it. */
async function inForm(
  as: string,
  open: () => Promise<unknown>,
  work: (view_id: string) => Promise<string>,
): Promise<string> {
  await open();
  const { id } = await formOf(as);
  const answer = await work(id);
  await gesture(stage.workspace, 'close', { as, view_id: id, all: true });
  return answer;
}

/** The bot's answer to a form, to be shown next to its fields. */
const submitted = (as: string, open: () => Promise<unknown>, values: object): Promise<string> =>
  inForm(as, open, async (view_id) => {
    await gesture(stage.workspace, 'submit', { as, view_id, values });
    const sent = stage.payloads.passed.findLast(({ body }) => body.includes('view_submission'));
    return sent?.answer?.body.toString('utf8') ?? '';
  });

/** Presses a button of a card that may be edited in the meantime: the version at that moment. */
const pressed =
  (as: string, { ts }: Message, button: string) =>
  (): Promise<unknown> =>
    until(async () => (await stage.press(as, await stage.seen(as, (one) => one.ts === ts), button)).ok);

const rebootForm = () => stage.say('U0ALICE', '/cloud reboot');

async function shortcut(words: string): Promise<unknown> {
  await stage.say('U0ALICE', words);
  const { ts } = await stage.seen('U0ALICE', (one) => one.user === 'U0ALICE');
  const message = { channel: 'C0OPS', ts };
  return gesture(stage.workspace, 'shortcut', { as: 'U0ALICE', callback_id: 'run-on-this', message });
}

/** Every place for text, with the answer to it. */
const ways: Readonly<Record<string, (secret: string) => Promise<string>>> = {
  'the first word of a slash command': (secret) => typed(`/cloud ${secret}`),
  'the target of a slash command': (secret) => typed(`/cloud reboot ${secret}`),
  'the reason of a slash command': (secret) => typed(`/cloud reboot web-1 --reason "${secret}"`),
  'the first word of a mention': (secret) => typed(`@Bellhop ${secret}`),
  'the command of a mention': (secret) => typed(`@Bellhop /${secret}`),
  'the second line of a mention': (secret) => typed(`@Bellhop reboot web-1\n${secret}`),
  'a mention in passing': (secret) =>
    said('To run a command', () => stage.say('U0ALICE', `hey @Bellhop ${secret}`)),
  'code in a mention': (secret) =>
    said('Write the command as plain text', () => stage.say('U0ALICE', `@Bellhop \`\`\`${secret}\`\`\``)),
  'the first word of a direct message': (secret) => typed(secret, 'D0ALICE'),
  'the target in a direct message': (secret) => typed(`reboot ${secret}`, 'D0ALICE'),
  'the field of a form': (secret) =>
    submitted('U0ALICE', rebootForm, { instance: chosen('external_select', secret) }),
  'the reason in a form': (secret) =>
    said(refusal, () =>
      submitted('U0ALICE', rebootForm, {
        instance: chosen('external_select', 'web-2'),
        'ask:reason': text(secret),
      }),
    ),
  'what is typed into a select': (secret) =>
    inForm('U0ALICE', rebootForm, async (view_id) => {
      const container = { type: 'view', view_id };
      const element = { as: 'U0ALICE', container, block_id: 'instance', action_id: 'value' };
      return JSON.stringify(await gesture(stage.workspace, 'options', { ...element, value: secret }));
    }),
  'a message that a shortcut is used on': (secret) =>
    inForm(
      'U0ALICE',
      () => shortcut(`web-1 says ${secret}`),
      async () => JSON.stringify(await stage.modals('U0ALICE')),
    ),
  'why a request is denied': (secret) =>
    submitted('U0CAROL', pressed('U0CAROL', cards.awaiting, 'Deny'), { reason: text(secret) }),
  'why the glass is broken': (secret) =>
    said(refusal, () =>
      submitted('U0ALICE', pressed('U0ALICE', cards.awaiting, 'Break glass…'), { why: text(secret) }),
    ),
  'the word of a review': (secret) =>
    submitted('U0BOB', pressed('U0BOB', cards.review, 'Close the review'), { word: text(secret) }),
  'why an outcome is settled': (secret) =>
    submitted('U0CAROL', pressed('U0CAROL', cards.unknown, 'Settle…'), {
      state: chosen('static_select', 'succeeded'),
      reason: text(secret),
    }),
  'the name that a target is confirmed with': (secret) =>
    submitted('U0ALICE', pressed('U0ALICE', cards.named, 'Purge CDN resource 1001'), { name: text(secret) }),
};

/** The answers of the places that do not read the text as a command. */
const otherAnswers: Readonly<Record<string, string>> = {
  'a mention in passing': 'start the message with the mention',
  'code in a mention': 'Write the command as plain text',
  'what is typed into a select': '"options":[]',
  'a message that a shortcut is used on': 'Found in the message: `web-1`.',
  'the name that a target is confirmed with': 'The name does not match “',
};

const filesBelow = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

/** Its position, with the surrounding text. */
const around = (all: string, at: number): string => all.slice(Math.max(0, at - 200), at + 200);

describe('a secret that is pasted', () => {
  it.each(secrets)('(%s) is refused by every way in, and not repeated', async (_, secret) => {
    for (const [way, go] of Object.entries(ways)) {
      const answer = await go(secret);
      expect(`${way}: ${answer}`).toContain(otherAnswers[way] ?? refusal);
      expect(`${way}: ${answer}`).not.toContain(marker);
    }
  });

  it('is neither in the log, nor in the data, nor with the collector of the audit log', async () => {
    expect(await stage.bot.end('SIGTERM')).toBe(0);
    const places = {
      log: stage.bot.output(),
      data: filesBelow(join(stage.dataDir, 'bot')),
      siem: JSON.stringify(collector.arrivals),
    };
    const found = Object.entries(places).map(([place, all]) => [
      place,
      all.includes(marker) ? around(all, all.indexOf(marker)) : '',
    ]);
    expect(Object.fromEntries(found)).toEqual({ log: '', data: '', siem: '' });
    expect(places.log).toContain('"level":"info"');
    expect(places.data).toContain(kept);
    expect(places.siem).toContain(kept);
    const typedWays = Object.keys(ways).filter((way) =>
      /slash command|of a mention|direct message/u.test(way),
    );
    const entries = collector.arrivals
      .flatMap(({ events }) => events)
      .filter(({ metadata }) => metadata.event_code === 'invalid');
    expect(entries.length).toBeGreaterThanOrEqual(secrets.length * typedWays.length);
  });
});
