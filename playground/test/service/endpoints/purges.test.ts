import { describe, expect, it } from 'vitest';
import { purgeList } from '../../../../src/areas/cdn/client/purge.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openService, readOnlyKey, sharedService } from '../open-service.ts';

const path = '/cdn/resources/1001/purge';
const list = '/cdn/purge_statuses';

describe('purges', () => {
  it('are accepted without a body, listed newest first, and done after a few seconds', async () => {
    const dataDir = temporaryFolder();
    const { service, call, pass } = await openService({ dataDir });
    const bodies = [{ urls: ['/a', '/b?c=d'] }, { paths: ['/images/*'] }, { paths: [] }];
    for (const body of bodies) {
      const answer = await call('POST', path, { body });
      expect([answer.status, answer.body]).toEqual([201, '']);
    }
    const told = async () =>
      purgeList
        .parse((await call('GET', list)).body)
        .results.map((one) => [
          one.purge_id,
          one.purge_type,
          one.status,
          one.payload.urls ?? one.payload.paths,
        ]);
    expect(await told()).toEqual([
      [3, 'purge_all', 'In progress', []],
      [2, 'purge_by_pattern', 'In progress', ['/images/*']],
      [1, 'purge_by_url', 'In progress', ['/a', '/b?c=d']],
    ]);
    pass(8000);
    expect((await told()).map(([, , status]) => status)).toEqual(['Successful', 'Successful', 'Successful']);
    const second = purgeList.parse((await call('GET', `${list}?limit=1&offset=1`)).body);
    expect(second).toMatchObject({
      count: 3,
      next: `${list}?limit=1&offset=2`,
      previous: `${list}?limit=1&offset=0`,
      results: [{ purge_id: 2, resource: { id: 1001, cname: 'www.shop.example' } }],
    });
    expect((await call('GET', second.next ?? '')).body).toMatchObject({
      next: null,
      results: [{ purge_id: 1 }],
    });
    await service.close();
    const again = await openService({ dataDir });
    expect((await again.call('GET', list)).body).toMatchObject({ count: 3 });
  });

  it('are listed by the filters of the query', async () => {
    const { call, pass } = await openService();
    await call('POST', path, { body: { urls: ['/a'] } });
    pass(60_000);
    const { results } = purgeList.parse((await call('GET', list)).body);
    const since = new Date(Date.parse(results[0]?.created ?? '') + 30_000).toISOString();
    await call('POST', '/cdn/resources/1002/purge', { body: { paths: [] } });
    const ids = async (query: Record<string, string>) =>
      purgeList
        .parse((await call('GET', `${list}?${String(new URLSearchParams(query))}`)).body)
        .results.map((one) => one.purge_id);
    expect(await ids({ cname: 'www.shop.example' })).toEqual([1]);
    expect(await ids({ status: 'In progress' })).toEqual([2]);
    expect(await ids({ purge_type: 'purge_by_url' })).toEqual([1]);
    expect(await ids({ from_created: since })).toEqual([2]);
    expect(await ids({ to_created: since })).toEqual([1]);
    expect((await call('GET', `${list}?status=Done`)).status).toBe(400);
  });

  it('are not there without the extension', async () => {
    const { call } = await openService({ extensions: [] });
    expect((await call('POST', path, { body: { urls: ['/a'] } })).status).toBe(404);
    expect((await call('GET', list)).status).toBe(404);
  });
});

describe('purges: refused requests', () => {
  const { call } = sharedService();

  it.each([
    {},
    { urls: [] },
    { urls: ['a'] },
    { paths: ['/css/*.css'] },
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
