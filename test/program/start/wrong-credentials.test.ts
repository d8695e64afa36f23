import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

const readySchema = z.object({
  ready: z.boolean(),
  parts: z.record(z.string(), z.looseObject({ ok: z.boolean(), lastError: z.string().optional() })),
});

const failing = (stage: Stage, part: string): Promise<string> =>
  until(async () => {
    const response = await fetch(`${stage.botUrl}/readyz`);
    const { ready, parts } = readySchema.parse(await response.json());
    const found = parts[part];
    return ready && response.status === 200 && found?.ok === false ? found.lastError : undefined;
  });

const open = async (env: Readonly<Record<string, string>>): Promise<Stage> => {
  const stage = await setStage({ env: { LOG_LEVEL: 'warn', ...env } });
  onTestFinished(() => stage.close());
  return stage;
};

const metrics = async ({ botUrl }: Stage): Promise<string> => (await fetch(`${botUrl}/metrics`)).text();

it('a wrong signing secret is seen in /readyz, /metrics and the log, and takes no replica out', async () => {
  const stage = await open({ SLACK_SIGNING_SECRET: 'of-another-app' });
  await stage.say('U0ALICE', '/cloud ips');
  expect(await failing(stage, 'signatures')).toContain('check SLACK_SIGNING_SECRET');
  expect(stage.bot.output()).toMatch(/"verdict":"wrong","timestampAgeSeconds":-?\d+,/u);
  expect(await metrics(stage)).toContain('bellhop_ready{part="signatures"} 0');
});

it('a wrong service key is seen in /readyz, /metrics and the log, and takes no replica out', async () => {
  const stage = await open({ API_KEY: 'unknown' });
  await stage.say('U0ALICE', '/cloud ips');
  expect(await failing(stage, 'service key (cloud)')).toMatch(
    /^the service answered 40[13] to .*; check API_KEY$/u,
  );
  expect(stage.bot.output()).toContain('the service rejects API_KEY');
  const text = await metrics(stage);
  expect(text).toContain('bellhop_ready{part="service key (cloud)"} 0');
  expect(text).toMatch(/bellhop_service_answers_total\{area="cloud",result="refused"\} [1-9]/u);
  expect(text).toContain('bellhop_service_answers_total{area="storage",result="failed"} 0');
});
