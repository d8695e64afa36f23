import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { BellhopError } from '../../../../src/model/values/errors.ts';
import { submitForm } from '../../../../src/run/run-command.ts';
import { runs } from '../../../slack/limits-hold.ts';
import { setStage, type ServiceStage } from '../../../operations/stage.ts';
import { alice } from '../../../people.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.sent());

const text = (...known: string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
  );
const list = (one: fc.Arbitrary<string>) => fc.array(one, { maxLength: 3 });
const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c-any' };

test('whatever the options hold, there is an answer or a reason', async () => {
  const values = fc.record(
    {
      names: list(text('5xx', '2xx', 'speed', 'hit_ratio', 'origin_5xx')),
      last: text('15m', '1h', '2d', '9999d', '1s'),
      from: text(
        'today',
        '2026-11-01',
        'yesterday 23:59',
        '2026-03-29 02:30 Europe/Berlin',
        '1969-12-31',
        '9999-12-31',
      ),
      to: text('now', 'today', '2026-11-07T00:00:00+05:30', '0000-01-01'),
      every: text('1m', '1d', 'PT1S', 'P9999D'),
      by: list(text('cname', 'resource', 'region', 'isp')),
      resource: list(text('1001', '0', '9007199254740993')),
      where: list(text('cname eq a,b', 'resource in 1001,1002', 'isp like \\,', 'region not_like x')),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      const outcome = await submitForm(stage.context, caller, 'cdn.metrics', given, {}).then(
        JSON.stringify,
        reasonOf,
      );
      expect(outcome).not.toMatch(/undefined|NaN|Invalid Date|\[object/u);
    }),
    runs(150),
  );
});

function reasonOf(error: unknown): string {
  if (error instanceof BellhopError) return error.message;
  throw error;
}
