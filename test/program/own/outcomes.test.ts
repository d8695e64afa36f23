import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';
import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { balancer, rules } from './files.ts';

/** Of the load balancer, by the path that was called. */
const calls = new Map<string, number>();
let service: Server;
let stage: Stage;

beforeAll(async () => {
  service = createServer((request, response) => {
    const path = String(request.url);
    calls.set(path, (calls.get(path) ?? 0) + 1);
    const said = path.split('/').at(-1) ?? '';
    if (said === 'reset') return void request.socket.destroy();
    if (said === 'hangs') return;
    if (said === 'unreadable') return void response.end('<html>');
    const status = said === 'once' ? (calls.get(path) === 1 ? 503 : 200) : Number(said);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status < 300 ? { ok: true } : { message: `It says ${status}.` }));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const { port } = service.address() as AddressInfo;
  stage = await setStage({
    rulebook: rules(`http://127.0.0.1:${port}/api`, 'requests: { timeout: 2s, lease: 2s }\n'),
    files: { 'operations/balancer.ts': balancer },
    env: { LOG_LEVEL: 'warn', BELLHOP_SECRET_LB: 'the-balancers-own-key' },
  });
});
afterAll(async () => {
  await stage.close();
  service.closeAllConnections();
  service.close();
});

const card = (state: string, after = '') =>
  stage.seen('U0ALICE', ({ text, ts }) => text.includes('front') && text.includes(state) && ts > after);

const become = ({ ts }: Message, state: string) =>
  stage.seen('U0ALICE', (message) => message.ts === ts && message.text.includes(state));

let last = '';
async function drain(how: string): Promise<Message> {
  await stage.say('U0ALICE', `/lb drain front ${how}`);
  const proposed = await card('proposed', last);
  last = proposed.ts;
  return proposed;
}

const confirmed = async (how: string, state: string): Promise<string> => {
  const proposed = await drain(how);
  await stage.press('U0ALICE', proposed, 'Drain front');
  const ended = await become(proposed, state);
  return JSON.stringify([ended.text, ended.blocks]);
};

describe('your own operation', () => {
  it('is proposed, confirmed and reported like any other, with exactly what was shown', async () => {
    const proposed = await drain('fine');
    expect(buttonsOf(proposed)).toEqual(['Drain front', 'Cancel', 'Details']);
    const shown = JSON.stringify(proposed.blocks);
    expect(shown).toContain('fine to http://127.0.0.1');
    expect(shown).toContain('env=staging');
    expect(shown).toContain('front ends as fine.');
    await stage.press('U0ALICE', proposed, 'Drain front');
    const ended = JSON.stringify((await become(proposed, 'succeeded')).blocks);
    expect(ended).toContain('Drained front &lt;!channel&gt;');
    expect(ended).toContain('\\"confirmed\\":[{\\"label\\":\\"Sends\\",\\"value\\":\\"fine to ');
  });

  it.each([
    ['refused', 'failed', 'It is drained already.'],
    ['not-sent', 'failed, not sent', 'The pool is locked.'],
    ['throws', 'unknown', 'kaboom with ••••'],
    ['wrong', 'unknown', 'lb.drain is broken: Cannot read properties of undefined'],
    ['never', 'unknown', 'requests.timeout'],
    ['blocks', 'unknown', 'requests.timeout'],
    ['forgets', 'succeeded', ''],
    ['timer', 'succeeded', ''],
    ['emitter', 'succeeded', ''],
    ['nothing', 'succeeded', ''],
    ['circular', 'succeeded', ''],
    ['huge', 'succeeded', 'line 0'],
    ['200', 'succeeded', 'true'],
    ['409', 'failed', 'It says 409.'],
    ['408', 'failed', 'It says 408.'],
    ['429', 'failed', 'It says 429.'],
    ['500', 'unknown', '500'],
    ['307', 'unknown', '307'],
    ['look-500', 'unknown', '500'],
    ['look-404', 'failed', 'It says 404.'],
    ['reset', 'unknown', 'closed'],
    ['unreadable', 'unknown', 'not JSON'],
    ['twice', 'unknown', 'Another call of this command was sent, and may have taken effect'],
  ])('that ends as %s is %s', async (how, state, said) => {
    const shown = await confirmed(how, state);
    expect(shown).toContain(said);
    expect(shown).not.toContain('the-balancers-own-key');
  });

  it('sends a change once, whatever came of it', () => {
    expect(calls.get('/api/drain/500')).toBe(1);
    expect(calls.get('/api/drain/429')).toBe(1);
    expect(calls.get('/api/drain/reset')).toBe(1);
    expect(calls.get('/api/drain/409')).toBe(2);
  });

  it('whose report is broken stays done, and the log names it', () => {
    expect(stage.bot.output()).toMatch(/"operation":"lb\.drain".*an answer could not be shown/u);
  });

  it('that leaves an error behind is in the log with its request, counted, and stops nothing', async () => {
    await until(() => stage.bot.output().match(/an operation left an error unhandled/gu)?.length === 3);
    const output = stage.bot.output();
    expect(output).toMatch(
      /"operation":"lb\.drain","hook":"run","requestId":"r-\w+".*a promise without await/u,
    );
    expect(output).toContain('a timer of the file');
    expect(output).toContain('an emitter of the file');
    const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
    expect(metrics).toContain('bellhop_own_operation_errors_total{kind="escaped"} 3');
  });

  it('needs the approval that a label of its target asks for', async () => {
    await stage.say('U0ALICE', '/lb drain back fine');
    const waiting = await stage.seen('U0CAROL', ({ text }) => text.includes('back: awaiting approval'));
    await stage.press('U0CAROL', waiting, 'Approve');
    expect((await become(waiting, 'succeeded')).text).toContain('back');
  });

  it('suggests the nearest target, and says what bellhop.yaml lists', async () => {
    await stage.say('U0ALICE', '/lb drain frnt fine');
    const refusal = await stage.seen('U0ALICE', ({ text }) => text.includes('“frnt”'));
    expect(refusal.text).toContain('There is no balancer “frnt”. Did you mean “front”?');
  });

  it('is in the help of its area, and opens a form for what is missing', async () => {
    await stage.say('U0ALICE', '/lb help');
    const help = await stage.seen('U0ALICE', ({ text }) => text.includes('/lb'));
    expect(JSON.stringify(help.blocks)).toContain('/lb drain &lt;host&gt; &lt;how&gt;');
    await stage.say('U0ALICE', '/lb drain front');
    await until(async () => (await stage.modals('U0ALICE')).length > 0);
  });

  it('reads with retries, and masks the secret in what it says', async () => {
    await stage.say('U0ALICE', '/lb look front --path once');
    const answer = await stage.seen('U0ALICE', ({ blocks }) =>
      JSON.stringify(blocks).includes('true with ••••'),
    );
    expect(calls.get('/api/look/once')).toBe(2);
    // A follow-up command that does not exist, or is denied to the reader, has no button.
    expect(buttonsOf(answer)).toContain('Drain…');
    expect(buttonsOf(answer)).not.toContain('Explode…');
  });

  it('whose preview takes for ever is not proposed', async () => {
    await stage.say('U0ALICE', '/lb drain front preview-slow');
    const refusal = await stage.seen('U0ALICE', ({ text }) => text.includes('could not be read in time'));
    expect(refusal.text).toContain('The current state could not be read in time. Nothing was done.');
  });

  it('whose preview is broken says so, and not to try again', async () => {
    await stage.say('U0ALICE', '/lb drain front preview-wrong');
    const refusal = await stage.seen('U0ALICE', ({ text }) => text.includes('preview of lb.drain'));
    expect(refusal.text).toMatch(/^The preview of lb\.drain is broken: Cannot .* Fix its file\./u);
    expect(JSON.stringify(refusal.blocks)).not.toContain('ry again');
    expect(stage.bot.output()).toMatch(/"level":"?(?:50|error)"?.*The preview of lb\.drain is broken/u);
  });

  it('whose observation has another shape is unknown all the same, and the log names it', async () => {
    expect(await confirmed('sees-wrong', 'unknown')).toContain('the answer was lost');
    await until(() => stage.bot.output().includes('observe of lb.drain must resolve to a few named texts'));
  });

  it('shows what it sees after an unknown outcome, next to what was', async () => {
    const proposed = await drain('moves');
    await stage.press('U0ALICE', proposed, 'Drain front');
    const seen = await stage.seen(
      'U0ALICE',
      ({ ts, blocks }) => ts === proposed.ts && JSON.stringify(blocks).includes('front: weight 0'),
    );
    expect(seen.text).toContain('unknown');
    expect(buttonsOf(seen)).toContain('Check now');
  });

  it('is in the audit log under its own kind of target', async () => {
    await stage.say('U0ALICE', '/bellhop audit --target front');
    const audit = await stage.seen('U0ALICE', ({ blocks }) => JSON.stringify(blocks).includes('Audit'));
    expect(JSON.stringify(audit.blocks)).toContain('lb drain front');
  });

  it('that kills the process is unknown after the restart, and never runs again', async () => {
    const proposed = await drain('dies');
    await stage.press('U0ALICE', proposed, 'Drain front').catch(() => undefined);
    await stage.bot.exited;
    await stage.restart();
    expect((await become(proposed, 'unknown')).text).toContain('front');
  });

  it('that finds no one at its address was not sent', async () => {
    const closedPort = await freePort();
    const yaml = rules(`http://127.0.0.1:${closedPort}`, 'requests: { timeout: 5s }\n');
    writeFileSync(stage.env['BELLHOP_CONFIG'] ?? '', yaml);
    const ended = await until(async () => {
      const proposed = await drain('204');
      if (!JSON.stringify(proposed.blocks).includes(String(closedPort))) {
        await stage.press('U0ALICE', proposed, 'Cancel');
        return undefined;
      }
      await stage.press('U0ALICE', proposed, 'Drain front');
      return become(proposed, 'failed, not sent');
    });
    expect(ended.text).toContain('front');
  });
});
