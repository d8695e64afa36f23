import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { EndpointName } from '../../areas/service-client.ts';
import { sqliteFile } from '../../../src/store/sqlite/open-sqlite.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { until } from '../../until.ts';

/** In milliseconds: people may rely on 5 s from an expiry or a restart to the message, on a machine that is not busy. */
const promisedMs = 3 * 5000;

let stage: Stage;
/** A bellhop.yaml in which requests expire at once. */
let brief: Stage;
beforeAll(async () => {
  const env = { LOG_LEVEL: 'warn' };
  [stage, brief] = await Promise.all([
    // No test waits for this lease, because no other process can use an embedded store.
    setStage({ env, rulebook: exampleRulebook({ lease: '10m', instanceRead: false }) }),
    setStage({ env, rulebook: exampleRulebook({ expireAfter: '2s' }) }),
  ]);
});
afterAll(async () => {
  await stage.close();
  await brief.close();
});
afterEach(async () => {
  await stage.clearFaults();
  await stage.advance(60_000);
});

const card = (name: string, state: string) =>
  stage.seen('U0ALICE', ({ text }) => text.includes(name) && text.includes(state));

const become = ({ ts }: Message, state: string) =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

const stands = (words: string) => (message: Message) => message.text.includes(words);

async function propose(words: string): Promise<Message> {
  expect(await stage.say('U0ALICE', words)).toEqual({ ok: true });
  const name = words.replace('/cloud ', '').replace(/^./u, (first) => first.toUpperCase());
  const proposed = await card(name, 'proposed');
  await stage.recorded(proposed);
  return proposed;
}

const kill = () => stage.bot.end('SIGKILL');

/** Resolves once the service has one call more of a row. */
const arrived = (endpoint: EndpointName, before: number) =>
  until(async () => ((await stage.calls(endpoint)) === before + 1 ? true : undefined));

/** Restarts the bot. Resolves to the number of milliseconds until the card shows this state. */
async function restartUntil(proposed: Message, state: string): Promise<number> {
  await stage.restart();
  const began = performance.now();
  await become(proposed, state);
  return performance.now() - began;
}

describe('kill -9', () => {
  it('after the proposal leaves the card usable', async () => {
    const before = await stage.calls('rebootInstance');
    const proposed = await propose('/cloud reboot web-1');
    await kill();
    await stage.restart();
    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    await become(proposed, 'succeeded');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it('right after the click was acknowledged leaves the card usable, or ends it as unknown', async () => {
    const before = await stage.calls('rebootInstance');
    await stage.fault('rebootInstance', { hang: true });
    const proposed = await propose('/cloud reboot web-2');
    expect(await stage.press('U0ALICE', proposed, 'Reboot web-2')).toEqual({ ok: true });
    await kill();
    await stage.clearFaults();
    await stage.restart();
    await stage.press('U0ALICE', proposed, 'Reboot web-2');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === proposed.ts && /succeeded|unknown/u.test(text));
    expect(await stage.calls('rebootInstance')).toBeLessThanOrEqual(before + 1);
  });

  it('while the service hangs ends the request as unknown, with a message, and sends nothing again', async () => {
    const before = await stage.calls('rebootInstance');
    await stage.fault('rebootInstance', { hang: true });
    const proposed = await propose('/cloud reboot web-1');
    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    await arrived('rebootInstance', before);
    await kill();
    await stage.clearFaults();
    expect(await restartUntil(proposed, 'unknown')).toBeLessThan(promisedMs);
    const unknown = await become(proposed, 'unknown');
    expect(JSON.stringify(unknown.blocks)).toContain('lost its database while the change was running.');
    expect(buttonsOf(unknown)).toEqual(expect.arrayContaining(['Run it again', 'Details']));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });

  it("after the service's effect, before its answer, ends the request as unknown and sends nothing again", async () => {
    const before = await stage.calls('stopInstance');
    await stage.fault('stopInstance', { hang: true, after: true });
    const proposed = await propose('/cloud stop web-2');
    await stage.press('U0ALICE', proposed, 'Stop web-2');
    await arrived('stopInstance', before);
    await kill();
    await stage.clearFaults();
    expect(await restartUntil(proposed, 'unknown')).toBeLessThan(promisedMs);
    await stage.press('U0ALICE', await become(proposed, 'unknown'), 'Run it again');
    const again = await card('Stop web-2', 'proposed');
    expect(again.ts).not.toBe(proposed.ts);
    await stage.advance(60_000);
    await stage.press('U0ALICE', again, 'Stop web-2');
    await become(again, 'succeeded');
    expect(await stage.calls('stopInstance')).toBe(before + 2);
  });
});

/**
 * Deletes the record of the cards, as if the process had died after Slack posted the card and before that was recorded.
 */
function forgetCards(): void {
  const database = new DatabaseSync(sqliteFile(join(stage.dataDir, 'bot')));
  database.exec(`update requests set card = null, card_shown_version = 0 where state = 'proposed';
    insert into due select 'card', id, version, null, 0, 0, 0, 0 from requests where state = 'proposed'`);
  database.close();
}

describe('a card that was posted by a process which could not note it', () => {
  it('goes away when it is clicked after a second one was posted, and the click counts', async () => {
    const before = await stage.calls('rebootInstance');
    const first = await propose('/cloud reboot web-1');
    await kill();
    forgetCards();
    await stage.restart();
    const second = await stage.seen(
      'U0ALICE',
      ({ ts, text }) => ts > first.ts && text.includes('Reboot web-1: proposed'),
    );
    await stage.press('U0ALICE', first, 'Reboot web-1');
    await become(second, 'succeeded');
    await until(async () =>
      (await stage.messages('U0ALICE')).some(({ ts }) => ts === first.ts) ? undefined : true,
    );
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
  });
});

describe('a command that was acknowledged by a process which then died', () => {
  it('is reported to the person who typed it, once the process has been silent for 15 s', async () => {
    await stage.fault('listFloatingIps', { hang: true });
    const before = await stage.calls('listFloatingIps');
    expect(await stage.say('U0ALICE', '/cloud ips')).toEqual({ ok: true });
    await arrived('listFloatingIps', before);
    await kill();
    await stage.clearFaults();
    await stage.restart();
    await until(
      async () =>
        (await stage.messages('U0ALICE')).find(
          ({ ephemeral, text }) =>
            ephemeral && text.includes('interrupted while handling your `/cloud` command'),
        ),
      () => stage.bot.output(),
    );
  });
});

describe('a payload that comes again', () => {
  it('runs nothing twice, neither at once nor after a restart', async () => {
    const before = await stage.calls('rebootInstance');
    const proposed = await propose('/cloud reboot web-1');
    const command = stage.payloads.passed.at(-1);
    await stage.press('U0ALICE', proposed, 'Reboot web-1');
    const click = stage.payloads.passed.at(-1);
    await become(proposed, 'succeeded');
    const retry = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
    const sendAgain = async (): Promise<void> => {
      for (const payload of [command, click, command, click]) {
        if (!payload) throw new Error('no payload passed');
        expect((await stage.payloads.again(payload, retry)).status).toBe(200);
      }
    };
    await sendAgain();
    await kill();
    await stage.restart();
    await sendAgain();
    // The bot would finish their work before it makes the next call.
    await stage.press('U0ALICE', await propose('/cloud reboot web-2'), 'Cancel');
    await card('Reboot web-2', 'cancelled');
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
    const cards = (await stage.messages('U0ALICE')).filter(({ text }) =>
      text.includes('Reboot web-1: proposed'),
    );
    expect(cards).toEqual([]);
  });
});

describe('a request that no one confirms', () => {
  it('turns to expired by itself, in time, without a button', async () => {
    await brief.say('U0ALICE', '/cloud reboot web-1');
    await brief.seen('U0ALICE', stands('web-1: proposed'));
    const began = performance.now();
    const expired = await brief.seen('U0ALICE', stands('web-1: expired'));
    expect(performance.now() - began).toBeLessThan(2000 + promisedMs);
    expect(buttonsOf(expired)).toEqual(['Request again', 'Details']);
  });

  it('is expired in time after a restart, when the bot was away at the moment, and a late click does nothing', async () => {
    await brief.say('U0ALICE', '/cloud reboot web-2');
    const proposed = await brief.seen('U0ALICE', stands('web-2: proposed'));
    await brief.recorded(proposed);
    await brief.bot.end('SIGKILL');
    await brief.restart();
    const expired = await brief.seen('U0ALICE', stands('web-2: expired'));
    expect(buttonsOf(expired)).toEqual(['Request again', 'Details']);
    const click = brief.press('U0ALICE', proposed, 'Reboot web-2');
    expect((await click).ok).toBe(false);
    expect(await brief.calls('rebootInstance')).toBe(0);
  });
});
