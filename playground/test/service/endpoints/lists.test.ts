import { describe, expect, it } from 'vitest';
import { capacityList } from '../../../../src/areas/cdn/client/capacity.ts';
import { container } from '../../../../src/areas/cloud/client/container.ts';
import { floatingIpList } from '../../../../src/areas/cloud/client/floating-ip.ts';
import { instance } from '../../../service/schemas/instance.ts';
import { seedInstances } from '../../../service/seed/instances.ts';
import { openService, sharedService } from '../open-service.ts';

const ips = '/cloud/v1/availablefloatingips/1186668';

/** The paths of lists in a JSON value that have at least one item, like `volumes`. */
const filledLists = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value))
    return [...(value.length > 0 ? [path] : []), ...value.flatMap((item) => filledLists(item, path))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    filledLists(inner, path ? `${path}.${name}` : name),
  );
};

describe('the seeded instances', () => {
  it('are at least eight and fill every list of the interface somewhere', async () => {
    const { call } = await openService();
    const seeded = [...seedInstances({ instances: {}, containers: {} }).values()];
    expect(seeded.length).toBeGreaterThanOrEqual(8);
    const filled = new Set<string>();
    for (const { id, project_id: project, region_id: region } of seeded) {
      const { body } = await call('GET', `/cloud/v1/instances/${project}/${region}/${id}`);
      for (const list of filledLists(instance.parse(body))) filled.add(list);
    }
    const wanted = ['blackhole_ports', 'fixed_ip_assignments', 'security_groups', 'tags', 'volumes'];
    expect(wanted.filter((list) => !filled.has(list))).toEqual([]);
  });

  it('have alarms in states that the real service has', async () => {
    const seeded = [...seedInstances({ instances: {}, containers: {} }).values()];
    const alarms = seeded.flatMap(({ blackhole_ports: ports }) =>
      ports.map(({ AlarmState: state }) => state),
    );
    expect(new Set(alarms)).toEqual(new Set(['CLEAR']));
  });

  it('are described with the states that an alarm can have', () => {
    const alarm = instance.shape.blackhole_ports.element.shape.AlarmState;
    expect(
      ['ACK_REQ', 'ALARM_FAIL', 'CLEARING', 'ended'].map((state) => alarm.safeParse(state).success),
    ).toEqual([true, true, true, false]);
  });

  it('are listed together with those of the inventory, which keep their ids and labels', async () => {
    const inventory = {
      instances: {
        edge: { id: 'my-id', project: 7, region: 9, regionName: 'Mars', labels: { env: 'test' } },
      },
      containers: { box: { project: 7, region: 9 } },
    };
    const { call } = await openService({ inventory });
    const { body } = await call('GET', '/cloud/v1/instances/7/9/my-id');
    expect(body).toMatchObject({ name: 'edge', project_id: 7, region_id: 9, region: 'Mars' });
    expect(instance.parse(body).tags).toContainEqual({ key: 'env', value: 'test', read_only: false });
    expect((await call('GET', '/cloud/v1/caas/7/9/containers/box')).status).toBe(200);
    expect(floatingIpList.parse((await call('GET', '/cloud/v1/availablefloatingips/7/9')).body).count).toBe(
      12,
    );
  });
});

describe('a container', () => {
  it.each(['api', 'checkout', 'thumbnails'])('%s answers every field', async (name) => {
    const { call } = await openService();
    const { status, body } = await call('GET', `/cloud/v1/caas/1186668/76/containers/${name}`);
    expect(status).toBe(200);
    expect(container.parse(body)).toMatchObject({ name });
  });

  it('that deploys gets ready step by step, then runs', async () => {
    const { call, pass } = await openService();
    const seen = [];
    for (let step = 0; step <= 3; step += 1) {
      const { body } = await call('GET', '/cloud/v1/caas/1186668/76/containers/thumbnails');
      const { status, deploy_status: deploy } = container.parse(body);
      seen.push(`${status} ${deploy.ready}/${deploy.total}`);
      pass(20_000);
    }
    expect(seen).toEqual(['Deploying 0/3', 'Deploying 1/3', 'Deploying 2/3', 'RUNNING 3/3']);
  });

  it.each([
    ['an unknown name', '1186668/76/containers/unknown'],
    ['another region', '1186668/180/containers/api'],
    ['another project', '1/76/containers/api'],
  ])('%s: 404', async (_what, path) => {
    const { call } = await openService();
    const { status, body } = await call('GET', `/cloud/v1/caas/${path}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ exception_class: 'NotFoundError' });
  });
});

describe('floating IPs', () => {
  const { call } = sharedService();
  const read = async (query: string) => floatingIpList.parse((await call('GET', `${ips}/180${query}`)).body);

  it('lists all, some unassigned, with the offset timestamps of the interface', async () => {
    const { count, results } = floatingIpList.parse((await call('GET', `${ips}/76`)).body);
    expect([count, results.length]).toEqual([48, 48]);
    const free = results.filter((ip) => ip.fixed_ip_address === '');
    expect(free.length).toBeGreaterThan(0);
    expect(free.length).toBeLessThan(48);
    expect(free.every((ip) => ip.port_id === '' && ip.router_id === '')).toBe(true);
    expect(results.some((ip) => ip.subnet_id === null)).toBe(true);
    expect(results.some((ip) => ip.tags.length > 0)).toBe(true);
    expect(results.every((ip) => ip.created_at <= ip.updated_at && ip.created_at.endsWith('+0000'))).toBe(
      true,
    );
    expect(new Set(results.map((ip) => ip.floating_ip_address)).size).toBe(48);
  });

  it('counts all of them whatever the page holds, 1000 at most', async () => {
    const first = await read('');
    const rest = await read('?offset=1000');
    const two = await read('?limit=2&offset=999');
    expect([first.count, first.results.length]).toEqual([1204, 1000]);
    expect([rest.count, rest.results.length]).toEqual([1204, 204]);
    expect(two.results.map(({ id }) => id)).toEqual([first.results[999]?.id, rest.results[0]?.id]);
    expect((await read('?offset=5000')).results).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'limit=-1', 'limit=x', 'limit=', 'limit=1.5', 'offset=-1', 'offset=x'])(
    '%s: 400 that names it',
    async (query) => {
      const { status, body } = await call('GET', `${ips}/76?${query}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(`${query.split('=')[0]}: expected an integer`);
    },
  );

  it('an unknown region or project: an empty list', async () => {
    for (const path of [
      '/cloud/v1/availablefloatingips/1186668/999',
      '/cloud/v1/availablefloatingips/1/76',
    ]) {
      expect((await call('GET', path)).body).toEqual({ count: 0, results: [] });
    }
  });
});

describe('capacity', () => {
  const { call } = sharedService();

  it('lists about forty countries once each, some with fractions', async () => {
    const entries = capacityList.parse((await call('GET', '/cdn/advanced/v1/capacity')).body);
    expect(entries.length).toBeGreaterThanOrEqual(40);
    expect(new Set(entries.map((entry) => entry.country_code)).size).toBe(entries.length);
    expect(entries.every((entry) => /^[A-Z]{2}$/.test(entry.country_code) && entry.capacity > 0)).toBe(true);
    expect(entries.some((entry) => !Number.isInteger(entry.capacity))).toBe(true);
  });
});
