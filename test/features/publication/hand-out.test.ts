import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { createCheckpointLog } from '../../../src/audit/checkpoint-log.ts';
import { createHandOut } from '../../../src/features/publication/hand-out.ts';
import type { PublicationSettings } from '../../../src/features/publication/section.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { dueQueue } from '../../due/due-queue.ts';
import { sealAll, verifiers } from '../../store/contract/opened.ts';
import { aDraft } from '../../store/sample-request.ts';
import { startWitness } from './witness-server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openStore } from '../../store/open-store.ts';

const minute = 60_000;
const [verifier = expect.unreachable()] = verifiers;

async function stage(settings: Partial<PublicationSettings>) {
  const store = await openStore({ dataDir: temporaryFolder() });
  onTestFinished(() => store.close());
  const logged: string[] = [];
  const posted: string[] = [];
  const outcomes: string[] = [];
  const write = (details: object, message: string): void => {
    const { checkpoint } = { checkpoint: undefined, ...details };
    logged.push(checkpoint === undefined ? message : `${message} ${String(checkpoint)}`);
  };
  const log = { info: write, warn: write, error: write };
  const clock = createDrivenClock();
  /** A replica's state and its turn of the hand-out. */
  const replica = ({ away = false } = {}) => {
    const toLog = createCheckpointLog(store, log);
    const handOut = createHandOut({
      store,
      postCheckpoint: async (channel, { number, size }) => {
        if (away) throw new Error('Slack is away');
        posted.push(`${channel}: ${number} of ${size}`);
      },
      rulebook: () => ({ sections: { publication: { publish: [], witnesses: [], ...settings } } }),
      clock,
      log,
      onHandedOut: (to, outcome) => outcomes.push(`${to} ${outcome}`),
    });
    const queue = dueQueue(store, clock, [handOut.handler], { log });
    return {
      round: async (): Promise<void> => {
        await toLog();
        await handOut.round();
        await queue.work();
      },
    };
  };
  const record = async (note = 'as it was'): Promise<void> => {
    await store.record([aDraft({ note })]);
    await sealAll(store);
  };
  return { store, replica, logged, posted, outcomes, clock, record };
}

it('publishing writes each newest checkpoint to the log once, and none if nothing happened', async () => {
  const { replica, logged, record } = await stage({});
  const { round } = replica();
  await round();
  await record();
  await round();
  await round();
  await record();
  await record();
  await round();
  expect(logged).toEqual(['audit checkpoint 1', 'audit checkpoint 3']);
});

it('the hand-out posts one checkpoint a day to the channel, of all replicas together', async () => {
  const { replica, posted, clock, record } = await stage({ channel: 'C0AUDIT' });
  const [one, other] = [replica(), replica()];
  await record();
  for (const { round } of [one, other, one]) await round();
  expect(posted).toEqual(['C0AUDIT: 1 of 1']);
  await record();
  await clock.advance(24 * 60 * minute);
  for (const { round } of [other, one]) await round();
  expect(posted.slice(1)).toEqual(['C0AUDIT: 2 of 2']);
});

it('the hand-out posts its checkpoint once Slack is back, also where another replica, or a restart, is in between', async () => {
  const { replica, posted, outcomes, clock, record } = await stage({ channel: 'C0AUDIT' });
  await record();
  await replica({ away: true }).round();
  expect(outcomes).toEqual(['channel failed']);
  await clock.advance(minute);
  const restarted = replica();
  await restarted.round();
  expect(posted).toEqual(['C0AUDIT: 1 of 1']);
  await clock.advance(minute);
  for (const { round } of [restarted, replica()]) await round();
  expect(posted).toHaveLength(1);
});

it('the hand-out of checkpoints puts them into a folder, each in a file of its own', async () => {
  const folder = temporaryFolder();
  const { store, replica, record } = await stage({ publish: [folder] });
  const { round } = replica();
  for (let left = 2; left > 0; left -= 1) {
    await record();
    await round();
    await round();
  }
  expect(readdirSync(folder).toSorted()).toEqual(['1.checkpoint', '2.checkpoint']);
  const newest = await store.newestCheckpoint();
  expect(readFileSync(`${folder}/2.checkpoint`, 'utf8')).toBe(newest?.note);
});

it('the hand-out of checkpoints puts each newest to an address, one replica in a minute, and once more if that was refused', async () => {
  const put: string[] = [];
  const keep = async (request: IncomingMessage): Promise<void> => {
    const { method, url, headers } = request;
    put.push(`${method} ${url} ${headers['content-type']}\n${await textOf(request)}`);
  };
  let status = 503;
  const server = createServer((request, response) => {
    void keep(request).then(() => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const { store, replica, logged, clock, record } = await stage({
    publish: [`http://127.0.0.1:${port}/bellhop`],
  });
  const [one, other] = [replica(), replica()];
  await record();
  const first = (await store.newestCheckpoint())?.note;
  for (const { round } of [one, other]) await round();
  expect(logged).toContain('an audit checkpoint was not published');
  status = 204;
  await clock.advance(minute);
  for (const { round } of [one, other]) await round();
  await clock.advance(minute);
  for (const { round } of [other, one]) await round();
  await record();
  await clock.advance(minute);
  for (const { round } of [one, other]) await round();
  const second = (await store.newestCheckpoint())?.note;
  const head = 'PUT /bellhop text/plain; charset=utf-8\n';
  expect(put).toEqual([first, first, second].map((note) => `${head}${note}`));
});

it('publishing has witnesses cosign checkpoints, keeps the cosignatures, and continues if a witness is down', async () => {
  const [witness, away] = [await startWitness(verifier), await startWitness(verifier)];
  await away.close();
  const { store, replica, logged, clock, record } = await stage({ witnesses: [away, witness] });
  const { round } = replica();
  await record();
  await round();
  await clock.advance(minute);
  await record();
  await round();
  const [kept] = await store.cosignaturesOf(2);
  expect(kept).toMatchObject({ number: 2, witness: witness.verifier.name });
  expect(witness.asked.map(({ size, status }) => [size, status])).toEqual([
    [1, 200],
    [2, 200],
  ]);
  expect(logged.filter((line) => line.includes('not published'))).toHaveLength(2);
});

it.each([
  ['was set back', 1],
  ['was rewritten', 3],
])(
  'the hand-out of checkpoints says loudly that the log %s, where a witness has seen another',
  async (_, rounds) => {
    const witness = await startWitness(verifier);
    const before = await stage({ witnesses: [witness] });
    await before.record();
    await before.record();
    await before.replica().round();
    const restored = await stage({ witnesses: [witness] });
    for (let left = rounds; left > 0; left -= 1) await restored.record('another story');
    await restored.replica().round();
    expect(restored.logged).toContain('the audit log contradicts a published checkpoint');
    expect(restored.outcomes).toEqual(['witness contradicted']);
  },
);

it.each([
  ['under the same number', 2],
  ['of fewer entries', 1],
  ['of more entries that do not continue it', 3],
])(
  'the hand-out of checkpoints does not overwrite what a folder has with a checkpoint %s, and says so loudly',
  async (_, rounds) => {
    const folder = temporaryFolder();
    const before = await stage({ publish: [folder] });
    const first = before.replica();
    for (let left = 2; left > 0; left -= 1) await before.record();
    await first.round();
    await first.round();
    expect(before.outcomes).toEqual(['folder taken']);
    const kept = readFileSync(`${folder}/2.checkpoint`, 'utf8');
    const forked = await stage({ publish: [folder] });
    for (let left = rounds; left > 0; left -= 1) await forked.record('another story');
    const { round } = forked.replica();
    await round();
    expect(forked.logged).toContain('the audit log contradicts a published checkpoint');
    expect(forked.outcomes).toEqual(['folder contradicted']);
    await round();
    expect(forked.outcomes).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['2.checkpoint']);
    expect(readFileSync(`${folder}/2.checkpoint`, 'utf8')).toBe(kept);
  },
);

it('the hand-out of checkpoints does not overwrite what another log put into the folder in the meantime', async () => {
  const folder = temporaryFolder();
  const { replica, outcomes, record } = await stage({ publish: [folder] });
  const { round } = replica();
  await record();
  await round();
  writeFileSync(`${folder}/2.checkpoint`, 'of another');
  await record();
  await round();
  expect(outcomes).toEqual(['folder taken', 'folder contradicted']);
  expect(readFileSync(`${folder}/2.checkpoint`, 'utf8')).toBe('of another');
});

it('the hand-out lets each replica publish to the same folder', async () => {
  const folder = temporaryFolder();
  const { replica, outcomes, record } = await stage({ publish: [folder] });
  const [one, other] = [replica(), replica()];
  for (let left = 2; left > 0; left -= 1) {
    await record();
    for (const { round } of [one, other]) await round();
  }
  await record();
  await replica().round();
  expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'folder taken'));
  expect(readdirSync(folder)).toHaveLength(3);
});
