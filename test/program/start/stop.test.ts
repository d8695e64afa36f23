import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fakeSlack, hang } from '../../slack/fake-slack.ts';
import { freePort } from '../../free-port.ts';
import { startProcess } from '../bot-process.ts';
import { changeInFlight } from '../change-in-flight.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage } from '../stage.ts';
import { until } from '../../until.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

describe('a stop', () => {
  it('turns /readyz to 503 at once, takes nothing new, and exits with 0 after running work has ended', async () => {
    const change = await changeInFlight();
    const { exit } = await change.beginStop();
    expect((await change.stage.say('U0ALICE', '/cloud reboot web-2')).error).toBe('dispatch_failed');
    change.letAnswer();
    expect(await exit).toBe(0);
    await change.inState('succeeded');
    await change.close();
  });

  it('gives up soon after the configured drain, with 0; what was left becomes unknown after the next start', async () => {
    const rulebook = exampleRulebook({ lease: '1s', drain: '2s', instanceRead: false });
    const stage = await setStage({ env: { LOG_LEVEL: 'warn' }, rulebook });
    await stage.fault('stopInstance', { hang: true });
    await stage.say('U0ALICE', '/cloud stop web-1');
    const inState = (state: string) =>
      stage.seen('U0ALICE', ({ text }) => text.includes(`Stop web-1: ${state}`));
    await stage.press('U0ALICE', await inState('proposed'), 'Stop web-1');
    await until(async () => ((await stage.calls('stopInstance')) === 1 ? true : undefined));
    const began = performance.now();
    expect(await stage.bot.end('SIGTERM')).toBe(0);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(2000);
    // The stop itself takes 6 s at most. With the default drain, it would take 10 s or more.
    expect(took).toBeLessThan(10_000);
    await stage.restart();
    await inState('unknown');
    expect(await stage.calls('stopInstance')).toBe(1);
    await stage.close();
  });

  it('is done at once by a second Ctrl-C, while the same one that arrives twice is one', async () => {
    const stage = await setStage({ env: { LOG_LEVEL: 'warn' } });
    stage.bot.child.kill('SIGINT');
    expect(await stage.bot.end('SIGINT')).toBe(0);
    expect(stage.bot.output()).toMatch(/"msg":"Bellhop stopped\."\}\n$/u);
    await stage.restart();
    await stage.fault('stopInstance', { hang: true });
    await stage.say('U0ALICE', '/cloud stop web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('Stop web-1: proposed'));
    await stage.press('U0ALICE', card, 'Stop web-1');
    await until(async () => ((await stage.calls('stopInstance')) === 1 ? true : undefined));
    const { child } = stage.bot;
    await until(() => {
      child.kill('SIGINT');
      return Promise.resolve(child.exitCode ?? child.signalCode ?? undefined);
    });
    expect(await stage.bot.exited).toBe(130);
    await stage.close();
  });

  it('comes through while the bot starts and waits for Slack', async () => {
    const slack = await fakeSlack();
    slack.answers = [hang];
    const dataDir = temporaryFolder();
    // As soon as someone listens to it.
    const killed =
      "process.on('newListener', (name) => name === 'SIGTERM' && setImmediate(() => process.kill(process.pid, name)))";
    const bot = await startProcess(
      {
        API_BASE_URL: slack.origin,
        API_KEY: 'key',
        SLACK_BOT_TOKEN: 'xoxb-stop',
        SLACK_SIGNING_SECRET: 'a-signing-secret-of-this-test',
        SLACK_API_URL: slack.apiUrl,
        BELLHOP_CONFIG: join(import.meta.dirname, '../../../examples/bellhop.example.yaml'),
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
      },
      { nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(killed)}`] },
    );
    expect(await bot.exited).toBe(0);
    expect(bot.output()).not.toContain('cannot start');
    await slack.close();
  });
});
