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
  reportText(await stage.report(`/cdn capacity ${words}`));

test('/cdn capacity lists all countries, the largest first, with their total', async () => {
  expect(await look('')).toMatchInlineSnapshot(`
    "# CDN capacity
    156,982.6 Gbit/s in 42 countries
    [bar chart: The 15 largest, Gbit/s, 15 points]
    Capacity in Gbit/s, largest first:
      | Country | Code | Gbit/s
      | United States | US | 38500
      | Germany | DE | 14200
      | Netherlands | NL | 12400
      | United Kingdom | GB | 11600
      | France | FR | 9800
      … 42 rows
    [cdn-capacity.csv: 42 rows of country_code,country,capacity_gbit_s]"
  `);
});

test('/cdn capacity lists some by code or name, each once', async () => {
  expect(await look('de France "united states" FR')).toMatchInlineSnapshot(`
    "# CDN capacity of 3 countries
    62,500 Gbit/s in 3 countries
    [bar chart: By country, Gbit/s, 3 points]
    Capacity in Gbit/s, largest first:
      | Country | Code | Gbit/s
      | United States | US | 38500
      | Germany | DE | 14200
      | France | FR | 9800
    [cdn-capacity.csv: 3 rows of country_code,country,capacity_gbit_s]"
  `);
  expect(await look('DE')).toMatchInlineSnapshot(`
    "# CDN capacity of 1 country
    14,200 Gbit/s in 1 country
    [bar chart: By country, Gbit/s, 1 points]
    Capacity in Gbit/s, largest first:
      | Country | Code | Gbit/s
      | Germany | DE | 14200
    [cdn-capacity.csv: 1 rows of country_code,country,capacity_gbit_s]"
  `);
});

test('/cdn capacity shows what could be read of an answer, and names what could not', async () => {
  await stage.serve('listCapacity', [
    { country_code: '<@', country: '<!channel>', capacity: 1e21 },
    { country_code: 'DE', capacity: null },
    { country: 'Nowhere', capacity: 'much' },
    7,
  ]);
  expect(await look('')).toMatchInlineSnapshot(`
    "# CDN capacity
    1,000,000,000,000,000,000,000 Gbit/s in 3 countries
    [bar chart: By country, Gbit/s, 3 points]
    Capacity in Gbit/s, largest first:
      | Country | Code | Gbit/s
      | <!channel> | <@ | 1e+21
      | DE | DE | not given
      | Nowhere | ? | not given
    (Unreadable in the reply: [2].capacity: expected number)
    (Unreadable in the reply: [3]: expected object)
    [cdn-capacity.csv: 3 rows of country_code,country,capacity_gbit_s]"
  `);
});

test('/cdn capacity says so if there is nothing', async () => {
  await stage.serve('listCapacity', []);
  expect(await look('')).toMatchInlineSnapshot(`
    "# CDN capacity
    The service listed no countries. Try again later."
  `);
});

test('/cdn capacity answers a bad input in short', async () => {
  const unknown = await stage.refusals([
    '/cdn capacity XX',
    '/cdn capacity DEU',
    '/cdn capacity germny',
    '/cdn capacity DE <!channel>',
    '/cdn capacity ../..',
  ]);
  expect(unknown).toMatchInlineSnapshot(`
    "/cdn capacity XX
      The CDN does not list the country “XX”. Did you mean “MX”?
    /cdn capacity DEU
      The CDN does not list the country “DEU”. /cdn capacity lists them all.
    /cdn capacity germny
      The CDN does not list the country “germny”. Did you mean “Germany”?
    /cdn capacity DE <!channel>
      The CDN does not list the country “<!channel>”. /cdn capacity lists them all.
    /cdn capacity ../..
      The CDN does not list the country “../..”. /cdn capacity lists them all."
  `);
  await stage.control('DELETE', 'requests');
  const malformed = await stage.refusals([
    '/cdn capacity --top 5',
    `/cdn capacity ${'x'.repeat(61)}`,
    `/cdn capacity ${'DE '.repeat(51)}`,
    `/cdn capacity ${'x'.repeat(3_000)}`,
  ]);
  expect(malformed).toMatchInlineSnapshot(`
    "/cdn capacity --top 5
      /cdn capacity has no option “--top”.
    /cdn capacity xxxxxx…x
      <country> is too long: a country has at most 60 characters.
    /cdn capacity DE DE DE… 
      <country> takes at most 50 countries.
    /cdn capacity xxxxxxxxx…
      Your command has 3,009 characters. The limit is 3,000. Shorten it."
  `);
  expect(await stage.sent()).toBe(0);
});
