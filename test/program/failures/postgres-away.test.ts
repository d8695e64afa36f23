import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startPostgres, type PostgresServer } from '../../postgres.ts';
import { certificate, startTlsFront, type TlsFront } from '../../tls-front.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let postgres: PostgresServer;
let front: TlsFront;
let folder: string;
let stage: Stage;
beforeAll(async () => {
  postgres = await startPostgres();
  folder = temporaryFolder();
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, certificate);
  const databaseUrl = await postgres.createDatabase();
  front = await startTlsFront(databaseUrl);
  const env = { DATABASE_URL: `${front.urlOf(databaseUrl)}&sslrootcert=${authority}`, LOG_LEVEL: 'warn' };
  stage = await setStage({ env });
});
afterAll(async () => {
  await stage.close();
  await front.close();
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
    await answered(/Problems: store \(The database server/u);
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

describe('PostgreSQL whose certificate is another one from one moment to the next', () => {
  it('refuses changes in words that say so, and loses no outcome that is known', async () => {
    await stage.fault('rebootInstance', { delay_ms: 600_000 });
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await until(async () => (await stage.calls('rebootInstance')) === 1);
    front.show('stranger');
    await stage.clearFaults();
    await until(() => stage.bot.output().includes('an outcome could not be recorded yet'));
    expect(stage.bot.output()).toMatch(/"outcome":"succeeded".*an outcome could not be recorded yet/u);
    // The first attempt may have met the end of the connection that was open.
    const told = await until(
      () => stage.bot.output().match(/^.*certificate.*an outcome could not be recorded yet.*$/mu)?.[0],
    );
    expect(told).not.toContain('nothing was run');
    const { parts } = await readiness(false);
    expect(parts['store']?.lastError).toMatch(/^The TLS certificate of the database server/u);
    await stage.say('U0ALICE', '/cloud stop web-2');
    await answered(/^The TLS certificate.*nothing was run/su);
    front.show('trusted');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(1);
  });
});
