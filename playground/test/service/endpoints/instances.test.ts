import { describe, expect, it } from 'vitest';
import { instanceRead } from '../../../../src/areas/cloud/client/instance.ts';
import { ddosProfile } from '../../../service/schemas/ddos-profile.ts';
import { instance, instanceList } from '../../../service/schemas/instance.ts';
import { seedInstances } from '../../../service/seed/instances.ts';
import { type Answer, openService, readOnlyKey, web1 } from '../open-service.ts';

const stateOf = ({ body }: Answer) => {
  const one = instance.safeParse(body).data ?? instanceList.parse(body).results[0];
  return [one?.status, one?.vm_state, one?.task_state, one?.task_id === null ? 'no task' : 'a task'];
};

describe('the DDoS profile of an instance', () => {
  const profiles = [...seedInstances({ instances: {}, containers: {} }).values()].map(
    ({ ddos_profile: profile }) => profile,
  );

  it.each(profiles)('fits the interface: $id, $site', (profile) => {
    expect(ddosProfile.parse(profile)).toEqual(profile);
  });

  it('has an item in every list of one, and is empty for an instance without protection', () => {
    const lists = profiles.map(({ protocols, fields, profile_template: template }) =>
      [protocols, protocols[0]?.protocols, fields, fields[0]?.field_value, template.fields].map(
        (list) => (list ?? []).length > 0,
      ),
    );
    expect(lists).toContainEqual([true, true, true, true, true]);
    expect(lists).toContainEqual([false, false, false, false, false]);
  });

  it('is read with null, missing and unknown fields, and of any type where the interface has none', () => {
    const profile = {
      id: 7,
      site: null,
      options: { active: true, tier: 2 },
      fields: [
        { id: 1, default: { min: 5 }, field_type: 'list', field_value: [80, 443], value: [80] },
        { id: 2 },
      ],
      profile_template: { id: 12, fields: null },
      protocols: null,
    };
    const { value, problems } = instanceRead.read({ id: 'i-1', ddos_profile: profile });
    expect([value.ddos_profile, problems]).toEqual([profile, []]);
  });
});

const idle = ['ACTIVE', 'active', '', 'no task'];
const stopped = ['SHUTOFF', 'stopped', '', 'no task'];

const pathOfSeeded = (status: string): string => {
  const all = [...seedInstances({ instances: {}, containers: {} }).values()];
  const found = all.find((each) => each.status === status);
  return `/cloud/v1/instances/${found?.project_id}/${found?.region_id}/${found?.id}`;
};

describe('the life of an instance', () => {
  it('is idle at first', async () => {
    const { call } = await openService();
    expect(stateOf(await call('GET', web1))).toEqual(idle);
  });

  it('reboots, is held by a task, and is active again after a few seconds', async () => {
    const { call, pass } = await openService();
    const answer = await call('POST', `${web1}/reboot`);
    expect(answer.status).toBe(200);
    expect(instanceList.parse(answer.body).count).toBe(1);
    expect(stateOf(answer)).toEqual(['REBOOT', 'active', 'rebooting', 'a task']);
    pass(3999);
    expect(stateOf(await call('GET', web1))).toEqual(['REBOOT', 'active', 'rebooting', 'a task']);
    pass(1);
    expect(stateOf(await call('GET', web1))).toEqual(idle);
  });

  it('stops, is held by a task, and is shut off after a few seconds', async () => {
    const { call, pass } = await openService();
    expect(stateOf(await call('POST', `${web1}/stop`))).toEqual([
      'ACTIVE',
      'active',
      'powering-off',
      'a task',
    ]);
    pass(2999);
    expect(stateOf(await call('GET', web1))).toEqual(['ACTIVE', 'active', 'powering-off', 'a task']);
    pass(1);
    expect(stateOf(await call('GET', web1))).toEqual(stopped);
  });

  it('keeps one task id from the answer until it settles, and takes another the next time', async () => {
    const { call, pass } = await openService();
    const taskId = async (method: string, path: string) => {
      const { body } = await call(method, path);
      return (instance.safeParse(body).data ?? instanceList.parse(body).results[0])?.task_id;
    };
    const first = await taskId('POST', `${web1}/reboot`);
    expect(await taskId('GET', web1)).toBe(first);
    pass(4000);
    expect(await taskId('POST', `${web1}/reboot`)).not.toBe(first);
  });

  it('stays as it is when it is stopped again', async () => {
    const { call, pass } = await openService();
    await call('POST', `${web1}/stop`);
    pass(3000);
    const again = await call('POST', `${web1}/stop`);
    expect(again.status).toBe(200);
    expect(stateOf(again)).toEqual(stopped);
  });

  it('cannot be rebooted when it is shut off', async () => {
    const { call } = await openService();
    const { status, body } = await call('POST', `${pathOfSeeded('SHUTOFF')}/reboot`);
    expect(status).toBe(409);
    expect(body).toMatchObject({ exception_class: 'ConflictError' });
    expect(JSON.stringify(body)).toContain('while it is SHUTOFF');
  });

  it.each([
    ['reboot', 'reboot'],
    ['reboot', 'stop'],
    ['stop', 'reboot'],
    ['stop', 'stop'],
  ])('held by a %s, refuses a %s', async (first, second) => {
    const { call } = await openService();
    await call('POST', `${web1}/${first}`);
    const { status, body } = await call('POST', `${web1}/${second}`);
    expect(status).toBe(409);
    expect(body).toMatchObject({ exception_class: 'ConflictError' });
    expect(JSON.stringify(body)).toContain(`(${first})`);
  });

  it.each(['reboot', 'stop'])("in error, can't be polled to %s", async (change) => {
    const { call } = await openService();
    const { status, body } = await call('POST', `${pathOfSeeded('ERROR')}/${change}`);
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('while it is ERROR');
  });

  it('passes at the speed of the clock', async () => {
    let time = 0;
    const { call } = await openService({ now: () => time, clockSpeed: 10 });
    await call('POST', `${web1}/reboot`);
    time += 399;
    expect(stateOf(await call('GET', web1))[0]).toBe('REBOOT');
    time += 1;
    expect(stateOf(await call('GET', web1))).toEqual(idle);
  });
});

describe('an instance that is not there', () => {
  const paths = [
    ['an unknown id', '/cloud/v1/instances/1186668/76/unknown'],
    ['a known id in another region', web1.replace('/76/', '/180/')],
    ['a known id in another project', web1.replace('1186668', '1')],
    ['an id with an encoded slash', web1.replace('6c6aa80f', 'a%2Fb')],
  ] as const;
  const calls = [
    ['GET', ''],
    ['POST', '/reboot'],
    ['POST', '/stop'],
  ] as const;

  it.each(paths.flatMap(([what, path]) => calls.map(([method, end]) => [what, method, end, path] as const)))(
    '%s, %s %s: 404 that names it',
    async (_what, method, end, path) => {
      const { call } = await openService();
      const { status, body } = await call(method, `${path}${end}`);
      const id = decodeURIComponent(path.split('/').at(-1) ?? '');
      expect(status).toBe(404);
      expect(body).toMatchObject({
        exception_class: 'NotFoundError',
        message: `Instance ${id} could not be found`,
      });
    },
  );

  it.each(['x', '-1', '1.5', '1e3'])('project %s is not an integer: 400', async (project) => {
    const { call } = await openService();
    const { status, body } = await call('POST', `${web1.replace('1186668', project)}/reboot`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      exception_class: 'ValidationError',
      message: 'project_id: expected an integer',
    });
  });
});

describe('a read-only key', () => {
  it('reads an instance and changes nothing', async () => {
    const { call } = await openService();
    for (const change of ['reboot', 'stop']) {
      const { status, body } = await call('POST', `${web1}/${change}`, { key: readOnlyKey });
      expect(status).toBe(403);
      expect(body).toMatchObject({ exception_class: 'ForbiddenError' });
    }
    expect(stateOf(await call('GET', web1, { key: readOnlyKey }))).toEqual(idle);
  });
});
