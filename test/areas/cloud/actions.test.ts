import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { factLines, reportText } from '../../operations/report-text.ts';
import { openStage, setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const web1 = '/cloud/v1/instances/1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476';

async function told(on: ServiceStage, line: string): Promise<string> {
  const { preview, state, outcome } = await on.change(line);
  const end = outcome?.report ? reportText(outcome.report) : outcome?.error?.message;
  return [...factLines(preview), `${state}:`, end]
    .join('\n')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]+/gu, '<id>');
}

/** Long enough for every task. */
const settle = () => stage.clock.advance(60_000);

describe('an instance goes down and comes up again', () => {
  it.each([
    ['/cloud stop web-1', ['ACTIVE', 'powering-off']],
    ['/cloud start web-1 --reason "the migration is over"', ['SHUTOFF', 'powering-on']],
    ['/cloud suspend web-1', ['ACTIVE', 'suspending']],
    ['/cloud resume web-1', ['SUSPENDED', 'resuming']],
    ['/cloud reboot web-1 --hard', ['HARD_REBOOT', 'rebooting_hard']],
  ])('%s is accepted, as its card says', async (line, [status, task]) => {
    expect(await stage.change(line)).toMatchObject({ state: 'succeeded', decision: { effect: 'confirm' } });
    const { body } = await request(`${stage.service.url}${web1}`, {
      headers: { authorization: `apikey ${stage.service.apiKey}` },
    });
    expect(await body.json()).toMatchObject({ status, task_state: task });
    await settle();
  });

  it('says what will be sent, and the task that the service began', async () => {
    const all = [
      await told(stage, '/cloud suspend web-2'),
      await settle().then(() => told(stage, '/cloud resume web-2')),
      await settle().then(() => told(stage, '/cloud reboot web-2 --hard')),
      await settle().then(() => told(stage, '/cloud start web-2')),
    ];
    expect(all.join('\n\n')).toMatchInlineSnapshot(`
      "- Sends: POST /cloud/v2/instances/1186668/76/<id>/action {"action":"suspend"}
      - Effect: web-2 will be down, with its memory kept, until someone resumes it: /cloud resume web-2.
      succeeded:
      # Accepted: web-2 is being suspended (good)
      - Task: <id>

      - Sends: POST /cloud/v2/instances/1186668/76/<id>/action {"action":"resume"}
      - Effect: Resumes web-2.
      succeeded:
      # Accepted: web-2 is being resumed (good)
      - Task: <id>

      - Sends: POST /cloud/v2/instances/1186668/76/<id>/action {"action":"reboot_hard"}
      - Effect: web-2 will be power-cycled. Unsaved data is lost.
      succeeded:
      # Accepted: web-2 is being power-cycled (good)
      - Task: <id>

      - Sends: POST /cloud/v2/instances/1186668/76/<id>/action {"action":"start"}
      - Effect: Starts web-2.
      failed:
      Instance <id> cannot be started while it is ACTIVE. The service answered POST /cloud/v2/instances/1186668/76/<id>/action with 409 Conflict."
    `);
  });

  it('says on the card of a stop that start exists', async () => {
    await settle();
    expect(await told(stage, '/cloud stop 1186668/76/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10')).toContain(
      'will be down until someone starts it: /cloud start 1186668/76/<id>.',
    );
  });
});

describe('an answer to an action', () => {
  it.each([
    ['names no task', { body: { tasks: [] } }],
    ['is about another instance', { body: { count: 1, results: [{ id: 'another', status: 'ACTIVE' }] } }],
    ['says nothing', { body: {} }],
    ['is lost', { reset: true, after: true }],
  ])('that %s leaves it unknown, and it is sent once', async (_what, fault) => {
    const own = await openStage({ extensions: ['instance-actions'] });
    await own.control('PUT', 'faults/actOnInstance', { ...fault, times: 1 });
    expect(await own.change('/cloud suspend web-1')).toMatchObject({ state: 'unknown' });
    expect(await own.sent('actOnInstance')).toBe(1);
  });

  it.each([
    ['cloud.start', { vm_state: 'stopped', task_state: 'powering-on' }, 'is starting'],
    ['cloud.start', { vm_state: 'active' }, 'is running'],
    ['cloud.suspend', { vm_state: 'active', task_state: 'suspending' }, 'is being suspended'],
    ['cloud.suspend', { vm_state: 'suspended' }, 'is suspended'],
    ['cloud.resume', { vm_state: 'suspended', task_state: 'resuming' }, 'is being resumed'],
    ['cloud.reboot', { status: 'HARD_REBOOT', task_state: 'rebooting_hard' }, 'is rebooting'],
  ])('of %s, once lost, is seen in %j: %s', (name, now, seen) => {
    const { operation } = stage.entry(name);
    const target = operation.target({ instance: 'web-1' }, stage.rulebook.inventory);
    expect(operation.sighting?.({ vm_state: 'error' }, now, target)).toMatchObject({
      title: `web-1 ${seen}. That may be this request or someone else's change`,
    });
  });

  it.each([
    [
      { status: 'ACTIVE', vm_state: 'active' },
      /^web-1 is ACTIVE, as it was before, so this does not show whether it ran\. Its uptime does$/u,
    ],
    [{ status: 'SHUTOFF', vm_state: 'stopped' }, /^web-1 is still SHUTOFF, stopped$/u],
    [
      { status: 'REBOOT', vm_state: 'active', task_state: 'rebooting' },
      /^web-1 is still REBOOT, active, rebooting$/u,
    ],
  ])('of a reboot, once lost, over the same state %j reads %s', (state, title) => {
    const { operation } = stage.entry('cloud.reboot');
    const target = operation.target({ instance: 'web-1' }, stage.rulebook.inventory);
    expect(operation.sighting?.(state, state, target)?.title).toMatch(title);
  });
});

describe('without instance-actions', () => {
  it('is not available, and start says what to do instead', async () => {
    const own = await openStage({ extensions: ['instance-read'] });
    expect(
      await own.refusals([
        '/cloud restart web-1',
        '/cloud start web-1',
        '/cloud resume web-1',
        '/cloud reboot web-1 --hard',
      ]),
    ).toMatchInlineSnapshot(`
      "/cloud restart web-1
        Unknown command “/cloud restart”. Did you mean “/cloud reboot”?
      /cloud start web-1
        /cloud start is disabled. To use it, add instance-actions to “extensions” in bellhop.yaml. Or start the instance in the provider's console.
      /cloud resume web-1
        /cloud resume is disabled. To use it, add instance-actions to “extensions” in bellhop.yaml. Or resume the instance in the provider's console.
      /cloud reboot web-1 --hard
        /cloud reboot has no option “--hard”. Options: --project, --region, --reason, --break-glass, --each, --pause."
    `);
    expect(await told(own, '/cloud stop web-1')).toContain(
      "web-1 will be down. Bellhop can't start it again; use the provider's console.",
    );
    expect(reportText(await own.report('/cloud help'))).not.toMatch(/start|suspend|resume|hard/u);
    expect(own.entry('cloud.reboot').fields.map(({ name }) => name)).toEqual([
      'instance',
      'project',
      'region',
    ]);
    expect(await own.sent('actOnInstance')).toBe(0);
  });
});
