import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';

import { consoleToLog, createLogger } from '../../src/app/process/logger.ts';
import { createRedactor } from '../../src/command/redactor.ts';
import type { Request } from '../../src/model/records/request.ts';
import { sweep } from '../due/sweep.ts';
import { follow } from '../rollouts/rolling.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openOwnStage, type OwnStage, shown } from './own-stage.ts';

// Mistakes that people make in files of operations, as they were reported for other tools that run a team's code.

const key = 'hcloud-4f9a8c1e7b2d4f6a';

const balancers = (value = key) =>
  openOwnStage({
    file: 'load-balancer.ts',
    secrets: { BELLHOP_SECRET_LB: value },
    yaml: 'targets: { balancer: { front: { url: "URL", closed: "CLOSED" } } }',
  });

async function change(stage: OwnStage, line: string): Promise<Request> {
  const request = await stage.propose('alice', line);
  await stage.click('alice', request, 'confirm');
  for (;;) {
    const now = await stage.find(request);
    if (now.state !== 'running') return now;
    await stage.clock.advance(1000);
  }
}

/** Expects that the text contains no eight successive characters of the secret. */
function expectHidden(text: string, secret = key): void {
  for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
}

describe('a secret that the operation knows', () => {
  it.each([
    'throws',
    'refuses',
    'json',
    'cut',
    'cut-refusal',
    'changes-error',
    'report-throws',
    'fine',
    'fine --each x=y',
  ])('is masked in the answer to a read that ends as %s', async (how) => {
    const stage = await balancers();
    const said = await shown(stage.ask(`/lb look front ${how}`));
    expect(said).toMatch(how.includes('each') ? /each/u : /••••/u);
    expectHidden(said);
  });

  it.each(['preview-throws', 'preview-wrong'])('is masked if a change ends as %s', async (how) => {
    const stage = await balancers();
    const said = await shown(stage.ask(`/lb drain front ${how}`));
    expect(said).toContain('••••');
    expectHidden(said);
  });

  it.each(['throws', 'fine'])('is masked in the request of a change that ends as %s', async (how) => {
    const stage = await balancers();
    const said = JSON.stringify(await change(stage, `/lb drain front ${how}`));
    expect(said).toContain('••••');
    expectHidden(said);
  });
});

describe('what a file prints', () => {
  it('is in the log with its operation, and secrets are masked', async () => {
    const stage = await balancers();
    const saved = { ...console };
    const written: string[] = [];
    const keep = (text: unknown): boolean => written.push(String(text)) > 0;
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(keep);
    onTestFinished(() => {
      vi.restoreAllMocks();
      Object.assign(console, saved);
    });
    const options = { level: 'debug', replica: 'a', correlationId: () => undefined };
    consoleToLog(createLogger({ ...options, mask: (text) => stage.context.redact(text) }));
    await stage.ask('/lb look front prints');
    const lines = written.filter((line) => line.includes('••••'));
    const operations = lines.map((line) => z.object({ operation: z.string() }).parse(JSON.parse(line)));
    expect(operations).toEqual(Array.from({ length: 10 }, () => ({ operation: 'lb.look' })));
    expectHidden(written.join(''));
  });
});

describe('a part of a secret', () => {
  it.each<[what: string, secret: string, part: string]>([
    [
      'a member of a service account of Google',
      '{"type":"service_account","private_key_id":"5f1c9b2e7a","client_email":"bot@example.iam"}',
      '5f1c9b2e7a',
    ],
    ['a nested member', '{"auths":{"registry.example.com":{"auth":"Ym90OmdsaG9zdA=="}}}', 'Ym90OmdsaG9zdA=='],
    ['a number in JSON', '{"pin":4719283746}', '4719283746'],
    ['the password of a PostgreSQL URL', 'postgres://orders:correct-horse@db/orders', 'correct-horse'],
    ['a password that is encoded in a URL', 'amqp://bot:p%40ss-w0rd!@mq:5672/%2f', 'p@ss-w0rd!'],
    ['the query of a webhook', 'https://hooks.example.com/run?sig=a1b2c3d4e5f6', 'a1b2c3d4e5f6'],
    ['the password of login:password', 'admin:battery-staple', 'battery-staple'],
    ['a password with a colon', 'admin:battery:staple-9', 'battery:staple-9'],
    ['the password of libpq', "host=db user=bot password='cor rect-horse' port=5432", 'cor rect-horse'],
    ['the password of ADO.NET', 'Server=db;User=bot;Password=Correct-H0rse;Encrypt=true', 'Correct-H0rse'],
    ['the password of a Go MySQL address', 'bot:c0rrect-h@rse@tcp(db:3306)/orders', 'c0rrect-h@rse'],
    ['a line of an .env file', 'API_TOKEN=tok-8841aa90\nREGION=eu', 'tok-8841aa90'],
    ['the token of a kubeconfig', 'user:\n  token: eyJhbGciOi.abc', 'eyJhbGciOi.abc'],
  ])('%s is masked in an error', (_what, secret, part) => {
    const mask = createRedactor();
    mask.learn(secret);
    expect(mask.redact(`401 for ${part}, refused`)).toBe('401 for ••••, refused');
    expect(mask.redact(`401 at /${encodeURIComponent(part)}/`)).toBe('401 at /••••/');
    expect(mask.holds(part)).toBe(false);
  });

  it.each<[what: string, secret: string, part: string]>([
    ['the token of an Authorization header', 'Bearer tok-8841aa90', 'tok-8841aa90'],
    ['the password of Basic', `Basic ${btoa('admin:battery-staple')}`, 'battery-staple'],
    [
      'the login of a registry, in base64',
      `{"auths":{"r":{"auth":"${btoa('bot:glhost-2024')}"}}}`,
      'glhost-2024',
    ],
    [
      'the token of a webhook of Slack',
      'https://hooks.slack.com/services/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',
      'aB3dE5fG7hI9jK1lM2nO4pQ6',
    ],
    [
      'the token of a private calendar of Google',
      'https://calendar.google.com/calendar/ical/x/private-0a1b2c3d4e5f60718293a4b5c6d7e8f9/basic.ics',
      'private-0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
    [
      'the fragment of an OAuth redirect',
      'https://app.example.com/cb#access_token=tok-8841aa90',
      'tok-8841aa90',
    ],
    [
      'a line of the private key of a service account',
      '{"private_key":"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq\\n-----END PRIVATE KEY-----"}',
      'MIIEvQIBADANBgkq',
    ],
  ])('%s is masked alone, too', (_what, secret, part) => {
    const mask = createRedactor();
    mask.learn(secret);
    expect(mask.redact(`404 at /${part} of it`)).toBe('404 at /•••• of it');
  });

  it.each<[writer: string, text: string]>([
    ['json.dumps of Python', '"p\\u00e4ss/w\'rd&<+=1 x"'],
    ['json_encode of PHP', '"p\\u00e4ss\\/w\'rd&<+=1 x"'],
    ['encoding/json of Go', '"päss/w\'rd\\u0026\\u003c+=1 x"'],
    ['Gson', '"päss/w\\u0027rd\\u0026\\u003c+\\u003d1 x"'],
    ['System.Text.Json', '"p\\u00E4ss/w\\u0027rd\\u0026\\u003C\\u002B=1 x"'],
    ['rawurlencode of PHP', 'p%C3%A4ss%2Fw%27rd%26%3C%2B%3D1%20x'],
    ['url.QueryEscape of Go', 'p%C3%A4ss%2Fw%27rd%26%3C%2B%3D1+x'],
    ['an attribute of HTML', 'päss/w&#39;rd&amp;&lt;+=1 x'],
  ])('as %s writes it is masked', (_writer, text) => {
    const mask = createRedactor();
    mask.learn("päss/w'rd&<+=1 x");
    expect(mask.redact(`at ${text}`)).toMatch(/^at "?••••"?$/u);
  });

  it('that is an ordinary part of a path stays', () => {
    const mask = createRedactor();
    mask.learn('https://u:correct-horse@lb.example.com/api/public-calendars/v2');
    expect(mask.redact('no public-calendars in /api')).toBe('no public-calendars in /api');
  });

  it('of less than eight characters stays, because it may be an ordinary word', () => {
    const mask = createRedactor();
    mask.learn('{"user":"orders","port":"5432"}');
    expect(mask.redact('orders on 5432')).toBe('orders on 5432');
  });
});

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

const brokers = (fault: string) =>
  openOwnStage({
    file: 'broker.ts',
    yaml: `targets:
  node:
    one: { labels: { tier: mq, fault: '${fault}' } }
    two: { labels: { tier: mq, fault: '${fault}' } }
    three: { labels: { tier: mq, fault: '${fault}' } }`,
  });

async function rollingNodes(fault: string) {
  const stage = await brokers(fault);
  const request = await stage.propose('alice', '/broker restart --each tier=mq --pause 1s');
  await stage.click('alice', request, 'confirm');
  return { stage, rollout: follow(stage, request.id) };
}

describe('a callback of watch that throws', () => {
  it('decides no outcome of a single change: progress, words and there have defaults, and a warning each', async () => {
    const stage = await brokers('progress');
    const ended = await change(stage, '/broker restart one');
    expect(ended.state).toBe('succeeded');
    expect(ended.outcome?.error).toBeUndefined();
    await stage.clock.advance(3000);
    await sweep(stage.context);
    await stage.context.backgroundTasks.drained(0);
    await expect.poll(() => [...stage.faults]).toContain('caught watch.progress');
  });

  it('pauses a rollout with the reason, at once', async () => {
    const { stage, rollout } = await rollingNodes('progress');
    expect(await rollout.until(/paused/u, 10)).toBe('paused: one succeeded, two, three');
    expect((await rollout.now()).rollout?.paused?.why).toBe(
      "watch.progress of broker.restart is broken: Cannot read properties of undefined (reading 'progress'). Fix its file. The log says where.",
    );
    await rollout.press('stop');
    expect(await rollout.summary()).toBe('stopped: one succeeded, two, three');
    expect(stage.faults).toContain('caught watch.progress');
  });
});

describe('watch.answered', () => {
  it('shows that a target was restarted, so that a rollout continues', async () => {
    const { stage, rollout } = await rollingNodes('none');
    expect(await rollout.until(/done/u, 120)).toBe('done: one succeeded, two succeeded, three succeeded');
    expect(stage.faults).toContain('caught watch.words');
  });
});

describe('Stop', () => {
  it('is looked at before the health of the last target', async () => {
    const { rollout } = await rollingNodes('none');
    await rollout.until(/one succeeded/u);
    await rollout.press('stop');
    expect(await rollout.until(/stopped/u, 4)).toBe('stopped: one succeeded, two, three');
  });
});
