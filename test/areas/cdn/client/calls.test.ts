import { describe, expect, test } from 'vitest';
import { badInput, failure } from '../../../service/test-transport.ts';
import { call, clientOf } from '../../../service/test-client.ts';

const query = {
  metrics: ['edge_status_5xx'],
  from: '2026-11-01T00:00:00+0000',
  to: '2026-11-01T02:00:00Z',
  granularity: 'PT1H',
};
const [early, late] = [1_793_491_200, 1_793_494_800];

describe('metrics', () => {
  test('sends the query and reads items, ascending', async () => {
    await using service = await clientOf({
      data: [
        { timestamp: late, edge_status_5xx: 2, brand_new: 1.5 },
        { timestamp: early, edge_status_5xx: 1 },
      ],
    });
    const { value, problems } = await service.client.queryMetrics(query, call);
    expect(value.series).toEqual([
      {
        group: {},
        points: [
          { timestamp: early, edge_status_5xx: 1 },
          { timestamp: late, edge_status_5xx: 2, brand_new: 1.5 },
        ],
      },
    ]);
    expect(problems).toEqual([]);
    expect(JSON.parse(service.seen[0]?.body ?? '')).toEqual(query);
  });

  const grouped = [
    [
      'an array whose items carry the group',
      [
        { timestamp: early, cname: 'a.example', resource: 7, edge_status_5xx: 1 },
        { timestamp: early, cname: 'b.example', resource: 7, edge_status_5xx: 2 },
        { timestamp: late, cname: 'a.example', resource: 7, edge_status_5xx: 3 },
      ],
    ],
    [
      'an object nested by group',
      {
        'a.example': {
          7: [
            { timestamp: early, edge_status_5xx: 1 },
            { timestamp: late, edge_status_5xx: 3 },
          ],
        },
        'b.example': { 7: [{ timestamp: early, edge_status_5xx: 2 }] },
      },
    ],
  ] as const;
  test.each(grouped)('reads groups from %s', async (_, data) => {
    await using service = await clientOf({ data });
    const { value } = await service.client.queryMetrics({ ...query, group_by: ['cname', 'resource'] }, call);
    expect(value.series).toEqual([
      {
        group: { cname: 'a.example', resource: '7' },
        points: [
          expect.objectContaining({ timestamp: early, edge_status_5xx: 1 }),
          expect.objectContaining({ timestamp: late, edge_status_5xx: 3 }),
        ],
      },
      {
        group: { cname: 'b.example', resource: '7' },
        points: [expect.objectContaining({ timestamp: early, edge_status_5xx: 2 })],
      },
    ]);
  });

  test('reads speed buckets as numbers and names those that are not numbers', async () => {
    await using service = await clientOf({
      data: [{ timestamp: early, edge_download_speed: { '0_250k': '0.25', '4M+': 'fast', new: '0.75' } }],
    });
    const { value, problems } = await service.client.queryMetrics(
      { ...query, metrics: ['edge_download_speed'] },
      call,
    );
    expect(value.series[0]?.points).toEqual([
      { timestamp: early, edge_download_speed: { '0_250k': 0.25, new: 0.75 } },
    ]);
    expect(problems).toEqual(['data[0].edge_download_speed.4M+: expected number']);
  });

  test('names where in a nested reply something does not fit, and keeps the rest', async () => {
    await using service = await clientOf({
      data: { 'a.example': [{ timestamp: early, edge_status_5xx: true }, { edge_status_5xx: 1 }] },
    });
    const { value, problems } = await service.client.queryMetrics({ ...query, group_by: ['cname'] }, call);
    expect(value.series).toEqual([{ group: { cname: 'a.example' }, points: [{ timestamp: early }] }]);
    expect(problems).toEqual([
      expect.stringMatching(/^data\["a\.example"\]\[0\]\.edge_status_5xx: expected /),
      'data["a.example"][1].timestamp: expected integer',
    ]);
  });

  test.each(['{}', '{"data":{"a":[]}}', '{"data":1}', '[1]'])('cannot read %s', async (body) => {
    await using service = await clientOf(body);
    expect((await failure(service.client.queryMetrics(query, call))).outcome).toBe('rejected');
  });

  test.each([
    [{ ...query, metrics: [] }, 'metrics: '],
    [{ ...query, to: '2026-10-01T00:00:00Z' }, 'from: must be before to'],
    [{ ...query, from: '2026-11-01T00:00:00' }, 'from: '],
    [{ ...query, from: '2026-01-01T00:00:00Z', granularity: 'PT1M' }, 'granularity: '],
  ])('is not sent where %j breaks a rule', async (bad, says) => {
    await using service = await clientOf({ data: [] });
    expect(await badInput(service.client.queryMetrics(bad, call))).toContain(says);
    expect(service.seen).toEqual([]);
  });
});

describe('capacity', () => {
  test('is read by country', async () => {
    await using service = await clientOf([{ country_code: 'LU', country: 'Luxembourg', capacity: 12.5 }]);
    const { value } = await service.client.listCapacity(call);
    expect(value).toEqual([{ country_code: 'LU', country: 'Luxembourg', capacity: 12.5 }]);
  });

  test('cannot read a reply that is not a list', async () => {
    await using service = await clientOf({});
    expect((await failure(service.client.listCapacity(call))).message).toContain('it is not a list');
  });
});

describe('raw-log settings', () => {
  const settings = {
    enabled: true,
    storage_type: 'ftp',
    for_all_resources: true,
    all_resources_folder: 'logs',
    ftp_hostname: 'ftp.example',
    ftp_login: 'bell',
    ftp_password: 'correct horse',
  } as const;

  test.each(['', 'null', '"OK"'])('takes %j for a success', async (body) => {
    await using service = await clientOf(body);
    expect(await service.client.updateRawLogSettings(settings, call)).toEqual({
      value: undefined,
      problems: [],
      status: 200,
    });
    expect(service.seen[0]).toMatchObject({
      method: 'PUT',
      url: '/cdn/raw_log_settings',
      body: JSON.stringify(settings),
    });
  });

  test('reads the settings, and no secret even if the service sends one', async () => {
    await using service = await clientOf(settings);
    const { value } = await service.client.updateRawLogSettings(settings, call);
    expect(value).toMatchObject({ enabled: true, ftp_login: 'bell' });
    expect(JSON.stringify(value)).not.toContain('horse');
  });

  test('hides a secret that the service repeats in an error', async () => {
    await using service = await clientOf({ errors: { ftp_password: ['"correct horse" is weak'] } }, {}, 400);
    const error = await failure(service.client.updateRawLogSettings(settings, call));
    expect(error.message).toContain('ftp_password: "••••" is weak. The service answered');
  });

  test('answered with something that is not JSON is of unknown outcome', async () => {
    await using service = await clientOf('<html>log in</html>');
    expect((await failure(service.client.updateRawLogSettings(settings, call))).outcome).toBe(
      'unknown-outcome',
    );
  });

  test('is not sent where the settings break a rule, and says which field without its value', async () => {
    await using service = await clientOf('');
    const { ftp_login: _, ...withoutLogin } = settings;
    const refused = await badInput(service.client.updateRawLogSettings(withoutLogin, call));
    expect(refused).toContain('ftp_login: ');
    expect(refused).not.toContain('horse');
    expect(service.seen).toEqual([]);
  });
});

describe('a purge', () => {
  const purge = { urls: ['/a.css'] };

  test('answered without a body succeeded', async () => {
    await using service = await clientOf('', {}, 201);
    expect(await service.client.purgeResource(1001, purge, call)).toMatchObject({ status: 201 });
  });

  test.each(['<html>log in</html>', { error: 'try later' }])(
    'answered 200 %j is of unknown outcome',
    async (body) => {
      await using service = await clientOf(body);
      expect((await failure(service.client.purgeResource(1001, purge, call))).outcome).toBe(
        'unknown-outcome',
      );
    },
  );
});
