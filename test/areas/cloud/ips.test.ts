import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { pageReport } from '../../../src/slack/render/page-report.ts';
import { renderReport } from '../../../src/slack/render/report.ts';
import { answer, startFaultyServer } from '../../service/faulty-server.ts';
import { messageProblems } from '../../slack/within-limits.ts';
import { reportText } from '../../operations/report-text.ts';
import { openStage, setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.control('DELETE', 'requests'));

const look = async (words: string): Promise<string> => reportText(await stage.report(`/cloud ips ${words}`));
const headline = async (words: string) => (await stage.report(`/cloud ips ${words}`)).headline;

describe('cloud.ips', () => {
  test('lists the floating IPs', async () => {
    expect(await look('')).toMatchInlineSnapshot(`
      "# Floating IPs in Luxembourg-2 (76), project 1186668
      48 floating IPs, 17 unassigned
      48 floating IPs:
        | Address | Fixed IP | Status | Name | Tags
        | 198.51.100.1 | 10.0.0.1 | ACTIVE |  | 
        | 198.51.100.2 | 10.0.0.2 | ACTIVE |  | 
        | 198.51.100.3 | unassigned | DOWN |  | 
        | 198.51.100.4 | unassigned | DOWN |  | 
        | 198.51.100.5 | 10.0.0.5 | ACTIVE | front-5.shop.example.net. | env=production, pool=front
        … 48 rows
      [floating-ips.csv: 48 rows of id,floating_ip_address,fixed_ip_address,port_id,router_id,subnet_id,dns_domain,dns_name,status,project_id,region,region_id,creator_task_id,task_id,created_at,updated_at,tags]"
    `);
  });

  test('finds by address, name, tag, id and state', async () => {
    const all = await stage.report('/cloud ips');
    const id = String(all.csv?.rows[2]?.[0]);
    const asked = [
      '198.51.100.5',
      'FRONT-5',
      'env=production',
      id,
      '--status down',
      '--unassigned --status ACTIVE',
    ];
    const found = [];
    for (const words of asked) found.push(`${words === id ? 'id' : words}: ${await headline(words)}`);
    expect(found.join('\n')).toMatchInlineSnapshot(`
      "198.51.100.5: 1 of 48 floating IPs matches, 0 unassigned
      FRONT-5: 1 of 48 floating IPs matches, 0 unassigned
      env=production: 9 of 48 floating IPs match, 1 unassigned
      id: 1 of 48 floating IPs matches, 1 unassigned
      --status down: 17 of 48 floating IPs match, 17 unassigned
      --unassigned --status ACTIVE: None of 48 floating IPs match"
    `);
  });

  test('says which statuses there are if none has the one that was typed', async () => {
    const { notes } = await stage.report('/cloud ips --status actve');
    expect(notes).toEqual(['Statuses of all 48: ACTIVE, DOWN.']);
  });

  test('says that the service has more than it sent', async () => {
    const { headline: line, notes } = await stage.report('/cloud ips --region 180 --unassigned');
    expect([line, ...notes]).toMatchInlineSnapshot(`
      [
        "377 of 1,000 floating IPs match, 377 unassigned",
        "This list is incomplete: it has 1,000 of 1,204.",
      ]
    `);
  });

  test('says to check the region if there are none', async () => {
    expect(await look('--region 999')).toMatchInlineSnapshot(`
      "# Floating IPs in region 999, project 1186668
      None. Check the region: an unknown one also returns nothing."
    `);
  });

  test('shows what could be read of hostile records, and names what could not', async () => {
    await stage.serve('listFloatingIps', {
      count: 4,
      results: [
        {
          floating_ip_address: '<!channel>',
          fixed_ip_address: null,
          status: 'HAUNTED',
          tags: [{ key: '&' }],
        },
        { floating_ip_address: 7, tags: 'none' },
        'no record',
        {},
      ],
    });
    expect(await look('')).toMatchInlineSnapshot(`
      "# Floating IPs in Luxembourg-2 (76), project 1186668
      3 floating IPs, 3 unassigned
      3 floating IPs:
        | Address | Fixed IP | Status | Name | Tags
        | <!channel> | unassigned | HAUNTED |  | &=
        | ? | unassigned | ? |  | 
        | ? | unassigned | ? |  | 
      (This list is incomplete: it has 3 of 4.)
      (Unreadable in the reply: results[1].floating_ip_address: expected string)
      (Unreadable in the reply: results[1].tags: expected array)
      (Unreadable in the reply: results[2]: expected object)
      [floating-ips.csv: 3 rows of id,floating_ip_address,fixed_ip_address,port_id,router_id,subnet_id,dns_domain,dns_name,status,project_id,region,region_id,creator_task_id,task_id,created_at,updated_at,tags]"
    `);
  });

  test('a bad input gets a short answer and sends nothing', async () => {
    const said = await stage.refusals([
      '/cloud ips --region -1',
      '/cloud ips --region Luxembourg',
      '/cloud ips --project 1e99',
      '/cloud ips --unasigned',
      '/cloud ips --unassigned=perhaps',
      '/cloud ips one two',
      '/cloud ips --status',
      '/cloud ips ""',
      `/cloud ips --status ${'x'.repeat(3_000)}`,
      `/cloud ips ${'x'.repeat(3_000)}`,
    ]);
    expect(said).toMatchInlineSnapshot(`
      "/cloud ips --region -1
        --region must be a whole number, 0 or more.
      /cloud ips --region Luxembourg
        --region must be a whole number, 0 or more.
      /cloud ips --project 1e99
        --project is too large.
      /cloud ips --unasigned
        /cloud ips has no option “--unasigned”. Did you mean “--unassigned”?
      /cloud ips --unassigned=perhaps
        Use --unassigned without a value, or write --unassigned=true or --unassigned=false.
      /cloud ips one two
        Unexpected argument “two”. Put quotes around words that belong together. Usage: /cloud ips [search] [--status …] [--unassigned] [--all] [--project <number>] [--region <number>].
      /cloud ips --status
        --status needs a value.
      /cloud ips ""
        <search> is empty.
      /cloud ips --status xxxxxxxxx…
        Your command has 3,013 characters. The limit is 3,000. Shorten it.
      /cloud ips xxxxxxxxx…
        Your command has 3,004 characters. The limit is 3,000. Shorten it."
    `);
    expect(await stage.sent()).toBe(0);
  });
});

const record = (index: number) => ({
  id: `id-${index}`,
  floating_ip_address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  fixed_ip_address: index % 2 === 0 ? null : '10.0.0.1',
  status: index % 3 === 0 ? '<!here>' : 'ACTIVE',
  dns_name: `host-${'&'.repeat(index % 40)}`,
});

describe('10,000 floating IPs', () => {
  const body = { count: 10_000, results: Array.from({ length: 10_000 }, (_, index) => record(index)) };

  test.each([true, false])(
    'page within the limits of Slack, with none omitted (newer blocks: %s)',
    async (modern) => {
      await using server = await startFaultyServer(answer(200, JSON.stringify(body)));
      const report = await (await openStage({ serviceUrl: server.url })).report('/cloud ips');
      expect(report.headline).toBe('10,000 floating IPs, 5,000 unassigned');
      const pages = pageReport(report, modern);
      const rows = pages.flatMap(({ tables }) =>
        tables.flatMap(({ table, from, to }) => table.rows.slice(from, to)),
      );
      expect(rows).toEqual(report.tables[0]?.rows);
      expect(report.csv?.rows.length).toBe(10_000);
      const options = { words: '/cloud ips', shareable: true, modern, now: 0, disclaimers: [] };
      for (const page of [0, 1, Math.floor(pages.length / 2), pages.length - 1]) {
        const message = renderReport(report, { ...options, page });
        expect(messageProblems(message)).toEqual([]);
        expect(JSON.stringify(message)).toContain(`page ${page + 1} of ${pages.length}`);
      }
    },
  );
});
