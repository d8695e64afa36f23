import { expect, test } from 'vitest';
import { z } from 'zod';

import { createServiceClient } from '../areas/service-client.ts';
import { extensions } from '../../src/model/rulebook/schema.ts';
import { readInput } from '../../src/command/grammar/check-input.ts';
import { operations } from '../../src/operations/index.ts';
import { s3 } from '../areas/cdn/raw-log-values.ts';
import { openStage } from './stage.ts';
import { reach } from '../reach.ts';

const videos = { kind: 'reaching_used_space', bucket: 'videos', storage: 'media' };

const changes: readonly (readonly [operation: string, input: Readonly<Record<string, unknown>>])[] = [
  ['cloud.reboot', { instance: 'web-1' }],
  ['cloud.stop', { instance: 'web-1' }],
  ['cloud.reboot', { instance: 'web-1', hard: true }],
  ['cloud.start', { instance: 'web-1' }],
  ['cloud.suspend', { instance: 'web-1' }],
  ['cloud.resume', { instance: 'web-1' }],
  ['cdn.raw-logs', s3],
  ['cdn.purge', { resource: '1001', path: ['/a.css'] }],
  ['storage.change', { ...videos, bytes: '9TB' }],
  ['storage.delete', videos],
  ['storage.post', { kind: 'reaching_used_space', bucket: 'media', storage: 'main', bytes: '10GB' }],
];

const requestLog = z.object({ requests: z.array(z.looseObject({ method: z.string() })) });

test('every change is in the table below', () => {
  const known = operations.filter(({ risk }) => risk !== 'read').map(({ name }) => name);
  expect([...new Set(changes.map(([name]) => name))].toSorted()).toEqual(known.toSorted());
});

test.each(changes)('%s sends nothing once the lease of its request is lost', async (name, input) => {
  const stage = await openStage();
  const { operation } = stage.entry(name);
  const values = readInput(stage.entry(name), input);
  const client = createServiceClient({ baseUrl: stage.service.url, apiKeys: () => [stage.service.apiKey] });
  const target = operation.target(values, stage.rulebook.inventory);
  const looking = { ...reach, extensions, service: client };
  const run = operation.run(values, {
    target,
    service: client,
    ...reach,
    now: stage.clock.now(),
    confirmed: (await operation.preview?.(values, target, looking)) ?? [],
    maySend: () => false,
  });
  await expect(run).rejects.toMatchObject({ code: 'not-sent' });
  const { requests } = requestLog.parse(await stage.control('GET', 'requests'));
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await client.close();
});
