import { describe, expect, it } from 'vitest';
import { acceptedRawLogSettings } from '../../playground/service/schemas/raw-log-settings.ts';
import { knownMetricsQuery } from '../../playground/service/schemas/metrics-query.ts';
import { metricsQuery, metricsQueryIssues } from '../../src/areas/cdn/client/metrics.ts';
import {
  rawLogFieldsOf,
  rawLogSecrets,
  rawLogSettings,
  rawLogSettingsRequest,
} from '../../src/areas/cdn/client/raw-logs.ts';
import {
  amountFieldOf,
  isInexact,
  storageEventIssues,
  storageEventRequest,
} from '../../src/areas/storage/client/storage-event.ts';

interface Judged {
  error?: { issues: readonly { path: readonly PropertyKey[] }[] } | undefined;
}

const pathsOf = ({ error }: Judged): string[] => (error?.issues ?? []).map(({ path }) => path.join('.'));

describe('raw log settings', () => {
  const s3 = {
    enabled: true,
    storage_type: 's3',
    for_all_resources: true,
    all_resources_bucket: 'logs',
    s3_type: 'amazon',
    s3_access_key_id: 'key',
  };
  const sftp = {
    enabled: true,
    storage_type: 'sftp',
    for_all_resources: true,
    all_resources_folder: '/',
    sftp_hostname: 'host',
    sftp_login: 'me',
  };

  it('need a secret only if it is known that the service has none', () => {
    expect(pathsOf(rawLogSettingsRequest.safeParse(s3))).toEqual([]);
    expect(pathsOf(acceptedRawLogSettings(new Set()).safeParse(s3))).toEqual(['s3_secret_key']);
    expect(pathsOf(acceptedRawLogSettings(new Set(['ftp_password'])).safeParse(s3))).toEqual([
      's3_secret_key',
    ]);
    expect(pathsOf(acceptedRawLogSettings(new Set(['s3_secret_key'])).safeParse(s3))).toEqual([]);
  });

  it.each([
    [[], ['sftp_password']],
    [['sftp_password'], []],
    [['sftp_private_key'], []],
    [['sftp_key_passphrase'], ['sftp_password']],
  ] as const)('by sftp with %j stored lack %j', (stored, missing) => {
    expect(pathsOf(acceptedRawLogSettings(new Set(stored)).safeParse(sftp))).toEqual(missing);
  });

  it('refuse a password and a private key together, whatever is known', () => {
    const both = { ...sftp, sftp_password: 'p', sftp_private_key: 'k' };
    expect(pathsOf(rawLogSettingsRequest.safeParse(both))).toEqual(['sftp_private_key']);
    expect(pathsOf(rawLogSettingsRequest.safeParse({ ...both, sftp_password: '' }))).toEqual([]);
  });

  it('name every field that is wrong at once', () => {
    const bare = { enabled: true, storage_type: 's3', s3_type: 'other', for_all_resources: false };
    const paths = pathsOf(acceptedRawLogSettings(new Set()).safeParse(bare));
    expect(paths).toEqual(['s3_access_key_id', 's3_hostname', 's3_host_bucket', 'folders', 's3_secret_key']);
  });

  it('show each field under one storage type only, and all of the fields that carry its name', () => {
    for (const type of ['s3', 'ftp', 'sftp'] as const) {
      const named = Object.keys(rawLogSettings.shape).filter((field) => field.startsWith(`${type}_`));
      expect(rawLogFieldsOf(type).toSorted()).toEqual(named.toSorted());
    }
    expect(rawLogSecrets).toHaveLength(5);
  });
});

describe('a storage event', () => {
  const event = { name: 'reaching_used_space', storage_name: 's', bucket_name: 'b' } as const;

  it('is judged by its kind, field by field', () => {
    expect(storageEventIssues({ ...event, bytes: 1 })).toEqual([]);
    expect(storageEventIssues({ ...event, count: 1 }).map(({ path }) => path)).toEqual([
      ['bytes'],
      ['count'],
    ]);
    expect(pathsOf(storageEventRequest.safeParse({ ...event, bytes: 2 ** 53 }))).toEqual(['bytes']);
  });

  it('has an amount in bytes or a count, and neither where its kind is not known', () => {
    expect(amountFieldOf('reaching_used_traffic')).toBe('bytes');
    expect(amountFieldOf('reaching_used_requests')).toBe('count');
    expect(amountFieldOf('reaching_new_heights')).toBeUndefined();
  });

  it.each([
    [9007199254740991, false],
    [9007199254740993n, false],
    [1e20, true],
    [-1e20, true],
    [0, false],
  ])('with %s is inexact: %s', (amount, expected) => {
    expect(isInexact(amount)).toBe(expected);
  });
});

const query = { metrics: ['edge_new_metric'], from: '2026-11-01T00:00:00Z', to: '2026-11-01T01:00:00Z' };

const at = (metric: string, granularity: string) =>
  metricsQuery.safeParse({
    ...query,
    metrics: [metric, 'edge_status_2xx'],
    to: '2026-11-02T00:00:00Z',
    granularity,
  }).success;

describe('a metrics query', () => {
  it('may name a metric that the client does not know, but not one that the service does not', () => {
    expect(metricsQuery.safeParse(query).success).toBe(true);
    expect(pathsOf(knownMetricsQuery.safeParse(query))).toEqual(['metrics.0']);
  });

  it('is judged in every field at once', () => {
    const wrong = {
      ...query,
      from: 'x',
      granularity: 'y',
      group_by: ['isp'],
      filter_by: [{ field: 'a', op: 'b', values: [1] }],
    };
    expect(metricsQueryIssues(wrong).map(({ path }) => path.join('.'))).toEqual([
      'from',
      'granularity',
      'group_by.0',
      'filter_by.0.field',
      'filter_by.0.op',
    ]);
  });

  it.each([
    ['edge_requests', 'PT1M', true],
    ['edge_requests', 'PT60S', false],
    ['edge_requests', 'P1M', true],
    ['edge_download_speed', 'PT20M', true],
    ['edge_download_speed', 'PT15M', false],
    ['edge_download_speed', 'PT1H', true],
    ['edge_download_speed', 'PT21M', false],
    ['origin_download_speed', 'PT61M', false],
    ['edge_download_speed', 'P1M', true],
  ])('of %s may have a granularity of %s: %s', (metric, granularity, expected) => {
    expect(at(metric, granularity)).toBe(expected);
  });

  it('without a granularity is refused for speed metrics, whose default it does not fit', () => {
    const { success } = metricsQuery.safeParse({ ...query, metrics: ['edge_download_speed'] });
    expect(success).toBe(false);
  });

  it.each(['region', 'isp'])('filters speed metrics alone by %s', (field) => {
    const filtered = { ...query, filter_by: [{ field, op: 'eq', values: ['x'] }], granularity: 'PT5M' };
    expect(pathsOf(metricsQuery.safeParse(filtered))).toEqual(['filter_by.0.field']);
    expect(metricsQuery.safeParse({ ...filtered, metrics: ['edge_download_speed'] }).success).toBe(true);
  });
});
