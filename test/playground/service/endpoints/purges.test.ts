import { describe, expect, it } from 'vitest';
import { purgeAccepted, purgeList } from '../../../../src/api/schemas/cdn/purge.ts';
import { openService, readOnlyKey, sharedService, temporaryFolder } from '../open-service.ts';

const path = '/cdn/resources/1001/purge';
const list = '/cdn/purge_statuses';

describe('purges', () => {
  it('are accepted with an id, listed newest first, and done after a few seconds', async () => {
    const dataDir = temporaryFolder();
    const { service, call, pass } = await openService({ dataDir });
    const bodies = [{ urls: ['/a', '/b?c=d'] }, { paths: ['/images/*'] }, { paths: ['/*'] }];
    for (const [index, body] of bodies.entries()) {
      const answer = await call('POST', path, { body });
      expect([answer.status, purgeAccepted.parse(answer.body).purge_id]).toEqual([201, index + 1]);
    }
    const told = async () =>
      purgeList
        .parse((await call('GET', list)).body)
        .map((one) => [one.purge_id, one.purge_type, one.status, one.payload.urls ?? one.payload.paths]);
    expect(await told()).toEqual([
      [3, 'purge_all', 'In progress', ['/*']],
      [2, 'purge_by_pattern', 'In progress', ['/images/*']],
      [1, 'purge_by_url', 'In progress', ['/a', '/b?c=d']],
    ]);
    pass(8000);
    expect((await told()).map(([, , status]) => status)).toEqual(['Successful', 'Successful', 'Successful']);
    expect(purgeList.parse((await call('GET', `${list}?limit=1&offset=1`)).body)).toMatchObject([
      { purge_id: 2 },
    ]);
    await service.close();
    const again = await openService({ dataDir });
    expect((await again.call('GET', list)).body).toHaveLength(3);
  });

  it('are not there without the extension', async () => {
    const { call } = await openService({ extensions: [] });
    expect((await call('POST', path, { body: { urls: ['/a'] } })).status).toBe(404);
    expect((await call('GET', list)).status).toBe(404);
  });
});

describe('purges: what is refused', () => {
  const { call } = sharedService();

  it.each([
    {},
    { urls: [] },
    { paths: [] },
    { urls: ['a'] },
    { urls: ['/a'], paths: ['/b/*'] },
    { urls: Array.from({ length: 101 }, () => '/a') },
    { paths: Array.from({ length: 11 }, () => '/a/*') },
    { urls: '/a' },
  ])('%o: 400', async (body) => {
    expect((await call('POST', path, { body })).status).toBe(400);
  });

  it('a resource that is not there: 404; a key that may only read: 403', async () => {
    const body = { urls: ['/a'] };
    expect((await call('POST', '/cdn/resources/9/purge', { body })).status).toBe(404);
    expect((await call('POST', '/cdn/resources/x/purge', { body })).status).toBe(400);
    expect((await call('POST', path, { body, key: readOnlyKey })).status).toBe(403);
  });
});
