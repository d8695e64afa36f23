import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';
import { type Message, setStage, type Stage } from '../stage.ts';
import { pool, poolRules } from './pool.ts';

/** The service's data: the state of each pool, and its jobs. */
const states = new Map([
  ['web', 'down'],
  ['worn', 'down'],
  ['blue', 'up'],
  ['green', 'up'],
]);
const jobs: { readonly id: string; at: number; readonly by: string; readonly of: string }[] = [];
const calls: string[] = [];
/** Whether an answer about a new job gets lost. */
let losesAnswers = false;
let service: Server;
let stage: Stage;

const shown = (job: (typeof jobs)[number]) => ({ ...job, done: true });

/** Undefined: no answer. */
function answerTo(name: string, verb: string): unknown {
  if (name === 'jobs' && verb.startsWith('j-')) return shown(jobs.find(({ id }) => id === verb) ?? job(verb));
  if (verb === 'jobs') return jobs.filter(({ of }) => of === name).map(shown);
  if (verb === 'start') states.set(name, name === 'worn' ? 'broken' : 'up');
  if (verb === 'drain') states.set(name, 'down');
  if (verb !== 'rotate') return { state: states.get(name) ?? 'up' };
  jobs.push(job(name));
  return losesAnswers ? undefined : { jobs: [jobs.at(-1)?.id] };
}

const job = (of: string) => ({ id: `j-${jobs.length}`, at: Date.now(), by: 'bellhop-key', of });

beforeAll(async () => {
  service = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    const [, name = '', verb = ''] = String(request.url).split('/');
    const answer = answerTo(name, verb);
    if (answer === undefined) return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(service.address());
  stage = await setStage({
    rulebook: poolRules(`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`),
    files: { 'operations/pool.ts': pool },
    env: { LOG_LEVEL: 'warn' },
  });
});
afterAll(async () => {
  await stage.close();
  service.closeAllConnections();
  service.close();
});

let last = '';
async function propose(command: string, state = 'proposed'): Promise<Message> {
  await stage.say('U0ALICE', command);
  const [, , name = ''] = command.split(' ');
  const found = await stage.seen(
    'U0ALICE',
    ({ text, ts }) => ts > last && text.includes(name) && text.includes(state),
  );
  last = found.ts;
  return found;
}

const become = ({ ts }: Message, state: string) =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

const inThread = ({ ts }: Message, said: string) =>
  stage.seen('U0ALICE', (message) => message['thread_ts'] === ts && message.text.includes(said));

it('watch says when the target has reached the state, and when it does not reach it', async () => {
  const good = await propose('/pool start web');
  await stage.press('U0ALICE', good, 'Start web');
  await become(good, 'succeeded');
  expect((await inThread(good, 'web is up')).text).toContain('(state up)');
  const bad = await propose('/pool start worn');
  await stage.press('U0ALICE', bad, 'Start worn');
  expect((await inThread(bad, 'worn')).text).toContain('it is state broken');
});

it('tasks follow a change to its end, and settle one whose answer was lost', async () => {
  const followed = await propose('/pool rotate jobs');
  await stage.press('U0ALICE', followed, 'Rotate jobs');
  expect(JSON.stringify((await become(followed, 'succeeded')).blocks)).toContain('jobs has rotated');
  // As if a minute had passed, because two jobs of the same second look alike.
  for (const one of jobs) one.at -= 60_000;
  losesAnswers = true;
  const lost = await propose('/pool rotate jobs');
  await stage.press('U0ALICE', lost, 'Rotate jobs');
  // It is unknown until the first search, which may be over before anyone sees the card.
  expect(JSON.stringify((await become(lost, 'succeeded')).blocks)).toContain('jobs has rotated');
  expect(calls.filter((call) => call === 'POST /jobs/rotate')).toHaveLength(2);
});

it('a task of another target proves nothing, though a user of the same name made it', async () => {
  losesAnswers = true;
  const lost = await propose('/pool rotate batch');
  await stage.press('U0ALICE', lost, 'Rotate batch');
  const seen = await stage.seen(
    'U0ALICE',
    ({ ts, blocks }) => ts === lost.ts && JSON.stringify(blocks).includes("can't recognize its own tasks"),
  );
  expect(seen.text).toContain('unknown');
});

it('a guard counts members by isRunning, and asks for an approval for the last', async () => {
  const first = await propose('/pool drain green');
  await stage.press('U0ALICE', first, 'Drain green');
  await become(first, 'succeeded');
  const second = await propose('/pool drain blue', 'awaiting approval');
  expect(JSON.stringify(second.blocks)).toContain('tier');
  expect(calls).not.toContain('POST /blue/drain');
  await stage.press('U0CAROL', second, 'Approve');
  await become(second, 'succeeded');
  expect(calls).toContain('POST /blue/drain');
});

it('signal is aborted at the deadline, and the outcome is unknown', async () => {
  const waiting = await propose('/pool wait idle');
  await stage.press('U0ALICE', waiting, 'Wait idle');
  await become(waiting, 'unknown');
  await until(() => calls.includes('POST /idle/aborted'));
  expect((await become(waiting, 'unknown')).text).toContain('idle');
});

it('calls to a host that fails again and again are paused, those to others are not', async () => {
  const refusal = await until(async () => {
    await stage.say('U0ALICE', '/pool look gone');
    return (await stage.messages('U0ALICE')).find(({ text }) => text.includes('are paused'));
  });
  expect(refusal.text).toMatch(/GET 127\.0\.0\.1:\d+\/gone was not sent/u);
  expect(stage.bot.output()).toContain('circuit breaker open');
  await stage.say('U0ALICE', '/pool look web');
  await stage.seen('U0ALICE', ({ text }) => text.includes('web is up'));
});
