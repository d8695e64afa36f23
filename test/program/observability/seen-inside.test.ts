import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { EndpointName } from '../../areas/service-client.ts';
import { control } from '../service-control.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'debug' } });
});
afterAll(() => stage.close());

const requestLog = z.object({
  requests: z.array(z.object({ endpoint: z.string().nullable(), request_id: z.string().nullable() })),
});

/** The `X-Request-Id` of each call to an endpoint that reached the service. */
async function requestIds(endpoint: EndpointName): Promise<readonly (string | null)[]> {
  const { requests } = requestLog.parse(await control(stage.service, 'GET', 'requests'));
  return requests.filter((request) => request.endpoint === endpoint).map(({ request_id }) => request_id);
}

const logLine = z.looseObject({ msg: z.string(), correlationId: z.string().optional() });

/** The bot's log lines with a correlation id. */
const logged = (correlationId: string): readonly string[] =>
  stage.bot
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => logLine.parse(JSON.parse(line)))
    .filter((line) => line.correlationId === correlationId)
    .map(({ msg }) => msg);

/** The value of a line of /metrics. */
async function metric(line: string): Promise<number | undefined> {
  const text = await (await fetch(`${stage.botUrl}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
}

describe('an id from the payload to the service', () => {
  it('is sent with a look, and is in every line of the log about it', async () => {
    await stage.say('U0ALICE', '/cloud ips');
    await stage.seen('U0ALICE', ({ ephemeral, text }) => ephemeral && /floating IP/iu.test(text));
    const [id, ...others] = await requestIds('listFloatingIps');
    expect(others).toEqual([]);
    const lines = await until(async () => {
      const found = logged(String(id));
      return found.length >= 2 ? found : undefined;
    });
    expect(lines).toEqual(['service call finished', 'payload handled']);
  });

  it('is that of the command for a change, and the click that started it leads there', async () => {
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('proposed'));
    await stage.press('U0ALICE', card, 'Reboot web-1');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    const [id] = await requestIds('rebootInstance');
    await until(() => logged(String(id)).includes('payload handled'));
    expect(logged(String(id))).toContain('service call finished');
    const click = z
      .object({ correlationId: z.string() })
      .parse(JSON.parse(/^\{.*"runsAs".*"request started".*$/mu.exec(stage.bot.output())?.[0] ?? ''));
    expect(click.correlationId).not.toBe(id);
    expect(stage.bot.output()).toContain(`"runsAs":"${id}"`);
  });
});

describe('/metrics', () => {
  it('counts asks, calls, acks and what waits', async () => {
    await stage.say('U0ALICE', '/cloud reboot web-2');
    await stage.seen('U0ALICE', ({ text }) => text.includes('web-2') && text.includes('proposed'));
    await stage.say('U0GUS', '/cloud reboot web-2');
    await stage.seen('U0GUS', ({ ephemeral }) => ephemeral);
    expect(await metric('bellhop_operations_total{operation="cloud.reboot",outcome="denied"}')).toBe(1);
    expect(await metric('bellhop_operations_total{operation="cloud.reboot",outcome="succeeded"}')).toBe(1);
    expect(await metric('bellhop_operations_total{operation="cloud.ips",outcome="answered"}')).toBe(1);
    expect(
      await metric(
        'bellhop_service_calls_seconds_count{endpoint="rebootInstance",status="200",outcome="succeeded"}',
      ),
    ).toBe(1);
    expect(await metric('bellhop_acks_seconds_count{kind="block_actions",status="200"}')).toBe(1);
    expect(
      await metric('bellhop_slack_calls_seconds_count{method="chat.postMessage",outcome="ok"}'),
    ).toBeGreaterThanOrEqual(2);
    expect(await metric('bellhop_store_seconds_count{method="propose"}')).toBe(2);
    expect(await metric('bellhop_ready{part="store"}')).toBe(1);
    const waits = async () => ((await metric('bellhop_requests{state="proposed"}')) === 1 ? true : undefined);
    expect(await until(waits)).toBe(true);
  });

  it('has what a person typed in no label', async () => {
    await stage.say('U0ALICE', '/cloud reboot no-such-thing-anywhere');
    await stage.seen('U0ALICE', ({ ephemeral, text }) => ephemeral && text.includes('no-such-thing'));
    const text = await (await fetch(`${stage.botUrl}/metrics`)).text();
    expect(text).not.toMatch(/no-such-thing|U0ALICE|C0OPS/u);
    expect(await metric('bellhop_operations_total{operation="cloud.reboot",outcome="invalid"}')).toBe(1);
  });

  it('can only be read: a POST is answered with 405', async () => {
    const { status } = await fetch(`${stage.botUrl}/metrics`, { method: 'POST' });
    expect(status).toBe(405);
  });
});

describe('/bellhop status', () => {
  it('agrees with the metrics', async () => {
    await stage.say('U0ALICE', '/bellhop status');
    const { blocks, text } = await stage.seen('U0ALICE', (message) => /Healthy/u.test(message.text));
    expect(text).toContain('Bellhop');
    const shown = JSON.stringify(blocks);
    for (const said of ['1 proposed', 'Dependencies', 'Service last answered', String(stage.bot.child.pid)]) {
      expect(shown).toContain(said);
    }
  });
});

describe('the log', () => {
  it('has no text that people typed, whether the command ran or was refused', async () => {
    const typed = [
      ['U0ALICE', '/cloud zebra'],
      ['U0ALICE', '/cloud reboot zebra-1'],
      ['U0ALICE', '/cloud reboot web-1 --zebra'],
      ['U0ALICE', '/cloud stop db-1 --reason "zebra crossing"'],
      ['U0CAROL', '/cloud reboot db-1 --reason "second zebra"'],
      ['U0BOB', '/cloud stop db-1 --reason "third zebra"'],
    ] as const;
    for (const [who, words] of typed) await stage.say(who, words);
    await until(() => /"other":"r-[a-z0-9]+"/u.test(stage.bot.output()));
    expect(stage.bot.output()).toContain('"code":"unknown-target"');
    expect(stage.bot.output()).not.toContain('zebra');
  });
});
