import { expect, test } from 'vitest';

import { createServiceClient } from '../../src/api/client.ts';
import { readInput } from '../../src/core/grammar/grammar.ts';
import { operations } from '../../src/operations/index.ts';
import { s3 } from './cdn/raw-log-values.ts';
import { openStage } from './stage.ts';

const changes: readonly (readonly [operation: string, input: Readonly<Record<string, unknown>>])[] = [
  ['cloud.reboot', { instance: 'web-1' }],
  ['cloud.stop', { instance: 'web-1' }],
  ['cloud.reboot', { instance: 'web-1', hard: true }],
  ['cloud.start', { instance: 'web-1' }],
  ['cloud.suspend', { instance: 'web-1' }],
  ['cloud.resume', { instance: 'web-1' }],
  ['cdn.raw-logs', s3],
  ['storage.post', { kind: 'reaching_used_space', bucket: 'media', storage: 'main', bytes: '10GB' }],
];

test('every change is in the table below', () => {
  const known = operations.filter(({ risk }) => risk !== 'read').map(({ name }) => name);
  expect([...new Set(changes.map(([name]) => name))].toSorted()).toEqual(known.toSorted());
});

test.each(changes)('%s sends nothing once the lease of its request is lost', async (name, input) => {
  const stage = await openStage();
  const { operation } = stage.entry(name);
  const values = readInput(stage.entry(name), input);
  const client = createServiceClient({ baseUrl: stage.service.url, apiKey: stage.service.apiKey });
  const run = operation.run(values, {
    target: operation.target(values, stage.inventory),
    service: client,
    resolveSecret: () => 'a secret',
    now: stage.clock.now(),
    correlationId: 'c-1',
    maySend: () => false,
  });
  await expect(run).rejects.toMatchObject({ code: 'not-sent' });
  expect(await stage.sent()).toBe(0);
  await client.close();
});
