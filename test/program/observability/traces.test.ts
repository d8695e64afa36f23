import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { until } from '../../until.ts';
import { startRelay } from '../relay.ts';
import { setStage, type Stage } from '../stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = temporaryFolder();
const file = join(folder, 'spans');
const relay = await startRelay(() => stage.service.url);
let stage: Stage;

beforeAll(async () => {
  stage = await setStage({
    nodeOptions: ['--import', join(import.meta.dirname, 'spans-to-file.ts')],
    env: { API_BASE_URL: relay.url, SPANS_FILE: file },
  });
});
afterAll(async () => {
  await stage.close();
  await relay.close();
});

const spanLine = z.object({
  name: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  traceId: z.string(),
  spanId: z.string(),
  parent: z.string().optional(),
});
type SpanLine = z.output<typeof spanLine>;

const spans = (): readonly SpanLine[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => spanLine.parse(JSON.parse(line)));

/** The names from the root of the trace down to a span. */
function way(all: readonly SpanLine[], span: SpanLine): readonly string[] {
  const above = all.find(({ spanId }) => spanId === span.parent);
  return [...(above ? way(all, above) : []), span.name];
}

it('a trace follows a reboot from the payload to the call, and the service continues the trace', async () => {
  await stage.say('U0ALICE', '/cloud reboot web-1 --reason "a secret of ours"');
  const proposed = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
  const rootOf = (name: string) => until(() => spans().find((span) => span.name === name));
  const names = (traceId: string) =>
    spans()
      .filter((span) => span.traceId === traceId)
      .map(({ name }) => name);
  const command = await rootOf('slack command');
  // While a card is being posted, the same task edits it, in the trace of the command.
  await until(() => names(command.traceId).includes('store markCardShown'));
  await stage.press('U0ALICE', proposed, 'Reboot web-1');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === proposed.ts && text.includes('succeeded'));
  const call = await until(() => spans().find(({ name }) => /^POST .*reboot/u.test(name)));
  const click = await rootOf('slack block_actions');
  // A span is written when it ends, and Slack's answer arrives after people see the card.
  await until(() => names(click.traceId).includes('slack chat.update'));

  const all = spans();
  expect(way(all, call)).toEqual(['slack block_actions', 'run request', call.name]);
  expect(call.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 });
  expect(names(command.traceId)).toEqual(expect.arrayContaining(['store propose', 'slack chat.postMessage']));
  expect(names(click.traceId)).toContain('store advance');
  // The correlation id links the click's trace to the command's.
  const run = all.find(({ name }) => name === 'run request');
  expect(run?.attributes['bellhop.correlation_id']).toBe(command.attributes['bellhop.correlation_id']);
  expect(run?.attributes).toMatchObject({
    'bellhop.operation': 'cloud.reboot',
    'bellhop.outcome': 'succeeded',
  });

  // The check of the outcome for web-1 is not a second run.
  const watch = await until(() => spans().find(({ name }) => name === 'watch request'));
  expect(watch.attributes['bellhop.correlation_id']).toBe(command.attributes['bellhop.correlation_id']);
  expect(spans().filter(({ name }) => name === 'run request')).toHaveLength(1);

  const sent = relay.passed.find(({ path }) => path.includes('/reboot'));
  expect(sent?.headers['traceparent']).toBe(`00-${call.traceId}-${call.spanId}-01`);
  expect(readFileSync(file, 'utf8')).not.toContain('a secret of ours');
  expect(stage.bot.output()).toContain(`"traceId":"${call.traceId}"`);
});

it('the bot begins no trace for the jobs of each second', async () => {
  const known = spans().length;
  await stage.say('U0ALICE', '/cloud ips');
  await until(
    () =>
      spans()
        .slice(known)
        .some(({ name }) => name.startsWith('GET ')) || undefined,
  );
  const roots = new Set(
    spans()
      .filter(({ parent }) => parent === undefined)
      .map(({ name }) => name),
  );
  expect([...roots].filter((name) => !name.startsWith('slack '))).toEqual(['watch request']);
});

it('the bot has the SDK send its last spans before the process ends', async () => {
  expect(existsSync(`${file}.flushed`)).toBe(false);
  expect(await stage.bot.end('SIGINT')).toBe(0);
  expect(existsSync(`${file}.flushed`)).toBe(true);
});
