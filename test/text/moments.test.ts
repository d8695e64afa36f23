import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { httpDate, writtenMoment, writtenPeriod } from '../../src/text/moments.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const noon = Date.UTC(2026, 10, 20, 12);

describe.each(['America/New_York', 'Asia/Kolkata', 'UTC'])('on a machine in %s', (zone) => {
  it.each([
    ['2026-11-20T12:00:00', noon, 1000],
    ['2026-11-20T12:00:00Z', noon, 1000],
    ['2026-11-20t12:00:00z', noon, 1000],
    ['2026-11-20T12:00:00+0000', noon, 1000],
    ['2026-11-20T12:00:00+00:00', noon, 1000],
    ['2026-11-20T13:00:00+01', noon, 1000],
    ['2026-11-20T07:00:00-0500', noon, 1000],
    ['2026-11-20 12:00:00', noon, 1000],
    ['2026-11-20 12:00:00 UTC', noon, 1000],
    ['2026-11-20 17:30:00+05:30', noon, 1000],
    ['2026-11-20T12:00', noon, 60_000],
    ['2026-11-20T12:00:00.250', noon + 250, 1],
    ['2026-11-20T12:00:00,250Z', noon + 250, 1],
    ['2026-11-20T12:00:00.250123', noon + 250, 1],
    ['2026-11-20T12:00:00.250123456+0000', noon + 250, 1],
    ['2026-11-20', noon - 43_200_000, 86_400_000],
  ])('%s is in UTC', (text, from, lasts) => {
    vi.stubEnv('TZ', zone);
    expect(writtenPeriod(text)).toEqual({ from, to: from + lasts - 1 });
  });

  it.each([
    'Fri, 20 Nov 2026 12:00:00 GMT',
    'Friday, 20-Nov-26 12:00:00 GMT',
    'Fri Nov 20 12:00:00 2026',
    'Fri, 20 Nov 2026 12:00:00',
  ])('the header %s is in UTC', (text) => {
    vi.stubEnv('TZ', zone);
    expect(httpDate(text)).toBe(noon);
  });

  it('whatever is written is read as the same time as with its zone', () => {
    vi.stubEnv('TZ', zone);
    const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(
        dates,
        fc.constantFrom('', 'Z', '+00:00', '+0000', '-00'),
        fc.boolean(),
        (date, mark, blank) => {
          const text = date.toISOString().replace('Z', mark);
          expect(writtenMoment(blank ? text.replace('T', ' ') : text)).toBe(date.getTime());
        },
      ),
    );
  });
});

describe('text that is not a time', () => {
  it.each(['', 'not given', 'web-1', '12:00', '2026-02-30T12:00:00', '2026-11-20T24:00:00Z', '1795176000'])(
    '“%s” is not read',
    (text) => {
      expect(writtenPeriod(text)).toBeUndefined();
    },
  );
});
