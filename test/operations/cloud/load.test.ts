import { describe, expect, test } from 'vitest';

import { reportText } from '../report-text.ts';
import { openStage } from '../stage.ts';

const point = (time: string, cpu: number | null, rest: object = {}) => ({
  time,
  cpu_util: cpu,
  memory_util: 50,
  network_Bps_ingress: 1500,
  network_Bps_egress: 3_000_000,
  disks: [
    { disk_name: 'vda', disk_Bps_read: 0, disk_Bps_write: 2_000, disk_iops_read: 1, disk_iops_write: 2 },
  ],
  ...rest,
});

/** So many minutes before the stage's present. */
const ago = (now: number, minutes: number) =>
  new Date(now - minutes * 60_000).toISOString().replace('.000Z', 'Z');

describe('cloud.load', () => {
  test('says what it is now and the peak, and draws each of the three', async () => {
    const stage = await openStage();
    const now = Math.floor(stage.clock.now() / 60_000) * 60_000;
    const results = [point(ago(now, 50), 90), point(ago(now, 20), 40), point(ago(now, 1), 12.3)];
    await stage.serve('measureInstance', { count: 3, results });
    const answer = await stage.report('/cloud load web-1');
    expect(answer.title).toBe('Load of web-1');
    expect(answer.headline).toMatch(
      /^Processor 12\.3 % now, peak 90 % at \d\d:\d\d UTC; memory 50 % now, peak 50 % at \d\d:\d\d UTC$/u,
    );
    expect(answer.charts.map(({ title, unit, series }) => [title, unit, series])).toEqual([
      [
        'Processor and memory',
        '%',
        [
          { name: 'Processor', values: [90, 40, 12.3] },
          { name: 'Memory', values: [50, 50, 50] },
        ],
      ],
      [
        'Network',
        'MB/s',
        [
          { name: 'Network in', values: [0.0015, 0.0015, 0.0015] },
          { name: 'Network out', values: [3, 3, 3] },
        ],
      ],
      [
        'Disks',
        'kB/s',
        [
          { name: 'vda read', values: [0, 0, 0] },
          { name: 'vda write', values: [2, 2, 2] },
        ],
      ],
    ]);
    expect(answer.csv?.rows).toHaveLength(6);
    expect(new Set(answer.csv?.rows.map((row) => row.length))).toEqual(new Set([answer.csv?.columns.length]));
  });

  test('asks for whole hours or days, and shows no more than was asked', async () => {
    const stage = await openStage();
    for (const [last, points] of [
      ['10m', 10],
      ['90m', 90],
      ['2d', 192],
      ['3d', 288],
    ] as const) {
      const answer = await stage.report(`/cloud load web-1 --last ${last}`);
      const [chart] = answer.charts;
      expect(Math.abs((chart?.labels.length ?? 0) - points)).toBeLessThanOrEqual(1);
    }
    expect(await stage.sent('measureInstance')).toBe(4);
  });

  test('a stopped instance has no measurements, and the answer says so', async () => {
    const stage = await openStage();
    await stage.change('/cloud stop web-1');
    await stage.clock.advance(60_000);
    expect(reportText(await stage.report('/cloud load web-1'))).toMatchInlineSnapshot(`
      "# Load of web-1 (unsure)
      The service has no measurements of the last 1h: web-1 may be off, or new."
    `);
  });

  test('what is old, odd or missing is told, not taken for now', async () => {
    const stage = await openStage();
    const now = Math.floor(stage.clock.now() / 60_000) * 60_000;
    const old = point(ago(now, 40), 10, { memory_util: null, time: ago(now, 40).replace('Z', '') });
    await stage.serve('measureInstance', {
      results: [old, point('yesterday', 99), point(ago(now, 900), 99), 7],
    });
    const answer = await stage.report('/cloud load web-1');
    expect(answer.headline).toMatch(/^Processor 10 % at \d\d:\d\d UTC, peak 10 % at \d\d:\d\d UTC$/u);
    expect(answer.notes).toEqual([
      '1 measurement without a time left out.',
      'Could not be read from the reply: results[3]: expected object',
    ]);
    await stage.serve('measureInstance', []);
    expect(await stage.refusal('/cloud load web-1')).toContain('it is not an object');
  });

  test('a bad input gets a short answer and sends nothing', async () => {
    const stage = await openStage();
    expect(
      await stage.refusals([
        '/cloud load web-1 --last 1m',
        '/cloud load web-1 --last 31d',
        '/cloud load web-1 --last yesterday',
        '/cloud load web-9',
      ]),
    ).toMatchInlineSnapshot(`
      "/cloud load web-1 --last 1m
        --last: is from 5m to 30d.
      Nothing was done.
      /cloud load web-1 --last 31d
        --last: is from 5m to 30d.
      Nothing was done.
      /cloud load web-1 --last yesterday
        --last: is a time such as 15m, 2h, 1d12h or 7d, at most 3660d.
      Nothing was done.
      /cloud load web-9
        The inventory has no instance “web-9”. Did you mean “web-1” or “web-2”? Nothing was done."
    `);
    expect(await stage.sent('measureInstance')).toBe(0);
  });
});
