import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';
import { type BotProcess, startProcess } from '../bot-process.ts';
import { setStage, type Stage } from '../stage.ts';
import { commonPostgres } from '../../common-postgres.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { DATABASE_URL: await commonPostgres.createDatabase(), LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

/** Starts another replica, whose clock is `aheadMs` ms ahead. */
async function replica(aheadMs: number): Promise<{ readonly bot: BotProcess; readonly url: string }> {
  const port = await freePort();
  const turned = `const now = Date.now; Date.now = () => now() + ${aheadMs};`;
  const bot = await startProcess(
    { ...stage.env, DATA_DIR: `${stage.dataDir}/replica${aheadMs}`, PORT: String(port) },
    { nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(turned)}`] },
  );
  return { bot, url: `http://127.0.0.1:${port}` };
}

const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

/** The number of sweeps: each one begins with this call. */
const sweeps = async (url: string): Promise<number> =>
  Number(/bellhop_store_seconds_count\{method="endIfSetBack"\} (\d+)/u.exec(await metricsOf(url))?.[1] ?? 0);

const readySchema = z.object({
  ready: z.boolean(),
  parts: z.object({ clock: z.looseObject({ ok: z.boolean(), lastError: z.string().optional() }) }),
});

const clockOf = async (url: string) => {
  const { ready, parts } = readySchema.parse(await (await fetch(`${url}/readyz`)).json());
  return { ready, ...parts.clock };
};

describe('a replica whose clock is wrong', () => {
  it.each([
    ['twenty minutes ahead', 20 * 60_000, 'ahead of', 1200, 'web-1'],
    ['six minutes behind', -6 * 60_000, 'behind', -360, 'web-2'],
  ])('by %s expires nothing of the others, and says so', async (_, aheadMs, words, skew, target) => {
    await stage.say('U0ALICE', `/cloud stop ${target}`);
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`${target}: proposed`));
    const { bot, url } = await replica(aheadMs);
    try {
      await until(
        async () => (await sweeps(url)) >= 3,
        () => bot.output(),
      );
      await stage.press('U0ALICE', card, `Stop ${target}`);
      const ended = await stage.seen(
        'U0ALICE',
        ({ ts, text }) => ts === card.ts && !text.includes('proposed'),
      );
      expect(ended.text).not.toContain('expired');
      await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));

      expect(await clockOf(url)).toMatchObject({ ready: true, ok: false, required: false });
      expect((await clockOf(url)).lastError).toContain(`${words} PostgreSQL's`);
      const metrics = await metricsOf(url);
      for (const source of ['PostgreSQL', 'Slack']) {
        const value = new RegExp(`bellhop_clock_skew_seconds\\{source="${source}"\\} (\\S+)`, 'u').exec(
          metrics,
        );
        expect(Math.abs(Number(value?.[1]) - skew)).toBeLessThan(10);
      }
      expect(metrics).toContain('bellhop_ready{part="clock"} 0');
      // Slack's payloads for it go to another replica.
      const headers = {
        'x-slack-request-timestamp': String(Math.round(Date.now() / 1000)),
        'x-slack-signature': `v0=${'0'.repeat(64)}`,
      };
      const late = await fetch(`${url}/slack/events`, { method: 'POST', headers, body: 'command=/cloud' });
      expect(late.status).toBe(503);
      expect(metrics).not.toContain('bellhop_ready{part="signatures"} 0');
      expect(bot.output()).toContain('clock is wrong; nothing expires here until it is corrected');
    } finally {
      await bot.end('SIGKILL');
    }
  });

  it('is known from one that is right', async () => {
    expect(await clockOf(stage.botUrl)).toMatchObject({ ready: true, ok: true, required: false });
    expect(stage.bot.output()).not.toContain('the clock is wrong');
  });
});
