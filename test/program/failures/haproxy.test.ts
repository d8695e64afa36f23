import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { z } from 'zod';

import { openStore } from '../../../src/store/open-store.ts';
import { makeAuthority } from '../../certificates.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { freePort } from '../../free-port.ts';
import { faultsIn, judgeWorld } from '../../harness/verdict.ts';
import { openWorld, type World } from '../../harness/world.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import type { Replicas } from '../replicas.ts';
import { type Message, peopleAt } from '../workspace-page.ts';

const authority = makeAuthority();
const trusted = getCACertificates('default');

/** HAProxy as deploy/haproxy.cfg has it, with the addresses of the test. */
async function startHaproxy({ urlOf }: Pick<Replicas, 'urlOf'>) {
  const folder = temporaryFolder();
  const port = await freePort();
  const { cert, key } = authority.issue(['localhost']);
  writeFileSync(join(folder, 'bellhop.pem'), cert + key);
  const shipped = readFileSync(join(import.meta.dirname, '../../../deploy/haproxy.cfg'), 'utf8');
  const addressed = [1, 2].reduce(
    (text, number) =>
      text.replaceAll(` bellhop-${number}:3000`, ` ${urlOf(number - 1).slice('http://'.length)}`),
    shipped.replace('bind :443', `bind 127.0.0.1:${port}`).replace('/etc/haproxy', folder),
  );
  writeFileSync(join(folder, 'haproxy.cfg'), addressed);
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = once(child, 'exit');
  await Promise.race([
    until(
      () =>
        fetch(`https://localhost:${port}/metrics`).then(
          ({ status }) => status === 404,
          () => false,
        ),
      () => said,
    ),
    ended.then(() => Promise.reject(new Error(said))),
  ]);
  return {
    url: `https://localhost:${port}`,
    said: () => said,
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** `npm run test:haproxy` sets this; `npm test` needs no package of Debian. */
describe.runIf(process.env['HAPROXY'] === '1')('two replicas behind HAProxy', () => {
  let world: World<Awaited<ReturnType<typeof startHaproxy>>>;
  let databaseUrl: string;
  beforeAll(async () => {
    setDefaultCACertificates([...trusted, authority.cert]);
    databaseUrl = await commonPostgres.createDatabase();
    world = await openWorld({ bots: 2, databaseUrl, targets: 75, expireMs: 900_000, payloads: startHaproxy });
    await Promise.all([world.replicas.start(0), world.replicas.start(1)]);
  });
  afterAll(async () => {
    await world.close();
    setDefaultCACertificates(trusted);
  });

  it('carry out each of 50 changes once while one of them stops', async () => {
    const alice = peopleAt(world.workspace, () => world.replicas.output());
    const targets = world.targets.filter(({ production }) => !production);
    expect(targets).toHaveLength(50);
    const cards: { readonly name: string; readonly card: Message }[] = [];
    for (const { name, area } of targets) {
      await alice.say('U0ALICE', `/${area} reboot ${name}`);
      const card = await alice.seen('U0ALICE', ({ text }) => text.includes(`${name}: proposed`));
      cards.push({ name, card });
    }
    let stopped: Promise<unknown> = Promise.resolve();
    // A person may have 20 commands in progress.
    for (let first = 0; first < cards.length; first += 10) {
      const some = cards.slice(first, first + 10);
      await Promise.all(
        some.map(async ({ name, card }, index) => {
          if (first === 20 && index === 5) stopped = world.replicas.end(0, 'SIGTERM');
          await alice.press('U0ALICE', card, `Reboot ${name}`);
        }),
      );
      for (const { name, card } of some)
        await alice.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes(`${name}: succeeded`));
    }
    expect(await stopped).toBe(0);
    const store = await openStore({ databaseUrl });
    const verdict = await judgeWorld(store, world);
    await store.close();
    expect(faultsIn(verdict)).toEqual([]);
    expect([verdict.requests, verdict.changes, verdict.effects]).toEqual([50, 50, 50]);
  });

  it('answers while no replica is ready, because reads still work', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(request.url === '/slack/events' ? 200 : 503).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const proxy = await startHaproxy({ urlOf: () => `http://127.0.0.1:${port}` });
    await until(() => asked.filter((path) => path === '/readyz').length >= 4);
    const post = await fetch(`${proxy.url}/slack/events`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect(post.status).toBe(200);
    const inside = await Promise.all(
      ['/metrics', '/readyz', '/healthz', '/mcp'].map((path) => fetch(proxy.url + path)),
    );
    expect(inside.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    await proxy.close();
    server.close();
  });
});
