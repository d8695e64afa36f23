import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { exampleRulebook } from '../rulebook-text.ts';
import { type Message, setStage, type Stage } from '../stage.ts';
import { until } from '../../until.ts';
import { gesture } from '../workspace-page.ts';

/** In the order in which Bellhop lists them. */
const optional = ['app_mentions:read', 'files:write', 'im:history', 'usergroups:read'];

const readySchema = z.object({
  ready: z.boolean(),
  parts: z.record(z.string(), z.looseObject({ ok: z.boolean(), lastError: z.string().optional() })),
});

let stage: Stage;
beforeAll(async () => {
  // Alice is a responder only through the user group.
  const rulebook = exampleRulebook({}).replace('users: [U0ALICE], usergroups', 'usergroups');
  stage = await setStage({ rulebook, env: { LOG_LEVEL: 'info' } });
});
afterAll(() => stage.close());

const grantAllBut = (withheld: readonly string[]) =>
  gesture(stage.workspace, 'slack-drills', { as: 'U0ALICE', drills: { withheld } });

/** Restarts the bot, whose Slack app is then without these scopes. */
async function restartWithout(withheld: readonly string[]): Promise<void> {
  await stage.bot.end('SIGTERM');
  await grantAllBut(withheld);
  await stage.restart();
}

/** How often Slack was asked. */
async function asked(method: string): Promise<number> {
  const text = await (await fetch(`${stage.botUrl}/metrics`)).text();
  const counts = text.matchAll(
    new RegExp(`bellhop_slack_calls_seconds_count\\{method="${method}",[^}]*\\} (\\d+)`, 'gu'),
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The text as a person reads it: the invisible dates that keep a colon from becoming an emoji are removed. */
const read = (shown: unknown): string => JSON.stringify(shown).replaceAll(/<!date\^0+\^\{_\}\|(.)>/gu, '$1');

/** The private answer to a command. */
async function answerTo(as: string, text: string, channel = 'C0OPS'): Promise<Message> {
  const before = new Set((await stage.messages(as, channel)).map(({ ts }) => ts));
  expect(await stage.say(as, text, channel)).toEqual({ ok: true });
  return stage.seen(as, ({ ephemeral, ts }) => ephemeral && !before.has(ts), channel);
}

it('a bot starts without the optional scopes, and says what each costs: at the start, in status, help and where it is missed', async () => {
  await restartWithout(optional);
  for (const scope of optional)
    expect(stage.bot.output()).toMatch(new RegExp(`"level":"?(?:warn|40).*lacks the scope ${scope}: `, 'u'));

  // A job looks at the scopes a moment after the start.
  const status = await until(async () => {
    const shown = read((await answerTo('U0BOB', '/bellhop status')).blocks);
    return shown.includes('Problems: ') && shown;
  });
  for (const text of [
    'app_mentions:read: mentions of Bellhop do nothing.',
    "files:write: answers can't be sent as files.",
    'im:history: direct messages to Bellhop do nothing.',
    'usergroups:read: no one holds a role through a user group.',
  ])
    expect(status).toContain(`The Slack app lacks the scope ${text}`);
  expect(status).toContain(
    'Problems: slack scopes (usergroups:read: no one holds a role through a user group;',
  );

  const help = read((await answerTo('U0BOB', '/bellhop help')).blocks);
  expect(help).toContain('app_mentions:read: mentions of Bellhop do nothing.');
  expect(help).not.toContain('mention Bellhop: @bellhop');

  const rows = await answerTo('U0BOB', '/cdn metrics 5xx --last 1h');
  const seen = new Set((await stage.messages('U0BOB')).map(({ ts }) => ts));
  await stage.press('U0BOB', rows, 'Full CSV');
  const refused = await stage.seen('U0BOB', ({ ephemeral, ts }) => ephemeral && !seen.has(ts));
  expect(read(refused.text)).toContain(
    "The Slack app lacks the scope files:write: answers can't be sent as files.",
  );
  expect(await stage.messages('U0BOB', 'D0BOB')).toEqual([]);
  expect(await asked('files.getUploadURLExternal')).toBe(0);
});

it('grants nothing through a user group that it may not read, and does not ask Slack for it', async () => {
  const refused = await answerTo('U0ALICE', '/cloud reboot web-1');
  expect(read(refused.text)).toContain(
    'The Slack app lacks the scope usergroups:read: no one holds a role through a user group. Ask a workspace admin to add it and reinstall the app. Nothing was done.',
  );
  expect(await asked('usergroups.users.list')).toBe(0);
  expect(await stage.calls('rebootInstance')).toBe(0);
});

it('notices a scope that is granted later, with the next answer from Slack', async () => {
  await grantAllBut([]);
  await answerTo('U0BOB', '/cloud ips');
  await until(() => /now has the scope usergroups:read/u.test(stage.bot.output()));
  await stage.say('U0ALICE', '/cloud reboot web-1');
  const card = await stage.seen('U0ALICE', ({ text, ephemeral }) => !ephemeral && text.includes('proposed'));
  expect(card.text).toContain('web-1');
  expect(await asked('usergroups.users.list')).toBe(1);
  expect(read((await answerTo('U0BOB', '/bellhop status')).blocks)).not.toContain('lacks the scope');
});

it('a bot starts even if it may not look people up, refuses everyone, and says why', async () => {
  await restartWithout(['users:read']);
  const before = await stage.calls('listFloatingIps');
  const refused = await answerTo('U0BOB', '/cloud ips');
  expect(read(refused.text)).toContain('lacks the scope users:read');
  expect(await stage.calls('listFloatingIps')).toBe(before);
  expect(await asked('users.info')).toBe(0);
});

/** The part of /readyz, once it is so. */
const part = (ok: boolean) =>
  until(async () => {
    const { ready, parts } = readySchema.parse(await (await fetch(`${stage.botUrl}/readyz`)).json());
    return parts['slack scopes']?.ok === ok && { ready, said: parts['slack scopes'].lastError };
  });

it('a bot names in /readyz a scope that a reinstall took away, without a restart, until it is back', async () => {
  await restartWithout(['app_mentions:read', 'files:write', 'im:history']);
  expect(await part(true)).toEqual({ ready: true, said: undefined });
  await grantAllBut(['users:read', 'chat:write']);
  // The next call to Slack shows the missing scopes. Without a call, that takes a minute.
  await answerTo('U0BOB', '/cloud ips');
  expect(await part(false)).toEqual({
    ready: true,
    said: "chat:write: Bellhop can't post or edit cards, or answer privately; users:read: Bellhop can't verify who people are, so it denies every command; reinstall the app with all scopes of its manifest",
  });
  await grantAllBut([]);
  expect(await part(true)).toMatchObject({ ready: true });
});
