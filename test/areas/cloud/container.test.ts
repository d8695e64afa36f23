import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { reportText } from '../../operations/report-text.ts';
import { setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.control('DELETE', 'requests'));

const look = async (words: string): Promise<string> =>
  reportText(await stage.report(`/cloud container ${words}`));

test('/cloud container shows every field, the values of its environment masked', async () => {
  expect(await look('checkout')).toMatchInlineSnapshot(`
    "# Container checkout (good)
    RUNNING, 4 of 4 ready
    - Address: checkout-1186668.caas.example.net
    - Image: registry.example.net/shop/checkout:2026.11.3
    - Scale: 1 to 4
    - Flavor: 1vCPU-2GiB
    - Listening port: 8080
    - Timeout: 30 s
    - Commands: node server.js --name checkout
    - Namespace: project-1186668
    - Name: checkout
    - Description: checkout of the shop
    - Source: registry
    - Pull secret: registry-example-net
    - API key needed: yes
    - Disabled: no
    - Logs: on, to checkout-logs, in region 76, kept 14 days
    - Created: 2026-09-02 08:15:00 UTC
    - Environment (3): env=•••• ⏎ LOG_LEVEL=•••• ⏎ DATABASE_URL=••••"
  `);
});

const first = async (words: string) => (await look(words)).split('\n').slice(0, 2).join(' | ');

test('/cloud container begins with the problem', async () => {
  expect(await first('feed-import --region 180')).toMatchInlineSnapshot(
    `"# Container feed-import (bad) | Error, 0 of 1 ready: Back-off restarting failed container: exit code 137 (out of memory)"`,
  );
  expect(await first('old-promo --region 180')).toMatchInlineSnapshot(
    `"# Container old-promo | Disabled, 0 of 0 ready"`,
  );
  expect(await first('thumbnails')).toMatchInlineSnapshot(
    `"# Container thumbnails (unsure) | Deploying, 0 of 3 ready: Waiting for 3 of 3 replicas"`,
  );
});

test('/cloud container shows what could be read of an answer, and names what could not', async () => {
  await stage.serve('getContainer', {
    name: '<!channel>',
    timeout: 0,
    status: 'Exploding',
    deploy_status: { ready: 'two', total: 3 },
    envs: { '<@U0ALICE>': 'hunter2', N: 7 },
    logging: { enabled: false },
    scale: { max: 3 },
    added_later: { by: 'the service' },
  });
  expect(await look('api')).toMatchInlineSnapshot(`
    "# Container api (unsure)
    Exploding, ? of 3 ready
    - Scale: ? to 3
    - Timeout: 0 s
    - Name: <!channel>
    - Logs: off
    - Environment (1): <@U0ALICE>=••••
    (Unreadable in the reply: deploy_status.ready: expected integer)
    (Unreadable in the reply: envs.N: expected string)"
  `);
});

test('a bad input gets a short answer and sends nothing', async () => {
  const said = await stage.refusals([
    '/cloud container',
    '/cloud container a/b',
    '/cloud container ..',
    '/cloud container .',
    '/cloud container %2e%2e',
    '/cloud container <!channel>',
    '/cloud container api --region 180000000000000000000',
    '/cloud container api --region 1.5',
    '/cloud container api --region -3',
    '/cloud container api --follow',
    '/cloud container api --reason why',
    '/cloud container api web',
    `/cloud container ${'x'.repeat(3_000)}`,
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/cloud container
      a form
    /cloud container a/b
      <name> can contain only letters, digits, “-”, “_” and “.”.
    /cloud container ..
      name can't have “.” or “..” as a segment. Nothing was sent.
    /cloud container .
      name can't have “.” or “..” as a segment. Nothing was sent.
    /cloud container %2e%2e
      <name> can contain only letters, digits, “-”, “_” and “.”.
    /cloud container <!channel>
      <name> can contain only letters, digits, “-”, “_” and “.”.
    /cloud container api --region 180000000000000000000
      --region is too large.
    /cloud container api --region 1.5
      --region must be a whole number, 0 or more.
    /cloud container api --region -3
      --region must be a whole number, 0 or more.
    /cloud container api --follow
      --follow was removed. Use Refresh under the answer.
    /cloud container api --reason why
      /cloud container is read-only. Remove --reason.
    /cloud container api web
      Unexpected argument “web”. Name one container. Usage: /cloud container <name> [--project <number>] [--region <number>].
    /cloud container xxxxxxxxx…
      Your command has 3,010 characters. The limit is 3,000. Shorten it."
  `);
  expect(await stage.sent()).toBe(0);
});

test('an unknown container is answered with the service’s text and the nearest name of the inventory', async () => {
  expect(await stage.refusal('/cloud container nowhere')).toMatchInlineSnapshot(
    `"Container nowhere could not be found. The service answered GET /cloud/v1/caas/1186668/76/containers/nowhere with 404 Not Found."`,
  );
  expect(await stage.refusal('/cloud container apii')).toMatch(
    /^The service has no container “apii”\. Did you mean “api”\?$/u,
  );
});
