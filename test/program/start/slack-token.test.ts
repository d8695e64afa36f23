import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { startProblems, startProcess } from '../bot-process.ts';
import { startRelay, type Answer, type Relay } from '../relay.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
let slack: Relay;
/** The answer instead of Slack's own. */
let instead: ((path: string, own: Answer) => Answer) | undefined;

beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'warn' } });
  slack = await startRelay(
    () => stage.workspace.url,
    async (passed, forward) => {
      const own = await forward();
      return instead === undefined ? own : instead(passed.path, own);
    },
  );
});
afterAll(async () => {
  await slack.close();
  await stage.close();
});

/** Restarts the bot, with Slack behind the relay. */
async function restart(): Promise<void> {
  await stage.bot.end('SIGTERM');
  stage.bot = await startProcess({ ...stage.env, SLACK_API_URL: `${slack.url}/api/` });
}

const refusal = (error: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ ok: false, error })),
});

const withScopes =
  (scopes: string | undefined) =>
  (_: string, own: Answer): Answer => {
    const { 'x-oauth-scopes': dropped, ...headers } = own.headers;
    return {
      ...own,
      headers:
        scopes === undefined || dropped === undefined ? headers : { ...headers, 'x-oauth-scopes': scopes },
    };
  };

const readySchema = z.object({
  ready: z.boolean(),
  parts: z.record(z.string(), z.looseObject({ ok: z.boolean(), lastError: z.string().optional() })),
});

async function readiness() {
  const response = await fetch(`${stage.botUrl}/readyz`);
  return { status: response.status, ...readySchema.parse(await response.json()) };
}

const readyOnceMore = () => until(async () => ((await readiness()).ready ? true : undefined));

describe('the token of the bot', () => {
  it('is refused at the start without the scopes that everything needs, each named with what it is for', async () => {
    instead = withScopes('users:read,files:write');
    await restart();
    expect(await stage.bot.exited).toBe(1);
    expect(startProblems(stage.bot).join('\n')).toMatchInlineSnapshot(`
      "Bellhop cannot start.
      SLACK_BOT_TOKEN lacks scopes of manifest.json. Add under OAuth & Permissions, and reinstall the app:
      chat:write: post or edit cards, or answer privately
      commands: offer slash commands and the message shortcut “Run on this…”"
    `);
  });

  it('of an app that is installed for a whole organization is refused at the start', async () => {
    instead = (path, own) =>
      path.endsWith('auth.test')
        ? {
            ...own,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(
              JSON.stringify({
                ok: true,
                team_id: 'E0ORG',
                user_id: 'U0BELLHOP',
                is_enterprise_install: true,
              }),
            ),
          }
        : own;
    await restart();
    expect(await stage.bot.exited).toBe(1);
    expect(startProblems(stage.bot).join('\n')).toContain('Install the app in one workspace');
  });

  it('is not blamed at the start for what a proxy or firewall before Slack answers', async () => {
    instead = () => ({
      status: 403,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<h1>Blocked</h1>'),
    });
    await restart();
    expect(await stage.bot.exited).toBe(1);
    expect(startProblems(stage.bot)[1]).toBe(
      `Slack at ${slack.url}/api/ is behind a proxy or firewall that answered 403. The request did not reach Slack. Allow the address there, and check HTTPS_PROXY.`,
    );
  });

  it('is taken if no one tells its scopes', async () => {
    instead = withScopes(undefined);
    await restart();
    expect(stage.bot.output()).toContain('Bellhop is ready');
    expect(await readiness()).toMatchObject({ status: 200 });
  });

  it('that is revoked while the bot runs is reported, and works again by itself once Slack accepts it', async () => {
    await readyOnceMore();
    instead = () => refusal('token_revoked');
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const lost = await until(async () => {
      const now = await readiness();
      return now.ready ? undefined : now;
    });
    expect(lost).toMatchObject({
      status: 503,
      parts: {
        'slack token': { ok: false, lastError: 'token_revoked' },
        store: { ok: true },
        slack: { ok: true },
      },
    });
    await until(() => /"problem":"token_revoked".*Slack rejects SLACK_BOT_TOKEN/u.test(stage.bot.output()));
    instead = undefined;
    await readyOnceMore();
    expect(stage.bot.child.exitCode).toBeNull();
  });
});
