import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Message, type Stage } from '../stage.ts';
import { until } from '../../until.ts';
import { gesture, lookAt } from '../workspace-page.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Secrets that differ from each other, so that a leak names its secret. */
const secrets = {
  apiKey: 'api-key-MARKER-7f31c2',
  botToken: 'xoxb-MARKER-55e0aa',
  signingSecret: 'signing-MARKER-90bd14',
  ofVariable: 'variable-MARKER-3c77e8',
  ofFile: 'file-MARKER-e1d06b',
  pasted: 'pasted-MARKER-a94f2d',
};

/** Values that are not secret. The same search must find them, or it proves nothing. */
const reason = 'reason-of-this-very-story';

let stage: Stage;
const folder = temporaryFolder();
beforeAll(async () => {
  mkdirSync(join(folder, 'mounted'));
  writeFileSync(join(folder, 'mounted', 'ftp'), `${secrets.ofFile}\n`);
  const { apiKey, botToken, signingSecret } = secrets;
  stage = await setStage({
    secrets: { apiKey, botToken, signingSecret },
    rulebook: exampleRulebook({ secrets: { ftp: ['ftp_password'] } }),
    env: {
      LOG_LEVEL: 'trace',
      BELLHOP_SECRET_LOG_BUCKET: secrets.ofVariable,
      BELLHOP_SECRETS_DIR: join(folder, 'mounted'),
    },
  });
});
afterAll(() => stage.close());

const s3 =
  '/cdn raw-logs --storage-type s3 --s3-type amazon --s3-access-key-id AKIA1 --s3-secret-key secret:log-bucket ' +
  `--for-all-resources --all-resources-bucket logs --reason ${reason}`;
const ftp =
  '/cdn raw-logs --storage-type ftp --ftp-hostname ftp.example.com --ftp-login logs --ftp-password secret:ftp ' +
  '--for-all-resources --all-resources-folder logs';

/** Asks through the form that the words fill in, has the request approved, and waits for its end. */
async function rawLogs(words: string): Promise<Message> {
  expect(await stage.say('U0ALICE', words)).toEqual({ ok: true });
  const form = await until(async () => (await stage.modals('U0ALICE'))[0]);
  const earlier = new Set((await stage.messages('U0ALICE')).map(({ ts }) => ts));
  expect(await gesture(stage.workspace, 'submit', { as: 'U0ALICE', view_id: form.id, values: {} })).toEqual({
    ok: true,
  });
  const card = await stage.seen(
    'U0ALICE',
    ({ ts, text }) => !earlier.has(ts) && text.includes(': awaiting approval'),
  );
  await stage.press('U0CAROL', card, 'Approve');
  return ended(card);
}

const ended = (card: Message): Promise<Message> =>
  stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && /: (succeeded|failed|unknown)/u.test(text));

async function reboot(): Promise<Message> {
  await stage.say('U0ALICE', `/cloud reboot web-1 --reason ${reason}`);
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
  await stage.press('U0ALICE', card, 'Reboot web-1');
  return ended(card);
}

/** Good requests, bad ones, and a service that repeats every secret that it received. */
async function tellStory(): Promise<readonly Message[]> {
  const good = [await rawLogs(s3), await rawLogs(ftp)];
  // The bot never accepted the pasted text, so no one can repeat it.
  const { pasted, ...known } = secrets;
  const message = `Cannot use ${Object.values(known).join(' or ')}`;
  await stage.fault('updateRawLogSettings', { status: 400, body: { errors: { s3_secret_key: [message] } } });
  const echoed = [await rawLogs(s3), await rawLogs(ftp)];
  await stage.fault('updateRawLogSettings', { status: 502, html: `<h1>${message}</h1>` });
  echoed.push(await rawLogs(s3));
  await stage.fault('rebootInstance', { status: 409, body: { exception_class: 'ConflictError', message } });
  echoed.push(await reboot());
  await stage.fault('listFloatingIps', {
    status: 401,
    body: { exception_class: 'UnauthorizedError', message },
  });
  const whispers = (await stage.messages('U0ALICE')).filter(({ ephemeral }) => ephemeral).length;
  await stage.say('U0ALICE', '/cloud ips');
  await stage.say('U0ALICE', `/cdn raw-logs --s3-secret-key ${pasted}`);
  await stage.say('U0ALICE', '/bellhop audit');
  await until(async () => {
    const now = (await stage.messages('U0ALICE')).filter(({ ephemeral }) => ephemeral).length;
    return now === whispers + 3 ? now : undefined;
  });
  return [...good, ...echoed];
}

/** Every byte of every file below. */
const filesBelow = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

async function everythingSlackShows(): Promise<string> {
  const seen = await Promise.all(
    ['U0ALICE', 'U0BOB', 'U0CAROL'].map((person) => lookAt(stage.workspace, person)),
  );
  // Not the drill board: it shows the faults, with what the service repeats.
  return JSON.stringify(seen.map(({ channels, modals, home }) => ({ channels, modals, home })));
}

/** The bot's answers to payloads. The payloads themselves contain text that people typed. */
const answersToSlack = (): string =>
  stage.payloads.passed.map(({ answer }) => answer?.body.toString('latin1') ?? '').join('\n');

const markersIn = (text: string): readonly string[] =>
  Object.entries(secrets).flatMap(([name, value]) => (text.includes(value) ? [name] : []));

describe('secrets', () => {
  it('are in no log, no file, no message, no answer and no metric, whatever is asked and whatever the service repeats', async () => {
    const cards = await tellStory();
    const states = cards.map(({ text }) => /: (\w+)/u.exec(text)?.[1]);
    expect(states).toEqual(['succeeded', 'succeeded', 'failed', 'failed', 'unknown', 'failed']);
    const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
    expect(metrics).toContain('bellhop');
    const slack = await everythingSlackShows();
    expect(await stage.bot.end('SIGTERM')).toBe(0);
    const places = {
      log: stage.bot.output(),
      data: filesBelow(join(stage.dataDir, 'bot')),
      history: filesBelow(join(stage.dataDir, 'workspace')),
      slack,
      answers: answersToSlack(),
      metrics,
    };
    const found = Object.entries(places).map(([place, text]) => [place, markersIn(text)]);
    expect(Object.fromEntries(found)).toEqual({
      log: [],
      data: [],
      history: [],
      slack: [],
      answers: [],
      metrics: [],
    });
    expect(slack).toContain('••••');
    // The search finds known values.
    expect(places.data).toContain(reason);
    expect(places.history).toContain(reason);
    expect(places.slack).toContain(reason);
    expect(places.log).toContain('"level":"info"');
  });
});
