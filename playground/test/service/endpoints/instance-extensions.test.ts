import { describe, expect, it } from 'vitest';
import { taskIds } from '../../../../src/areas/cloud/client/instance.ts';
import { heldFloatingIpList, instance, instanceList } from '../../../service/schemas/instance.ts';
import { seedInstances } from '../../../service/seed/instances.ts';
import { type Answer, openService, readOnlyKey, web1 } from '../open-service.ts';

const action = `${web1.replace('/v1/', '/v2/')}/action`;
const list = web1.slice(0, web1.lastIndexOf('/'));

const stateOf = ({ body }: Answer) => {
  const { status, vm_state, task_state } = instance.parse(body);
  return [status, vm_state, task_state];
};

const namesOf = ({ body }: Answer) => instanceList.parse(body).results.map(({ name }) => name);

const idle = ['ACTIVE', 'active', ''];

describe('the actions of an instance', () => {
  it.each([
    ['reboot', [], ['REBOOT', 'active', 'rebooting'], 4000, idle],
    ['reboot_hard', [], ['HARD_REBOOT', 'active', 'rebooting_hard'], 6000, idle],
    ['stop', [], ['ACTIVE', 'active', 'powering-off'], 3000, ['SHUTOFF', 'stopped', '']],
    ['start', ['stop'], ['SHUTOFF', 'stopped', 'powering-on'], 3000, idle],
    ['suspend', [], ['ACTIVE', 'active', 'suspending'], 3000, ['SUSPENDED', 'suspended', '']],
    ['resume', ['suspend'], ['SUSPENDED', 'suspended', 'resuming'], 3000, idle],
    ['reboot_hard', ['suspend'], ['HARD_REBOOT', 'suspended', 'rebooting_hard'], 6000, idle],
  ])('%s after %j: %j, settled after %d ms', async (name, before, during, milliseconds, after) => {
    const { call, pass } = await openService();
    for (const earlier of before) {
      await call('POST', action, { body: { action: earlier } });
      pass(10_000);
    }
    const { status, body } = await call('POST', action, { body: { action: name } });
    expect(status).toBe(200);
    const held = await call('GET', web1);
    expect(taskIds.parse(body).tasks).toEqual([instance.parse(held.body).task_id]);
    pass(milliseconds - 1);
    expect(stateOf(await call('GET', web1))).toEqual(during);
    pass(1);
    expect(stateOf(await call('GET', web1))).toEqual(after);
  });

  it.each([
    ['start', [], 'started while it is ACTIVE'],
    ['resume', [], 'resumed while it is ACTIVE'],
    ['stop', ['stop'], 'stopped while it is SHUTOFF'],
    ['reboot', ['stop'], 'rebooted while it is SHUTOFF'],
    ['suspend', ['stop'], 'suspended while it is SHUTOFF'],
    ['start', ['suspend'], 'started while it is SUSPENDED'],
  ])('%s after %j is a conflict', async (name, before, why) => {
    const { call, pass } = await openService();
    for (const earlier of before) {
      await call('POST', action, { body: { action: earlier } });
      pass(10_000);
    }
    const { status, body } = await call('POST', action, { body: { action: name } });
    expect([status, body]).toMatchObject([409, { exception_class: 'ConflictError' }]);
    expect(JSON.stringify(body)).toContain(why);
  });

  it.each(['start', 'reboot_hard', 'suspend', 'resume'])('%s waits for no other task', async (name) => {
    const { call } = await openService();
    await call('POST', action, { body: { action: 'suspend' } });
    const { status, body } = await call('POST', action, { body: { action: name } });
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('(suspend)');
  });

  it.each([
    ['an unknown action', { action: 'explode' }],
    ['no action', {}],
    ['another field', { action: 'start', force: true }],
  ])('%s: 400', async (_what, body) => {
    const { call } = await openService();
    expect(await call('POST', action, { body })).toMatchObject({ status: 400 });
  });

  it('are nothing for a read-only key', async () => {
    const { call } = await openService();
    const answer = await call('POST', action, { body: { action: 'stop' }, key: readOnlyKey });
    expect(answer.status).toBe(403);
  });

  it('are not there without the extension', async () => {
    const { call } = await openService({ extensions: ['instance-read', 'instance-list'] });
    expect(await call('POST', action, { body: { action: 'stop' } })).toMatchObject({ status: 404 });
    expect(stateOf(await call('GET', web1))).toEqual(idle);
  });
});

describe('the list of instances', () => {
  it('has the instances of a project and region, in their current state', async () => {
    const { call, pass } = await openService();
    await call('POST', `${web1}/stop`);
    pass(3000);
    const { body } = await call('GET', list);
    const { count, results } = instanceList.parse(body);
    expect(count).toBe(results.length);
    expect(results.map(({ region_id: region }) => region)).toEqual(results.map(() => 76));
    expect(results.find(({ name }) => name === 'web-1')?.status).toBe('SHUTOFF');
    expect(results.map(({ name }) => name)).toContain('edge-cache-1');
  });

  it('is in the requested order, and matches its other filters', async () => {
    const { call } = await openService();
    const byName = namesOf(await call('GET', `${list}?order_by=name.asc`));
    expect(byName).toEqual(byName.toSorted());
    expect(namesOf(await call('GET', `${list}?order_by=name.desc&limit=1`))).toEqual(byName.slice(-1));
    const created = instanceList.parse((await call('GET', `${list}?order_by=created.asc`)).body).results;
    const times = created.map(({ created_at: at }) => at);
    expect(times).toEqual(times.toSorted());
    const [one] = created;
    expect(namesOf(await call('GET', `${list}?uuid=${one?.id}`))).toEqual([one?.name]);
    const flavor = one?.flavor.flavor_id;
    expect(namesOf(await call('GET', `${list}?flavor_id=${flavor}&order_by=created.asc`))).toEqual(
      created.filter((each) => each.flavor.flavor_id === flavor).map(({ name }) => name),
    );
    expect(namesOf(await call('GET', `${list}?tag_value=none-has-it`))).toEqual([]);
    expect((await call('GET', `${list}?flavour=x`)).status).toBe(400);
  });

  it('holds floating IPs as whole instances', async () => {
    const { call } = await openService();
    const { body } = await call('GET', '/cloud/v1/floatingips/1186668/76?limit=48');
    const { results } = heldFloatingIpList.parse(body);
    const [held] = results.flatMap((ip) => ip.instance ?? []);
    expect((await call('GET', `${list}/${held?.id}`)).body).toEqual(held);
  });

  it('filters by part of a name, status and part of an address', async () => {
    const { call } = await openService();
    expect(namesOf(await call('GET', `${list}?name=WEB`))).toEqual(['web-1', 'web-2', 'web-3']);
    expect(namesOf(await call('GET', `${list}?status=SHUTOFF`))).toEqual(['batch-3']);
    const [address = ''] = [...seedInstances({ instances: {}, containers: {} }).values()]
      .filter(({ name }) => name === 'mail-relay')
      .map(({ fixed_ip_assignments: [first] }) => first?.ip_address ?? '');
    expect(namesOf(await call('GET', `${list}?ip=${address}`))).toContain('mail-relay');
  });

  it('pages, and counts all of them', async () => {
    const { call } = await openService();
    const all = namesOf(await call('GET', list));
    const { body } = await call('GET', `${list}?limit=2&offset=1`);
    expect(instanceList.parse(body)).toMatchObject({ count: all.length });
    expect(instanceList.parse(body).results.map(({ name }) => name)).toEqual(all.slice(1, 3));
    for (const query of ['limit=0', 'limit=1001', 'offset=-1'])
      expect(await call('GET', `${list}?${query}`)).toMatchObject({ status: 400 });
  });

  it('of an unknown project is empty', async () => {
    const { call } = await openService();
    expect(namesOf(await call('GET', list.replace('1186668', '1')))).toEqual([]);
  });

  it('is not there without the extension', async () => {
    const { call } = await openService({ extensions: ['instance-read'] });
    expect(await call('GET', list)).toMatchObject({ status: 404 });
  });
});
