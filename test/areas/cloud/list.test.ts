import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { defaultInventory } from '../../../playground/service/state/inventory.ts';
import { reportText } from '../../operations/report-text.ts';
import { openStage, setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const listed = async (line: string) =>
  reportText(await stage.report(line)).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]+/gu, '<id>');

describe('cloud.list', () => {
  it('lists the instances, with their inventory data', async () => {
    expect(await listed('/cloud list')).toMatchInlineSnapshot(`
      "# Instances in Luxembourg-2 (76), project 1186668
      6 ACTIVE, 1 SHUTOFF; 4 not in bellhop.yaml
      7 instances:
        | Name | State | Address | Labels | Use as
        | batch-3 | SHUTOFF | 203.0.113.77, 10.0.4.62 | env=staging, tier=batch, os_distro=ubuntu-24.04 | 1186668/76/<id>
        | ci-runner-7 | ACTIVE | 203.0.113.58, 10.0.2.247 | env=staging, tier=ci, os_distro=ubuntu-24.04 | 1186668/76/<id>
        | edge-cache-1 | ACTIVE | 203.0.113.105, 10.0.1.179 | env=production, tier=web, os_distro=ubuntu-24.04 | 1186668/76/<id>
        | mail-relay | ACTIVE | 203.0.113.124, 10.0.7.127 | env=production, tier=mail, os_distro=ubuntu-24.04 | 1186668/76/<id>
        | web-1 | ACTIVE | 203.0.113.122, 10.0.2.235 | env=staging, tier=web | web-1
        … 7 rows
      (Instances not in bellhop.yaml show the provider's tags; rules ignore those.)
      [instances.csv: 7 rows of typed,name,id,status,vm_state,task_state,addresses,labels,created_at]"
    `);
  });

  it('searches names, ids and addresses, and filters by status and label', async () => {
    const said = [];
    for (const words of [
      'WEB',
      '6c6aa80f',
      '--status shutoff',
      '--label env=staging --label tier=web',
      'web --region 180',
    ])
      said.push(`/cloud list ${words}`, await listed(`/cloud list ${words}`));
    expect(said.join('\n')).toMatchInlineSnapshot(`
      "/cloud list WEB
      # Instances in Luxembourg-2 (76), project 1186668
      3 ACTIVE
      3 instances:
        | Name | State | Address | Labels | Use as
        | web-1 | ACTIVE | 203.0.113.122, 10.0.2.235 | env=staging, tier=web | web-1
        | web-2 | ACTIVE | 203.0.113.207, 10.0.4.150 | env=staging, tier=web | web-2
        | web-3 | ACTIVE | 203.0.113.63, 10.0.1.192 | env=staging, tier=web | web-3
      [instances.csv: 3 rows of typed,name,id,status,vm_state,task_state,addresses,labels,created_at]
      /cloud list 6c6aa80f
      # Instances in Luxembourg-2 (76), project 1186668
      1 ACTIVE
      1 instance:
        | Name | State | Address | Labels | Use as
        | web-1 | ACTIVE | 203.0.113.122, 10.0.2.235 | env=staging, tier=web | web-1
      [instances.csv: 1 rows of typed,name,id,status,vm_state,task_state,addresses,labels,created_at]
      /cloud list --status shutoff
      # Instances in Luxembourg-2 (76), project 1186668
      1 SHUTOFF; 1 not in bellhop.yaml
      1 instance:
        | Name | State | Address | Labels | Use as
        | batch-3 | SHUTOFF | 203.0.113.77, 10.0.4.62 | env=staging, tier=batch, os_distro=ubuntu-24.04 | 1186668/76/<id>
      (Instances not in bellhop.yaml show the provider's tags; rules ignore those.)
      [instances.csv: 1 rows of typed,name,id,status,vm_state,task_state,addresses,labels,created_at]
      /cloud list --label env=staging --label tier=web
      # Instances in Luxembourg-2 (76), project 1186668
      3 ACTIVE
      3 instances:
        | Name | State | Address | Labels | Use as
        | web-1 | ACTIVE | 203.0.113.122, 10.0.2.235 | env=staging, tier=web | web-1
        | web-2 | ACTIVE | 203.0.113.207, 10.0.4.150 | env=staging, tier=web | web-2
        | web-3 | ACTIVE | 203.0.113.63, 10.0.1.192 | env=staging, tier=web | web-3
      [instances.csv: 3 rows of typed,name,id,status,vm_state,task_state,addresses,labels,created_at]
      /cloud list web --region 180
      # Instances in Frankfurt-2 (180), project 1186668
      None of 6 match
      (All 6: 5 ACTIVE, 1 ERROR.)"
    `);
  });

  it('says which statuses there are if none fits, and to check a region where nothing is', async () => {
    expect(await listed('/cloud list --status BROKEN')).toMatchInlineSnapshot(`
      "# Instances in Luxembourg-2 (76), project 1186668
      None of 7 match
      (All 7: 6 ACTIVE, 1 SHUTOFF.)"
    `);
    expect(await listed('/cloud list --region 7')).toContain('None. Check project and region: unknown');
  });

  it('rejects an unknown filter, and sends nothing', async () => {
    await stage.sent();
    const lines = ['--label env', '--label =', `--status ${'x'.repeat(41)}`, '--region x', 'a b', '--page 2'];
    expect(await stage.refusals(lines.map((words) => `/cloud list ${words}`))).toMatchInlineSnapshot(`
      "/cloud list --label env
        --label takes a label and its value, such as env=production.
      /cloud list --label =
        --label takes a label and its value, such as env=production.
      /cloud list --status xxx…
        --status is too long: a status has at most 40 characters.
      /cloud list --region x
        --region must be a whole number, 0 or more.
      /cloud list a b
        Unexpected argument “b”. Put quotes around words that belong together. Usage: /cloud list [search] [--status …] [--label …] [--project <number>] [--region <number>].
      /cloud list --page 2
        /cloud list has no option “--page”. Options: --status, --label, --project, --region."
    `);
    expect(await stage.sent()).toBe(0);
  });

  it('reads what the service answers page by page, and names what it cannot read', async () => {
    await stage.serve('listInstances', {
      count: 20_000,
      results: [{ id: 'a', name: '<!channel>', status: 'GLOWING', fixed_ip_assignments: [{}] }, { name: 7 }],
    });
    const said = await listed('/cloud list');
    expect(said).toContain('<!channel> | GLOWING');
    expect(said).toContain('(Unreadable in the reply: results[1].name: expected string)');
    expect(said).toContain('This list is incomplete: it has 7 of 20,000.');
    expect(await stage.sent('listInstances')).toBe(7);
  });

  it('lists ten thousand', async () => {
    const instances = Array.from({ length: 10_000 }, (_, index) => {
      const id = `10000000-0000-4000-a000-${String(index).padStart(12, '0')}`;
      return [`node-${index}`, { id, project: 5, region: 9, labels: { env: 'staging' } }] as const;
    });
    const own = await openStage({
      existing: { ...defaultInventory, instances: Object.fromEntries(instances) },
    });
    const all = await own.report('/cloud list --project 5 --region 9');
    expect(all.headline).toBe('10,000 ACTIVE; 10,000 not in bellhop.yaml');
    expect(all.csv?.rows).toHaveLength(10_000);
    const some = await own.report('/cloud list node-77 --project 5 --region 9 --label env=staging');
    expect(some.tables[0]?.rows).toHaveLength(111);
    expect(await own.sent('listInstances')).toBe(20);
  });
});
