import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { temporaryFolder } from '../temporary-folder.ts';
import { openOwnStage, shown } from './own-stage.ts';
import { balancers, change } from './balancers.ts';

it('a body that is not JSON is read as bytes', async () => {
  const stage = await balancers();
  expect(await shown(stage.ask('/lb look front bytes'))).toContain('It answers {"ok":true}');
});

describe('a call that the operation started', () => {
  it('and that fails after another one failed stops nothing', async () => {
    const stage = await balancers();
    expect(await shown(stage.ask('/lb look front two-calls'))).toContain('GET 127.0.0.1:');
    // A rejection without a handler fails this test run.
    await new Promise((resolve) => void setTimeout(resolve, 100));
    expect(stage.got).toEqual(expect.arrayContaining(['GET /slow-404', 'GET /404']));
  });

  it('and never waits for stops nothing', async () => {
    const stage = await balancers();
    expect(await shown(stage.ask('/lb look front left-alone'))).toContain('Key ••••');
    await new Promise((resolve) => void setTimeout(resolve, 100));
  });
});

it('a check of the input that never ends is answered', async () => {
  const stage = await balancers();
  const said: string[] = [];
  void shown(stage.propose('alice', '/lb drain front check-hangs')).then((text) => said.push(text));
  while (said.length === 0) await stage.clock.advance(1000);
  expect(said[0]).toContain('The check of lb.drain took too long. Nothing was done.');
});

describe('the body of a change', () => {
  it.each<[how: string, got: string]>([
    ['form', 'POST /200 application/x-www-form-urlencoded server=web+1%262&tag=a&tag=b&weight=0'],
    ['merge-patch', 'PATCH /200 application/merge-patch+json {"replicas":2}'],
    ['xml', 'PUT /200 text/xml; charset=utf-8 <off/>'],
  ])('%s is sent as it is', async (how, got) => {
    const stage = await balancers();
    expect((await change(stage, `/lb drain front ${how}`)).state).toBe('succeeded');
    expect(stage.got).toEqual([got]);
  });

  it.each(['two-bodies', 'bad-type', 'no-type', 'large'])('%s is not sent', async (how) => {
    const stage = await balancers();
    const { outcome } = await change(stage, `/lb drain front ${how}`);
    expect([outcome?.error?.code, stage.got]).toEqual(['not-sent', []]);
  });
});

/** Answers as dockerd 28.5 does, at a socket whose path has a space. */
async function openDocker(): Promise<{ readonly socket: string; readonly got: string[] }> {
  const socket = join(temporaryFolder(), 'docker box.sock');
  const got: string[] = [];
  const docker = createServer((request, response) => {
    got.push(`${request.method} ${request.url}`);
    const [, , name = ''] = (request.url ?? '').split('/');
    if (name === 'hangs') return;
    if (name === 'resets') return void request.socket.destroy();
    if (name === 'gone') {
      response.writeHead(404, { 'content-type': 'application/json' });
      return void response.end('{"message":"No such container: gone"}\n');
    }
    if (request.method === 'POST') return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ Id: 'f00', Name: `/${name}`, State: { Status: 'running' } }));
  });
  await once(docker.listen(socket), 'listening');
  onTestFinished(() => {
    docker.close().closeAllConnections();
  });
  return { socket, got };
}

const boxes = (address: string) =>
  openOwnStage({ file: 'containers.ts', yaml: `targets: { box: { one: { socket: '${address}' } } }` });

describe('a service behind a unix socket', () => {
  it.each<[form: string, addressOf: (socket: string) => string]>([
    ['unix:/run/docker.sock', (socket) => `unix:${socket}`],
    ['unix:///run/docker.sock, as in DOCKER_HOST', (socket) => `unix://${socket}`],
    ['a URL with its space encoded', (socket) => `unix:${encodeURI(socket)}`],
  ])('is reached at %s, without the proxy', async (_form, addressOf) => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { socket, got } = await openDocker();
    const stage = await boxes(addressOf(socket));
    expect(await shown(stage.ask('/containers show one web'))).toContain('web is running');
    expect((await change(stage, '/containers restart one web')).state).toBe('succeeded');
    expect(got).toEqual(['GET /containers/web/json', 'POST /containers/web/restart?t=10']);
  });

  it.each<[name: string, state: string, said: RegExp]>([
    ['gone', 'failed', /No such container: gone/u],
    ['hangs', 'unknown', /requests\.timeout/u],
    ['resets', 'unknown', /docker%20box\.sock:\/containers\/resets.* was closed/u],
  ])('ends as any other service does if the container %s', async (name, state, said) => {
    const { socket } = await openDocker();
    const stage = await boxes(`unix:${socket}`);
    stage.rulebook = { ...stage.rulebook, timeoutMs: 2000 };
    const ended = await change(stage, `/containers restart one ${name}`);
    expect([ended.state, ended.outcome?.error?.message]).toEqual([state, expect.stringMatching(said)]);
  });

  it.each<[address: string, said: RegExp]>([
    ['unix:/run/no-such.sock', /no-such\.sock.*does not exist/u],
    [`unix:/run/${'long'.repeat(40)}.sock`, /not sent/iu],
    ['unix:docker.sock', /absolute path/u],
    ['unix://run/docker.sock', /absolute path/u],
    ['unix:/run/docker.sock?x=1', /absolute path/u],
    ['unix:/run/%zz', /absolute path/u],
    ['unix:/run/a%00b', /absolute path/u],
    ['unix:', /absolute path/u],
  ])('is not sent to at %s', async (address, said) => {
    const stage = await boxes(address);
    const { outcome } = await change(stage, '/containers restart one web');
    expect([outcome?.error?.code, outcome?.error?.message]).toEqual([
      'not-sent',
      expect.stringMatching(said),
    ]);
  });
});

describe('a change that left bytes', () => {
  it.each<[how: string, state: string]>([
    ['send-again', 'unknown'],
    ['hangs-and-closed', 'unknown'],
    ['reset-and-refused', 'unknown'],
    ['refused-and-closed', 'failed'],
    ['closed', 'failed'],
    ['no-secret', 'failed'],
    // The rest come last, because from the first of them on, the file is known to have its own client.
    ['own-client', 'unknown'],
    ['own-client-and-secret', 'unknown'],
    ['own-client-not-awaited', 'unknown'],
    ['own-client-and-409', 'unknown'],
    ['own-client-then-says', 'failed'],
  ])('ends after %s as %s', async (how, state) => {
    const stage = await balancers();
    stage.rulebook = { ...stage.rulebook, timeoutMs: 2000 };
    const ended = await change(stage, `/lb drain front ${how}`);
    expect([ended.state, ended.outcome?.error?.message]).toEqual([state, expect.any(String)]);
  });
});

describe('a file that imports a client', () => {
  it.each<[how: string, state: string]>([
    ['closed', 'unknown'],
    ['no-secret', 'unknown'],
    ['409', 'unknown'],
    ['says', 'failed'],
  ])('ends after %s as %s, in another file of its own, too', async (how, state) => {
    const stage = await openOwnStage({
      file: 'redis-queue.ts',
      yaml: 'targets: { queue: { mail: { url: "URL", closed: "CLOSED" } } }',
    });
    const ended = await change(stage, `/queue flush mail ${how}`);
    expect([ended.state, ended.outcome?.error?.message]).toEqual([state, expect.any(String)]);
  });
});
