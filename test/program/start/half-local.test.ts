import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { defaultInventory } from '../../../playground/service/state/inventory.ts';
import { startLocalService } from '../../../playground/service/start-local-service.ts';
import { freePort } from '../../free-port.ts';
import { startProcess } from '../bot-process.ts';
import { setStage } from '../stage.ts';
import { buttonsOf, peopleAt } from '../workspace-page.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = temporaryFolder();

/** A service that the bot's settings call the real one. */
async function startRealService() {
  const service = await startLocalService({
    port: 0,
    dataDir: join(folder, 'service'),
    apiKey: 'key',
    inventory: defaultInventory,
  });
  onTestFinished(() => service.close());
  return service;
}

describe('a local Slack before a real service', () => {
  it('is greeted as that, and each message says where changes happen', async () => {
    const service = await startRealService();
    const page = { url: `http://127.0.0.1:${await freePort()}` };
    const bot = await startProcess({
      API_BASE_URL: service.url,
      API_KEY: service.apiKey,
      SLACK_BOT_TOKEN: 'local',
      BELLHOP_CONFIG: join(import.meta.dirname, '../../../examples/bellhop.example.yaml'),
      DATA_DIR: join(folder, 'slack-local'),
      PORT: String(await freePort()),
      LOCAL_PORT: new URL(page.url).port,
      LOG_LEVEL: 'warn',
    });
    onTestFinished(async () => void (await bot.end('SIGKILL')));
    expect(bot.output().trimEnd().split('\n')).toEqual([
      `Bellhop is ready. Only Slack is local. The service is real: ${service.url}/. Stop with Ctrl-C.`,
      `Open ${page.url}`,
    ]);
    const notice = `Slack is local, but the service is real. Changes happen at ${new URL(service.url).host}.`;
    const people = peopleAt(page, () => bot.output());
    await people.say('U0ALICE', '/cloud reboot web-1');
    const card = await people.seen('U0ALICE', ({ text }) => text.includes('proposed'));
    expect(card.text).toContain(notice);
    await people.press('U0ALICE', card, buttonsOf(card)[0] ?? '');
    const ended = await people.seen(
      'U0ALICE',
      ({ ts, text }) => ts === card.ts && text.includes('succeeded'),
    );
    expect(ended.text).toContain(notice);
    await people.say('U0ALICE', '/cloud ips');
    const answer = await people.seen('U0ALICE', ({ ephemeral }) => ephemeral);
    expect(answer.text).toContain(notice);
  });
});

describe('a real Slack before the local service', () => {
  it('is greeted as that, and each message says that nothing real is touched', async () => {
    const stage = await setStage({
      env: { API_BASE_URL: 'local', LOCAL_SERVICE_PORT: '0', LOG_LEVEL: 'warn' },
    });
    onTestFinished(() => stage.close());
    const { msg } = z.object({ msg: z.string() }).parse(JSON.parse(stage.bot.output()));
    expect(msg).toBe(
      `Bellhop is ready: Slack ⇄ ${stage.botUrl}/slack/events ⇄ the local service, so nothing real is touched.`,
    );
    const notice = 'Slack is real, but the service is local: nothing real is touched.';
    await stage.say('U0ALICE', '/cloud reboot web-1');
    expect((await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'))).text).toContain(notice);
    await stage.say('U0ALICE', '/cloud ips');
    expect((await stage.seen('U0ALICE', ({ ephemeral }) => ephemeral)).text).toContain(notice);
  });
});
