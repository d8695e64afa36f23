import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { answer, startFaultyServer } from '../../service/faulty-server.ts';
import { reportText } from '../../operations/report-text.ts';
import { openStage, setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const look = async (words: string): Promise<string> => reportText(await stage.report(`/cloud ${words}`));
const title = async (words: string) => (await stage.report(`/cloud whois ${words}`)).title;

const idOfWeb1 = '6C6AA80F78364DC2A2AE125E248BE476';
const held = (address: string, more: object = {}) => ({
  id: `ip of ${address}`,
  floating_ip_address: address,
  instance: { id: idOfWeb1, name: 'shop' },
  ...more,
});
const serve = (...results: object[]) =>
  stage.serve('listHeldFloatingIps', { count: results.length, results });

describe('cloud.ips --all', () => {
  test('says what each is assigned to', async () => {
    expect(await look('ips --all')).toMatchInlineSnapshot(`
      "# Floating IPs in Luxembourg-2 (76), project 1186668
      48 floating IPs, 17 unassigned
      48 floating IPs:
        | Address | Fixed IP | Assigned to | Status | Name | Tags
        | 198.51.100.1 | 10.0.0.1 | edge-cache-1 | ACTIVE |  | 
        | 198.51.100.2 | 10.0.0.2 | mail-relay | ACTIVE |  | 
        | 198.51.100.3 | unassigned |  | DOWN |  | 
        | 198.51.100.4 | unassigned |  | DOWN |  | 
        | 198.51.100.5 | 10.0.0.5 | web-1 | ACTIVE | front-5.shop.example.net. | env=production, pool=front
        … 48 rows
      [floating-ips.csv: 48 rows of id,floating_ip_address,fixed_ip_address,port_id,router_id,subnet_id,dns_domain,dns_name,status,project_id,region,region_id,creator_task_id,task_id,created_at,updated_at,tags,held_by]"
    `);
  });

  test('finds by the name of the inventory, and by that of a load balancer', async () => {
    const heads = [];
    for (const words of ['web-1 --all', 'balancer --all', '--all --unassigned', 'balancer'])
      heads.push((await stage.report(`/cloud ips ${words}`)).headline);
    expect(heads).toMatchInlineSnapshot(`
      [
        "3 of 48 floating IPs match, 0 unassigned",
        "10 of 48 floating IPs match, 0 unassigned",
        "17 of 48 floating IPs match, 17 unassigned",
        "None of 48 floating IPs match",
      ]
    `);
  });

  test('reads all pages of 10,000', async () => {
    const all = Array.from({ length: 10_000 }, (_, index) => held(`10.1.${index >> 8}.${index & 255}`));
    await using server = await startFaultyServer((response, request) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const from = Number(searchParams.get('offset'));
      const results = all.slice(from, from + Number(searchParams.get('limit')));
      answer(200, JSON.stringify({ count: all.length, results }))(response, request);
    });
    const big = await openStage({ serviceUrl: server.url });
    const report = await big.report('/cloud ips --all');
    expect(report.headline).toBe('10,000 floating IPs, 10,000 unassigned');
    expect(report.csv?.rows.length).toBe(10_000);
    expect(server.seen).toHaveLength(10);
    expect((await big.report('/cloud whois 10.1.39.15')).title).toBe('10.1.39.15 belongs to web-1');
  });

  test('asks a service once that gives all of them on one page', async () => {
    const all = Array.from({ length: 3000 }, (_, index) => held(`10.1.${index >> 8}.${index & 255}`));
    await using server = await startFaultyServer(
      answer(200, JSON.stringify({ count: all.length, results: all })),
    );
    const big = await openStage({ serviceUrl: server.url });
    expect((await big.report('/cloud ips --all')).headline).toBe('3,000 floating IPs, 3,000 unassigned');
    expect(server.seen).toHaveLength(1);
  });

  test('is not there without the extension, nor is whois', async () => {
    const plain = await openStage({ extensions: [] });
    expect(await plain.refusal('/cloud ips --all')).toContain('--all');
    expect(await plain.refusal('/cloud whois 203.0.113.7')).toContain('whois');
    expect(await plain.sent()).toBe(0);
  });
});

describe('cloud.whois', () => {
  test('tells what a floating IP is assigned to', async () => {
    expect(await look('whois 198.51.100.1')).toMatchInlineSnapshot(`
      "# 198.51.100.1 belongs to edge-cache-1
      Luxembourg-2 (76), project 1186668
      - Floating IP: 198.51.100.1
      - Fixed IP: 10.0.0.1
      - Port: aa29f5c6-b547-49cf-a7de-39e6bbcf2bc7
      - Instance: f7b26e30-6207-42bc-aab4-2ba23eabca3d
      - Status: ACTIVE"
    `);
  });

  test('finds the address that one leads to, and says where it looked in vain', async () => {
    expect(await title('10.0.0.1')).toBe(
      await title('198.51.100.1').then((text) => text.replace('198.51.100.1', '10.0.0.1')),
    );
    expect(await look('whois 192.0.2.1')).toMatchInlineSnapshot(`
      "# 192.0.2.1 is not a floating IP in Luxembourg-2 (76), project 1186668
      It may be in another region. Add --region."
    `);
  });

  test.each([
    ['2001:DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::0007]', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7', '::ffff:cb00:7107'],
  ])('takes %s for %s', async (typed, written) => {
    await serve(held(written));
    expect(await title(typed)).toMatch(/ belongs to web-1$/);
  });

  test('names an instance that bellhop.yaml does not list as the service does', async () => {
    await serve(
      held('203.0.113.7', { instance: { id: 'other', name: 'shop' } }),
      held('203.0.113.7', { id: 'second', instance: null, loadbalancer: { id: 'lb', name: null } }),
    );
    expect(await title('203.0.113.7')).toBe('203.0.113.7 belongs to shop, load balancer lb');
    await serve(held('203.0.113.7', { instance: null }));
    expect(await title('203.0.113.7')).toBe('203.0.113.7 is not assigned to anything');
  });

  test('takes nothing but an address', async () => {
    const typed = ['203.0.113', '010.0.0.1', 'web-1', 'fe80::1%eth0', '203.0.113.7/24', '256.1.1.1', '::g'];
    await stage.sent();
    for (const words of typed)
      expect(await stage.refusal(`/cloud whois ${words}`)).toContain('be an IPv4 or IPv6 address,');
    expect(await stage.sent()).toBe(0);
  });
});
