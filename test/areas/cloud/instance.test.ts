import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { handleClick } from '../../../src/request/click.ts';
import { statusText } from '../../../src/areas/cloud/parts.ts';
import { until } from '../../until.ts';
import { factLines, reportText } from '../../operations/report-text.ts';
import { setStage, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.clock.advance(60_000);
  await stage.control('DELETE', 'requests');
  await stage.control('DELETE', 'faults');
});

async function told(line: string): Promise<string> {
  const { preview, state, outcome } = await stage.change(line);
  const end = outcome?.report ? reportText(outcome.report) : outcome?.error?.message;
  return [...factLines(preview), `${state}:`, end]
    .join('\n')
    .replaceAll(/Task: [0-9a-f-]{36}/gu, 'Task: <uuid>');
}

describe('cloud.reboot', () => {
  test('sends what the card says, and says what the service answered', async () => {
    expect(await told('/cloud reboot web-1 --reason "stuck"')).toMatchInlineSnapshot(`
      "- Sends: POST /cloud/v1/instances/1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476/reboot
      - Effect: web-1 will be down while it reboots.
      succeeded:
      # Accepted: web-1 is rebooting (good)
      - Status: REBOOT
      - VM state: active
      - Task state: rebooting
      - Task: <uuid>"
    `);
    expect(await stage.sent('rebootInstance')).toBe(1);
  });

  test('takes project/region/id, and project and region in place of the defaults', async () => {
    const id = '0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11';
    const answers = [
      await stage.ask(`/cloud reboot 1186668/180/${id}`),
      await stage.ask('/cloud reboot db-1 --region 180 --project 1186668'),
    ];
    const targets = answers.map((answer) => answer.kind === 'request' && answer.request.target);
    expect(targets[0]).toMatchObject({ name: 'db-1', project: 1186668, region: 180, id });
    expect(targets[1]).toEqual(targets[0]);
  });

  test('of a stopped instance is refused by the service in its words', async () => {
    await stage.change('/cloud stop web-2');
    await stage.clock.advance(60_000);
    expect(await told('/cloud reboot web-2')).toMatchInlineSnapshot(`
      "- Sends: POST /cloud/v1/instances/1186668/76/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10/reboot
      - Effect: web-2 will be down while it reboots.
      failed:
      Instance 2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10 cannot be rebooted while it is SHUTOFF. The service answered POST /cloud/v1/instances/1186668/76/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10/reboot with 409 Conflict."
    `);
  });

  test('reads whatever the service answers, and names what it cannot', async () => {
    const bodies = [
      { tasks: ['task-1', 'task-2'] },
      { id: '6c6aa80f-7836-4dc2-a2ae-125e248be476', status: 'REBOOT', task_id: 'task-1' },
      { count: 1, results: [{ status: '<!channel>', vm_state: 'glowing', task_state: null }] },
      { count: 1, results: [{ name: 7, status: 'ACTIVE' }] },
    ];
    const said = [];
    for (const body of bodies) {
      await stage.serve('rebootInstance', body);
      said.push((await told('/cloud reboot web-1')).split('\n').slice(3).join('\n'));
      await stage.clock.advance(60_000);
    }
    expect(said.join('\n')).toMatchInlineSnapshot(`
      "# Accepted: web-1 is rebooting (good)
      - Task: task-1, task-2
      # Accepted: web-1 is rebooting (good)
      - Status: REBOOT
      - VM state: not given
      - Task state: idle
      - Task: task-1
      # Accepted: web-1 is rebooting (good)
      - Status: <!channel>
      - VM state: glowing
      - Task state: idle
      # Accepted: web-1 is rebooting (good)
      - Status: ACTIVE
      - VM state: not given
      - Task state: idle
      (Unreadable in the reply: results[0].name: expected string)"
    `);
  });
});

/** Confirms it, and does not wait for the end. @returns its id */
const confirmed = async (line: string): Promise<string> => {
  const answer = await stage.ask(line);
  if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
  const { id, place } = answer.request;
  await handleClick(stage.context, {
    requestId: id,
    action: 'confirm',
    actor: alice,
    place,
    correlationId: id,
  });
  return id;
};
/** The title of the state in which the instance was last found for this request. */
const seen = async (id: string) => (await stage.store.find(id))?.outcome?.sighting?.title;

describe('a reboot whose outcome got lost', () => {
  test('takes no reboot of another request for its own', async () => {
    await stage.serve('rebootInstance', {}, 502);
    const lost = await confirmed('/cloud reboot web-1');
    await until(async () => (await seen(lost))?.startsWith('web-1 is ACTIVE, as'));
    await stage.clock.advance(1);
    const other = await confirmed('/cloud reboot web-1');
    await until(async () => (await stage.store.find(other))?.state === 'succeeded');
    await stage.clock.advance(2000);
    const checked = async () => (await stage.store.find(lost))?.outcome?.look?.title;
    await until(async () => (await checked())?.includes(`U0ALICE's later change of web-1 (${other}, `));
    expect(await seen(lost)).toMatch(/^web-1 is ACTIVE, as/u);
    expect((await stage.store.find(lost))?.state).toBe('unknown');
    expect(await stage.sent('rebootInstance')).toBe(2);
  });
});

describe('an instance that the service answers to be in error', () => {
  test.each(['reboot', 'stop'])('is said to be by a %s that the service took', async (verb) => {
    await stage.serve(verb === 'reboot' ? 'rebootInstance' : 'stopInstance', {
      count: 1,
      results: [{ status: 'ERROR', vm_state: 'error', task_state: '' }],
    });
    const { state, outcome } = await stage.change(`/cloud ${verb} web-1`);
    expect(state).toBe('succeeded');
    expect(outcome?.report).toMatchObject({
      title: 'Accepted, but web-1 is in ERROR. Check it.',
      tone: 'bad',
    });
  });
});

test.each([
  ['SHELVED_OFFLOADED', 'SHELVED_OFFLOADED (shelved, off its host)'],
  ['PASSWORD', 'PASSWORD (password being changed)'],
  ['REVERT_RESIZE', 'REVERT_RESIZE (resize being undone)'],
  ['SOFT_DELETED', 'SOFT_DELETED (deleted, can be restored)'],
  ['shelved_offloaded', 'shelved_offloaded (off its host)'],
  ['soft-deleted', 'soft-deleted (can be restored)'],
  ['ACTIVE', 'ACTIVE'],
  ['NEW_TO_US', 'NEW_TO_US'],
  ['constructor', 'constructor'],
])('the status %s reads “%s”', (status, words) => {
  expect(statusText(status)).toBe(words);
});

describe('cloud.stop', () => {
  test('sends what the card says, and says what the service answered', async () => {
    expect(await told('/cloud stop web-1')).toMatchInlineSnapshot(`
      "- Sends: POST /cloud/v1/instances/1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476/stop
      - Effect: web-1 will be down until someone starts it: /cloud start web-1.
      succeeded:
      # Accepted: web-1 is stopping (good)
      - Status: ACTIVE
      - VM state: active
      - Task state: powering-off
      - Task: <uuid>"
    `);
  });

  test('of an instance that has stopped says so', async () => {
    expect(await told('/cloud stop web-1')).toMatchInlineSnapshot(`
      "- Sends: POST /cloud/v1/instances/1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476/stop
      - Effect: web-1 will be down until someone starts it: /cloud start web-1.
      succeeded:
      # web-1 was already stopped (good)
      - Status: SHUTOFF (stopped)
      - VM state: stopped
      - Task state: idle"
    `);
  });
});

const bad = [
  'nothing-here',
  'wbe-1',
  '1186668/76/../../projects',
  '1186668/76/..',
  '1186668/76/a/b',
  '1186668/76/a%2Fb',
  '1186668/x/a',
  '-1/76/a',
  '99999999999999999999/76/a',
  'web-1 web-2',
  'web-1 --region -1',
  'web-1 --region 7.5',
  'web-1 --project x',
  'web-1 --force',
  '<!channel>',
  `web-1 --reason "${'x'.repeat(501)}"`,
  'x'.repeat(201),
];

test('a bad input to either gets the same short answer and sends nothing', async () => {
  const said = await stage.refusals(bad.map((words) => `/cloud reboot ${words}`));
  expect(said).toMatchInlineSnapshot(`
    "/cloud reboot nothing-here
      bellhop.yaml lists no instance “nothing-here”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot wbe-1
      bellhop.yaml lists no instance “wbe-1”. Did you mean “web-1”?
    /cloud reboot 1186668/76/../../projects
      bellhop.yaml lists no instance “1186668/76/../../projects”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot 1186668/76/..
      bellhop.yaml lists no instance “1186668/76/..”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot 1186668/76/a/b
      bellhop.yaml lists no instance “1186668/76/a/b”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot 1186668/76/a%2Fb
      bellhop.yaml lists no instance “1186668/76/a%2Fb”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot 1186668/x/a
      bellhop.yaml lists no instance “1186668/x/a”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot -1/76/a
      /cloud reboot has no option “-1/76/a”. Options: --project, --region, --hard, --reason, --break-glass, --each, --pause.
    /cloud reboot 99999999999999999999/76/a
      bellhop.yaml lists no instance “99999999999999999999/76/a”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot web-1 web-2
      Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.
    /cloud reboot web-1 --region -1
      --region must be a whole number, 0 or more.
    /cloud reboot web-1 --region 7.5
      --region must be a whole number, 0 or more.
    /cloud reboot web-1 --project x
      --project must be a whole number, 0 or more.
    /cloud reboot web-1 --force
      /cloud reboot has no option “--force”. Options: --project, --region, --hard, --reason, --break-glass, --each, --pause.
    /cloud reboot <!channel>
      bellhop.yaml lists no instance “<!channel>”. Use a name from bellhop.yaml, or project/region/id.
    /cloud reboot web-1 --reason "xxxxxxxxx…"
      The reason is longer than 500 characters. Shorten it.
    /cloud reboot xxxxxxxxx…
      <instance> is too long: a name or project/region/id has at most 200 characters."
  `);
  expect(await stage.sent('rebootInstance')).toBe(0);
  const stopped = await stage.refusals(bad.map((words) => `/cloud stop ${words}`));
  expect(stopped.replaceAll(/(\/cloud|To) stop/gu, '$1 reboot')).toBe(
    said.replaceAll(/ \[?--hard[\],]/gu, ''),
  );
  expect(await stage.sent('stopInstance')).toBe(0);
});
