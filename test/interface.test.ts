import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { interfaceOfBellhop } from '../scripts/interface.ts';

const names = z.array(z.string());
const schema = z.strictObject({
  keys: names,
  variables: names,
  commands: names,
  metrics: names,
  audit: z.strictObject({ events: names, fields: names }),
  routes: names,
  states: names,
});
type Interface = z.output<typeof schema>;

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
const parsed = (file: string): Interface => schema.parse(JSON.parse(read(file)));

const flat = ({ audit, ...lists }: Interface): readonly string[] =>
  Object.entries({ ...lists, events: audit.events, fields: audit.fields }).flatMap(([list, all]) =>
    all.map((name) => `${list}: ${name}`),
  );

/** The names that the released interface has, and this one does not, unless the page lists them. */
function takenAway(released: Interface, now: Interface, page: string): readonly string[] {
  const known = new Set(flat(now));
  return flat(released).filter(
    (one) => !known.has(one) && !page.includes(`\`${one.replace(/^\w+: /u, '')}\``),
  );
}

const released = parsed('test/released/interface.json');
const now = parsed('docs/interface-of-bellhop.json');

describe('the interface', () => {
  it('is the one that the sources have', async () => {
    expect(schema.parse(await interfaceOfBellhop())).toEqual(now);
  });

  // `npm run release` replaces the released one. Add what you remove to docs/deprecated.md.
  it('keeps every name of the last release, unless docs/deprecated.md lists it', () => {
    expect(takenAway(released, now, read('docs/deprecated.md'))).toEqual([]);
  });

  it.each<[string, (from: Interface) => Interface]>([
    [
      'keys: requests.lease',
      (from) => ({ ...from, keys: from.keys.filter((key) => key !== 'requests.lease') }),
    ],
    ['states: unknown', (from) => ({ ...from, states: from.states.filter((state) => state !== 'unknown') })],
    [
      'events: settled',
      (from) => ({
        ...from,
        audit: { ...from.audit, events: from.audit.events.filter((one) => one !== 'settled') },
      }),
    ],
  ])('is noticed to lack %s, until the page lists it', (name, without) => {
    expect(takenAway(released, without(now), '')).toEqual([name]);
    expect(takenAway(released, without(now), `| \`${name.replace(/^\w+: /u, '')}\` |`)).toEqual([]);
  });
});
