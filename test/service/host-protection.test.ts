import { describe, expect, test } from 'vitest';
import { answer, hang, resetBeforeHeaders, startFaultyServer } from './faulty-server.ts';
import { jsonBody } from '../../src/service/errors/reply.ts';
import { cloudCall } from '../../src/areas/cloud/client/endpoints.ts';
import { storageCall } from '../../src/areas/storage/client/endpoints.ts';
import { failure, testTransport } from './test-transport.ts';

describe('what protects the host', () => {
  test('after failures in a row nothing is sent for a while, then one call tries again', async () => {
    await using service = await startFaultyServer(resetBeforeHeaders, resetBeforeHeaders, answer(200, '{}'));
    const { ask } = testTransport(service.url, { timings: { breakerFailures: 2, breakerOpenMs: 1_000 } });

    await failure(ask('change'));
    await failure(ask('change'));
    const open = await failure(ask('change'));
    expect([open.outcome, service.seen.length]).toEqual(['not-sent', 2]);
    expect(open.message).toMatch(/was not sent: the service failed many times in a row/);

    await expect.poll(() => ask('query').catch(() => 'open'), { interval: 50 }).toEqual({});
    expect(await ask('change')).toEqual({});
  });

  test('a call that fails counts once, however often it was tried', async () => {
    await using service = await startFaultyServer(resetBeforeHeaders);
    const { ask } = testTransport(service.url, { timings: { breakerFailures: 2 } });
    expect((await failure(ask('query'))).message).toContain('the connection was reset');
    expect((await failure(ask('query'))).message).toContain('the connection was reset');
    expect((await failure(ask('query'))).message).toContain('are paused');
    expect(service.seen).toHaveLength(6);
  });

  test('an area that fails holds back no other', async () => {
    await using service = await startFaultyServer((response, request) =>
      request.url === '/cdn/advanced/v1/capacity' ? response.socket?.destroy() : response.end('{}'),
    );
    const opened: unknown[] = [];
    const { ask, transport } = testTransport(service.url, {
      timings: { breakerFailures: 1 },
      onBreaker: (open, area) => opened.push([open, area]),
    });
    await failure(ask('query'));
    expect((await failure(ask('change'))).outcome).toBe('not-sent');
    const reboot = cloudCall('rebootInstance', { project: 1, region: 2, id: 'i-1' });
    for (const request of [reboot, storageCall('postStorageEvent', {})])
      expect(await transport.call(request, { correlationId: 'c-1' }, jsonBody)).toEqual({});
    expect(opened).toEqual([[true, 'cdn']]);
  });

  test('a call that was given up says nothing of the host', async () => {
    await using service = await startFaultyServer(hang);
    const { ask } = testTransport(service.url, { timings: { breakerFailures: 2, deadlineMs: 600 } });
    await failure(ask('query'));
    const impatient = new AbortController();
    const givenUp = failure(ask('query', impatient.signal));
    impatient.abort();
    await givenUp;
    await failure(ask('query'));
    expect((await failure(ask('query'))).message).toContain('are paused');
  });

  test('a caller whose time is over found the host as silent as the deadline would', async () => {
    await using service = await startFaultyServer(hang);
    const { ask } = testTransport(service.url, { timings: { breakerFailures: 2 } });
    for (const _ of [1, 2])
      expect((await failure(ask('query', AbortSignal.timeout(50)))).message).not.toContain('cancelled');
    expect((await failure(ask('query'))).message).toContain('are paused');
  });

  test('a 500 or a refusal does not count as a host that is down', async () => {
    await using service = await startFaultyServer(answer(500, ''), answer(500, ''), answer(404, ''));
    const { ask } = testTransport(service.url, { timings: { breakerFailures: 1 } });
    const outcomes = [];
    for (const _ of [1, 2, 3]) outcomes.push((await failure(ask('change'))).outcome);
    expect(outcomes).toEqual(['unknown-outcome', 'unknown-outcome', 'rejected']);
  });

  test('more calls than can wait are not sent, and hanging queries hold up no change', async () => {
    await using service = await startFaultyServer(hang, answer(200, '{}'));
    const { ask } = testTransport(service.url, { timings: { slots: 1, queuePerSlot: 1, deadlineMs: 3_000 } });
    const hanging = failure(ask('query'));
    await expect.poll(() => service.seen.length).toBe(1);
    const impatient = new AbortController();
    const waiting = failure(ask('query', impatient.signal));

    const refused = await failure(ask('query'));
    expect([refused.outcome, refused.message]).toEqual([
      'not-sent',
      expect.stringContaining('too many calls'),
    ]);
    expect(await ask('change')).toEqual({});
    const order: string[] = [];
    void waiting.then(() => order.push('waiting'));
    void hanging.then(() => order.push('hanging'));
    impatient.abort();
    expect((await waiting).message).toContain('not sent: the call was cancelled');
    expect((await hanging).outcome).toBe('rejected');
    expect(order).toEqual(['waiting', 'hanging']);
    expect(service.seen).toHaveLength(2);
  });
});

test('a change that had to wait for its turn and then hung is unknown, not unsent', async () => {
  const first = Promise.withResolvers<void>();
  await using service = await startFaultyServer((response) => {
    void first.promise.then(() => response.end('{}'));
  }, hang);
  const { ask } = testTransport(service.url, { timings: { slots: 1, queuePerSlot: 1, deadlineMs: 3_000 } });

  const before = ask('change');
  const waiting = failure(ask('change'));
  await expect.poll(() => service.seen.length).toBe(1);
  first.resolve();
  await before;

  expect((await waiting).outcome).toBe('unknown-outcome');
  expect(service.seen).toHaveLength(2);
});
