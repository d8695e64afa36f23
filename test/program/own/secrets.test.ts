import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';
import { balancer, rules } from './files.ts';

const secret = 'the-balancers-own-key';
let service: Server;
let stage: Stage;
let address: string;

beforeAll(async () => {
  service = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"ok":true}');
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  stage = await setStage({
    rulebook: rules(address),
    files: { 'operations/balancer.ts': balancer },
    env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', BELLHOP_SECRET_LB: secret },
  });
});
afterAll(async () => {
  await stage.close();
  service.closeAllConnections();
  service.close();
});

const reload = (yaml: string): void => writeFileSync(stage.env['BELLHOP_CONFIG'] ?? '', yaml);

it('a secret that nothing lists is a warning at the start, and refused in production, by name', async () => {
  await expect.poll(() => stage.bot.output()).toContain('secret:lb is set, but not listed here');
  await stage.say('U0ALICE', '/lb look front');
  const refusal = await stage.seen('U0ALICE', ({ text }) => text.includes('secret:lb'));
  expect(refusal.text).toContain('may not be used by lb.look: bellhop.yaml does not list it.');
});

it('a secret that is listed for other operations is refused, too', async () => {
  reload(
    rules(address, 'secrets: { lb: { operations: [lb.drain] } }\nlimits: []\n').replace(
      'back: {',
      `leaky: { address: "${secret}" }\n    back: {`,
    ),
  );
  const before = (await stage.messages('U0ALICE')).at(-1)?.ts ?? '';
  const refusal = await until(async () => {
    await stage.say('U0ALICE', '/lb look front');
    return stage.seen('U0ALICE', ({ text, ts }) => ts > before && text.includes('secret:lb'));
  });
  expect(refusal.text).toContain('may not be used by lb.look');
  // It is masked before any operation has requested it.
  const card = await until(async () => {
    await stage.say('U0ALICE', '/lb drain leaky fine');
    return (await stage.messages('U0ALICE')).find(({ text }) => text.includes('leaky: proposed'));
  });
  expect(JSON.stringify(card.blocks)).toContain('fine to ••••');
});

it('a secret that is listed for the operation is used, masked, and a new target appears without a restart', async () => {
  reload(
    rules(address, 'secrets: { lb: { operations: [lb.*] } }\n').replace(
      'back: {',
      `side: { address: "${address}" }\n    back: {`,
    ),
  );
  const shown = await until(async () => {
    await stage.say('U0ALICE', '/lb look side');
    return (await stage.messages('U0ALICE')).find(({ blocks }) =>
      JSON.stringify(blocks).includes('true with'),
    );
  });
  expect(JSON.stringify(shown.blocks)).toContain('true with ••••');
  expect(JSON.stringify(await stage.messages('U0ALICE'))).not.toContain(secret);
  expect(stage.bot.output()).not.toContain(secret);
});

it('a reload that takes away the kind of an operation’s targets is rejected, and changes nothing', async () => {
  reload(rules(address).replace('balancer:', 'balancr:'));
  await until(() => stage.bot.output().includes('which “targets” in bellhop.yaml does not have'));
  await stage.say('U0ALICE', '/lb look side');
  expect(await stage.seen('U0ALICE', ({ text }) => text.includes('side'))).toBeDefined();
});
