import { spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';

import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { commonPostgres } from '../common-postgres.ts';
import { freePort } from '../free-port.ts';
import { setStage } from '../program/stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

/** The path of the program in Debian's package. `npm run test:pgbouncer` sets this; `npm test` needs no package. */
const program = process.env['PGBOUNCER'];

/** Everything that is not named here is a default of the package. @returns the address of the database behind it */
async function startPgBouncer(databaseUrl: string, settings: readonly string[]): Promise<string> {
  const { hostname, port: behind, username, password, pathname } = new URL(databaseUrl);
  const folder = temporaryFolder();
  await chmod(folder, 0o755);
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"${username}" "${password}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${behind}
[pgbouncer]
listen_addr = localhost
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${users}
${settings.join('\n')}
`,
  );
  const asRoot = process.getuid?.() === 0 ? ['--user=postgres'] : [];
  const child = spawn(program ?? 'pgbouncer', [...asRoot, file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const url = `postgresql://${username}:${password}@localhost:${port}${pathname}`;
  await until(async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => undefined,
    );
  });
  return url;
}

const rulebook = `project: 1186668
region: 76
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }
  web-2: { id: 2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10 }
rules:
  - { name: all, risk: [read, change, destructive], roles: [anyone], then: allow, confirm: never }
`;

const commands = 50;

describe.runIf(program !== undefined)("Debian's PgBouncer with its own settings", () => {
  it.each([
    ['session mode', []],
    ['transaction mode', ['pool_mode = transaction']],
    ['transaction mode with two connections', ['pool_mode = transaction', 'default_pool_size = 2']],
  ])('carries every command, in %s', async (_, settings) => {
    const direct = await commonPostgres.createDatabase();
    const stage = await setStage({
      rulebook,
      env: { DATABASE_URL: await startPgBouncer(direct, settings), LOG_LEVEL: 'warn' },
    });
    onTestFinished(() => stage.close());
    const succeeded = async (): Promise<number> =>
      (await stage.messages('U0ALICE')).filter(
        ({ ephemeral, text }) => !ephemeral && text.includes('succeeded'),
      ).length;
    for (let sent = 0; sent < commands; sent += 2) {
      await Promise.all([
        stage.say('U0ALICE', '/cloud reboot web-1'),
        stage.say('U0ALICE', '/cloud reboot web-2'),
        stage.say('U0ALICE', '/bellhop requests'),
      ]);
      await until(async () => (await succeeded()) === sent + 2);
      // The reboots end.
      await stage.advance(600_000);
    }
    expect(await stage.calls('rebootInstance')).toBe(commands);
    // Each of them is in the log, sealed; nothing was lost on the way.
    const client = new Client({ connectionString: direct });
    await client.connect();
    const count = async (query: string): Promise<unknown> => (await client.query(query)).rows[0];
    expect(await count("select count(*)::int from requests where state = 'succeeded'")).toEqual({
      count: commands,
    });
    await until(async () => (await client.query('select 1 from audit_staged')).rows.length === 0);
    await client.end();
    expect(stage.bot.output()).not.toMatch(/"level":"(?:error|fatal)"/u);
    expect(stage.bot.output()).not.toContain('job failed');
  });
});
