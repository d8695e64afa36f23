import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { startPostgres, type PostgresServer } from '../../postgres.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

let postgres: PostgresServer;
let stage: Stage;
beforeAll(async () => {
  postgres = await startPostgres();
  stage = await setStage({ env: { DATABASE_URL: await postgres.createDatabase() } });
});
afterAll(async () => {
  await stage.close();
  await postgres.remove();
});

const partSchema = z.looseObject({ ok: z.boolean(), lastError: z.string().optional() });
const readySchema = z.object({ ready: z.boolean(), parts: z.record(z.string(), partSchema) });

const readiness = async (ready: boolean) =>
  until(async () => {
    const response = await fetch(`${stage.botUrl}/readyz`);
    const now = readySchema.parse(await response.json());
    return now.ready === ready ? { status: response.status, ...now } : undefined;
  });

const answered = (about: RegExp) =>
  stage.seen('U0ALICE', ({ ephemeral, text }) => ephemeral && about.test(text));

describe('PostgreSQL that goes away', () => {
  it('leaves reads answered and changes refused, is named, and comes back without a restart', async () => {
    expect(await readiness(true)).toMatchObject({ status: 200 });
    await stage.say('U0ALICE', '/cloud stop web-2');
    const card = await stage.seen(
      'U0ALICE',
      ({ text }) => text.includes('web-2') && text.includes('proposed'),
    );

    await postgres.stop();
    const away = await readiness(false);
    expect(away).toMatchObject({ status: 503, parts: { store: { ok: false }, slack: { ok: true } } });
    expect(away.parts['store']?.lastError).toMatch(/^The database server/u);

    await stage.say('U0ALICE', '/cloud reboot web-1');
    await answered(/^The database server.*nothing was run/su);
    await stage.press('U0ALICE', card, 'Stop web-2');
    await answered(/^The database server.*nothing was run/su);
    await stage.say('U0ALICE', '/cloud ips');
    await answered(/floating IP/iu);
    await stage.say('U0ALICE', '/bellhop status');
    await answered(/Not well: store \(The database server/u);
    expect(await stage.calls('rebootInstance')).toBe(0);
    expect(await stage.calls('stopInstance')).toBe(0);
    const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
    expect(metrics).toContain('bellhop_ready{part="store"} 0');
    expect(metrics).toMatch(/bellhop_store_errors_total\{method="record"\} [1-9]/u);

    await postgres.start();
    expect(await readiness(true)).toMatchObject({ status: 200 });
    await stage.press('U0ALICE', card, 'Stop web-2');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('stopInstance')).toBe(1);
    expect(stage.bot.child.exitCode).toBeNull();
  });
});
