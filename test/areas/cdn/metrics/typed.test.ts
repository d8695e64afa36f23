import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setStage, type ServiceStage } from '../../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.sent());

/** The parsed command: range, intervals, groups and filters. */
async function understood(typed: string): Promise<string> {
  const { title, facts } = await stage.report(`/cdn metrics ${typed}`);
  return [title.replace('CDN metrics: ', ''), ...facts.map(({ value }) => value)].join(' | ');
}

const good = [
  '5xx',
  '5XX, edge-status-404 origin_503 speed --last 15m',
  '5xx --last 1d12h',
  '5xx --last 7d',
  '5xx --from 2026-11-01 --to 2026-11-07 --every 1d',
  '5xx --from yesterday',
  '5xx --from today --every PT15M',
  '5xx --from 02:10 --to 02:45 --every 5m',
  '5xx --from 02:10 --to 02:45 --every 120s',
  'speed --from 2026-01-01 --to 2026-11-01 --every P1M',
  '5xx --from 2024-01-01 --to 2026-11-01 --every P1Y6M',
  'speed --last 3600d',
  '5xx --from "yesterday 22:30" --to "today 01:00"',
  '5xx --from 2026-11-20T22:30:15+05:30 --to 2026-11-20T20:00Z',
  '5xx --from "2026-11-20 09:00 Europe/Berlin" --to "2026-11-20 09:00 America/New_York"',
  'speed --last 1h --by region,isp --where "region like Europe" --where "isp not-in Orange,Vodafone"',
  '5xx --resource 1001 --resource 1002 --where "resource gt 1001" --where "cname like shop"',
  '5xx 5xx edge_status_5xx --by cname --by cname',
  'errors',
  'traffic --since 2h --by=host',
  '5xx --since yesterday host=www.shop.example by=host',
  '5xx last=2h --host www.shop.example,img.shop.example',
  '5xx --where host=www.shop.example --where "resource >= 1001" --where "cname != img.shop.example"',
];

test('metrics, ranges and filters are understood in every usual spelling', async () => {
  const lines: string[] = [];
  for (const typed of good) lines.push(`${typed}\n    ${await understood(typed)}`);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "5xx
        5xx | 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h) | 20 × 3m
    5XX, edge-status-404 origin_503 speed --last 15m
        5xx, 404, origin_503, speed | 2026-11-21 02:45 UTC to 2026-11-21 03:00 UTC (15m) | 3 × 5m
    5xx --last 1d12h
        5xx | 2026-11-19 15:00 UTC to 2026-11-21 03:00 UTC (1d 12h) | 18 × 2h
    5xx --last 7d
        5xx | 2026-11-14 03:00 UTC to 2026-11-21 03:00 UTC (7d) | 14 × 12h
    5xx --from 2026-11-01 --to 2026-11-07 --every 1d
        5xx | 2026-11-01 00:00 UTC to 2026-11-07 00:00 UTC (6d) | 6 × 1d
    5xx --from yesterday
        5xx | 2026-11-20 00:00 UTC to 2026-11-21 03:00 UTC (1d 3h) | 14 × 2h
    5xx --from today --every PT15M
        5xx | 2026-11-21 00:00 UTC to 2026-11-21 03:00 UTC (3h) | 12 × 15m
    5xx --from 02:10 --to 02:45 --every 5m
        5xx | 2026-11-21 02:10 UTC to 2026-11-21 02:45 UTC (35m) | 7 × 5m
    5xx --from 02:10 --to 02:45 --every 120s
        5xx | 2026-11-21 02:10 UTC to 2026-11-21 02:45 UTC (35m) | 18 × 2m
    speed --from 2026-01-01 --to 2026-11-01 --every P1M
        speed | 2026-01-01 00:00 UTC to 2026-11-01 00:00 UTC (304d) | 10 × 1 month
    5xx --from 2024-01-01 --to 2026-11-01 --every P1Y6M
        5xx | 2024-01-01 00:00 UTC to 2026-11-01 00:00 UTC (1035d) | 2 × 18 months
    speed --last 3600d
        speed | 2017-01-12 03:00 UTC to 2026-11-21 03:00 UTC (3600d) | 10 × 365d
    5xx --from "yesterday 22:30" --to "today 01:00"
        5xx | 2026-11-20 22:30 UTC to 2026-11-21 01:00 UTC (2h 30m) | 15 × 10m
    5xx --from 2026-11-20T22:30:15+05:30 --to 2026-11-20T20:00Z
        5xx | 2026-11-20 17:00:15 UTC to 2026-11-20 20:00:00 UTC (2h 59m 45s) | 18 × 10m
    5xx --from "2026-11-20 09:00 Europe/Berlin" --to "2026-11-20 09:00 America/New_York"
        5xx | 2026-11-20 08:00 UTC to 2026-11-20 14:00 UTC (6h) | 18 × 20m
    speed --last 1h --by region,isp --where "region like Europe" --where "isp not-in Orange,Vodafone"
        speed | 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h) | 12 × 5m | region, isp | region like Europe; isp not in Orange, Vodafone
    5xx --resource 1001 --resource 1002 --where "resource gt 1001" --where "cname like shop"
        5xx | 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h) | 20 × 3m | resource in 1001, 1002; resource gt 1001; cname like shop
    5xx 5xx edge_status_5xx --by cname --by cname
        5xx | 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h) | 20 × 3m | cname
    errors
        4xx, 5xx | 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h) | 20 × 3m
    traffic --since 2h --by=host
        bandwidth, requests | 2026-11-21 01:00 UTC to 2026-11-21 03:00 UTC (2h) | 12 × 10m | cname
    5xx --since yesterday host=www.shop.example by=host
        5xx | 2026-11-20 00:00 UTC to 2026-11-21 03:00 UTC (1d 3h) | 14 × 2h | cname | cname eq www.shop.example
    5xx last=2h --host www.shop.example,img.shop.example
        5xx | 2026-11-21 01:00 UTC to 2026-11-21 03:00 UTC (2h) | 12 × 10m | cname in www.shop.example, img.shop.example
    5xx --where host=www.shop.example --where "resource >= 1001" --where "cname != img.shop.example"
        5xx | 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h) | 20 × 3m | cname eq www.shop.example; resource gte 1001; cname ne img.shop.example"
  `);
});

const bad = [
  '5xxx',
  'nonsense',
  'yesterday',
  'x'.repeat(2900),
  'x'.repeat(3000),
  '<!channel>',
  '5xx --last 2',
  '5xx --last -2h',
  '5xx --last 0h',
  '5xx --last 99999d',
  '5xx --last 2h --from today',
  '5xx --to today',
  '5xx --from 2026-02-30',
  '5xx --from 2026-13-01',
  '5xx --from 2026-11-01T24:00',
  '5xx --from 2026-11-01T10:61',
  '5xx --from lastweek',
  '5xx --from "2026-11-01 10:00 Europe/Berlim"',
  '5xx --from "2026-11-01 10:00 Mars/Base"',
  '5xx --from 2026-11-01T10:00+25:00',
  '5xx --from "now 10:00"',
  '5xx --from "2026-03-29 02:30 Europe/Berlin"',
  '5xx --from 2026-11-07 --to 2026-11-01',
  '5xx --from yesterday --to yesterday',
  '5xx --from 2027-01-01',
  '5xx --every 0m',
  '5xx --every 30s',
  '5xx --every PT30S',
  '5xx --every P1W',
  '5xx --every P1000Y1M',
  '5xx --every often',
  'speed --every 1m',
  'speed --last 2d --every 7m',
  '5xx --last 7d --every 1m',
  '5xx --from 2000-01-01 --every 1h',
  'speed --last 1d --every 15m',
  '5xx speed --last 1d --every 15m',
  '5xx --from 0001-01-01',
  'speed --from 1900-01-01',
  'speed --from 1900-01-01 --every P1M',
  '5xx --by country',
  '5xx --by cnam',
  '5xx --by isp',
  '5xx --where "isp eq Orange"',
  'speed 5xx --where "region eq Europe"',
  '5xx --resource web',
  '5xx --resource -1',
  '5xx --resource 1/../2',
  '5xx --resource 99999999999999999999',
  '5xx --where cname',
  '5xx --where "cname eq"',
  '5xx --where "cname eq ,"',
  '5xx --where "cnames eq a"',
  '5xx --where "cname equals a"',
  '5xx --where "resource eq a"',
  '5xx --wher "cname eq a"',
  '5xx --reason why',
  '6xx',
];

test('invalid metrics, ranges and filters are reported, and nothing is sent', async () => {
  const told: string[] = [];
  for (const typed of bad) {
    const message = await stage.refusal(`/cdn metrics ${typed}`);
    told.push(
      `${typed.length > 60 ? `${typed.slice(0, 5)}… (${typed.length})` : typed}\n    ${message.replaceAll('\n', ' ')}`,
    );
    expect(message.length).toBeLessThan(600);
  }
  expect(await stage.sent()).toBe(0);
  expect(told.join('\n')).toMatchInlineSnapshot(`
    "5xxx
        5xxx is not a metric. Did you mean “5xx”?
    nonsense
        nonsense is not a metric. Available: 1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500–505 5xx, requests, requests_total, bandwidth, hit_ratio, hit_bytes and speed. For the origin, put origin_ before a status, requests, bandwidth or speed: origin_5xx.
    yesterday
        yesterday is not a metric. Did you mean “--from yesterday”?
    xxxxx… (2900)
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is not a metric. Available: 1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500–505 5xx, requests, requests_total, bandwidth, hit_ratio, hit_bytes and speed. For the origin, put origin_ before a status, requests, bandwidth or speed: origin_5xx.
    xxxxx… (3000)
        Your command has 3,008 characters. The limit is 3,000. Shorten it.
    <!channel>
        <!channel> is not a metric. Available: 1xx 200 204 206 2xx 301 302 304 3xx 400 401 403 404 416 429 4xx 500–505 5xx, requests, requests_total, bandwidth, hit_ratio, hit_bytes and speed. For the origin, put origin_ before a status, requests, bandwidth or speed: origin_5xx.
    5xx --last 2
        --last must be a duration such as 15m, 2h or 7d, at most 3660d. Did you mean “2m” or “2h”?
    5xx --last -2h
        --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    5xx --last 0h
        --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    5xx --last 99999d
        --last must be a duration such as 15m, 2h or 7d, at most 3660d.
    5xx --last 2h --from today
        --last can't be combined with --from or --to.
    5xx --to today
        --to needs --from too.
    5xx --from 2026-02-30
        --from: 2026-02-30 does not exist.
    5xx --from 2026-13-01
        --from: 2026-13-01 does not exist.
    5xx --from 2026-11-01T24:00
        --from: 24:00 is not a time.
    5xx --from 2026-11-01T10:61
        --from: 10:61 is not a time.
    5xx --from lastweek
        --from must be a date or time such as 2026-11-01, "2026-11-01 09:30", 09:30, today, yesterday or 2h, not “lastweek”.
    5xx --from "2026-11-01 10:00 Europe/Berlim"
        “Europe/Berlim” is not a time zone. Did you mean “Europe/Berlin”?
    5xx --from "2026-11-01 10:00 Mars/Base"
        “Mars/Base” is not a time zone. Use a name such as Europe/Berlin, an offset such as +01:00, or Z.
    5xx --from 2026-11-01T10:00+25:00
        “+25:00” is not a time zone. Use a name such as Europe/Berlin, an offset such as +01:00, or Z.
    5xx --from "now 10:00"
        --from can be “now” or a time of day, not both.
    5xx --from "2026-03-29 02:30 Europe/Berlin"
        “2026-03-29 02:30 Europe/Berlin” does not exist in Europe/Berlin, where the clocks go forward then.
    5xx --from 2026-11-07 --to 2026-11-01
        --from 2026-11-07 is not before --to 2026-11-01. Swap them.
    5xx --from yesterday --to yesterday
        --from yesterday is not before --to yesterday. A date means 00:00. To see a whole day, end with the next day.
    5xx --from 2027-01-01
        --from 2027-01-01 is not before now. Choose a time in the past.
    5xx --every 0m
        --every must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month.
    5xx --every 30s
        --every must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month.
    5xx --every PT30S
        --every must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month.
    5xx --every P1W
        --every must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month.
    5xx --every P1000Y1M
        --every must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month.
    5xx --every often
        --every must be a duration in whole minutes, such as 5m, 1h, 1d, PT15M, or P1M for a month.
    speed --every 1m
        With a speed metric, the service allows steps of 5m, 10m, 15m and so on, not 1m. Use --every 5m.
    speed --last 2d --every 7m
        2d in steps of 7m would be 412 points, but the service allows at most 72 with a speed metric. Use --every 1h.
    5xx --last 7d --every 1m
        7d in steps of 1m would be 10,080 points, but the service allows at most 1,440. Use --every 10m, or use a range of at most 1d.
    5xx --from 2000-01-01 --every 1h
        9821d 3h in steps of 1h would be 235,707 points, but the service allows at most 1,440. Use --every 7d, or use a range of at most 60d.
    speed --last 1d --every 15m
        1d in steps of 15m would be 96 points, but the service allows at most 72 with a speed metric. Use --every 20m, or use a range of at most 18h.
    5xx speed --last 1d --every 15m
        1d in steps of 15m would be 96 points, but the service allows at most 72 with a speed metric. Use --every 20m, or use a range of at most 18h.
    5xx --from 0001-01-01
        --from must be 1900-01-01 or later, not “0001-01-01”.
    speed --from 1900-01-01
        46345d 3h in steps of 365d would be 127 points, but the service allows at most 72 with a speed metric. Use a range of at most 26280d.
    speed --from 1900-01-01 --every P1M
        46345d 3h in steps of 1 month would be 1,523 points, but the service allows at most 72 with a speed metric. Use a range of at most 2191d.
    5xx --by country
        --by must be one of resource, cname, region, isp.
    5xx --by cnam
        --by must be one of resource, cname, region, isp. Did you mean “cname”?
    5xx --by isp
        Grouping by isp works only with speed metrics. Query only speed, or don't group by isp.
    5xx --where "isp eq Orange"
        Filtering by isp works only with speed metrics. Query only speed, or don't filter by isp.
    speed 5xx --where "region eq Europe"
        Filtering by region works only with speed metrics. Query only speed, or don't filter by region.
    5xx --resource web
        --resource must be the number of a CDN resource, such as 1001.
    5xx --resource -1
        --resource must be the number of a CDN resource, such as 1001.
    5xx --resource 1/../2
        --resource must be the number of a CDN resource, such as 1001.
    5xx --resource 99999999999999999999
        --resource must be the number of a CDN resource, such as 1001.
    5xx --where cname
        --where must be "field op value", such as "cname eq www.example.com", not “cname”.
    5xx --where "cname eq"
        --where must be "field op value", such as "cname eq www.example.com", not “cname eq”.
    5xx --where "cname eq ,"
        --where: “cname eq ,” has no value.
    5xx --where "cnames eq a"
        Unknown filter field “cnames”. Did you mean “cname”?
    5xx --where "cname equals a"
        Unknown filter operator “equals”. Available: in, not_in, gt, gte, lt, lte, eq, ne, like, not_like.
    5xx --where "resource eq a"
        --where must compare a resource with whole numbers, not “a”.
    5xx --wher "cname eq a"
        /cdn metrics has no option “--wher”. Did you mean “--where”?
    5xx --reason why
        /cdn metrics is read-only. Remove --reason.
    6xx
        6xx is not a metric. Did you mean “4xx” or “5xx”?"
  `);
});

/** @throws any error that is not a reason */
