import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storageEvents } from '../../service/schemas/storage-events.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { apiKey, call, readOnlyKey, web1 } from './open-service.ts';
import { runService } from './service-process.ts';

const options = (dataDir: string) => [
  '--port=0',
  '--data-dir',
  dataDir,
  '--api-key',
  apiKey,
  '--read-only-key',
  readOnlyKey,
];

describe('the program', () => {
  it('keeps what it acknowledged when it is killed in the middle of writing', async () => {
    const dataDir = temporaryFolder();
    const first = runService(options(dataDir));
    const url = await first.url;
    const acknowledged: string[] = [];
    const post = async (bucket: string) => {
      const body = { name: 'reaching_used_space', storage_name: 's', bucket_name: bucket, bytes: 1 };
      const { status } = await call(url, 'POST', '/storage/notifications/v1/event', { body });
      if (status === 200) acknowledged.push(bucket);
      if (acknowledged.length === 25) first.child.kill('SIGKILL');
    };
    await call(url, 'POST', `${web1}/stop`);
    const waves = Array.from({ length: 40 }, (_, wave) => wave);
    await Promise.allSettled(waves.map((wave) => post(`bucket-${String(wave)}`)));
    expect((await first.ended).code).toBe(null);

    const again = await runService(options(dataDir)).url;
    const { body } = await call(again, 'GET', '/storage/notifications/v1/events');
    const kept = new Set(storageEvents.parse(body).reaching_used_space.map((event) => event.bucket_name));
    expect(acknowledged.length).toBeGreaterThanOrEqual(25);
    expect(acknowledged.filter((bucket) => !kept.has(bucket))).toEqual([]);
    const instance = (await call(again, 'GET', web1)).body;
    expect(['powering-off', '']).toContain((instance as { task_state: string }).task_state);
    expect(instance).not.toMatchObject({ status: 'ACTIVE', task_state: '' });
  });

  it('refuses a data directory that another process uses, and says what to do', async () => {
    const dataDir = temporaryFolder();
    await runService(options(dataDir)).url;
    const { code, output } = await runService(options(dataDir)).ended;
    expect(code).toBe(1);
    expect(output).toContain(`Another local service uses the data directory ${dataDir}`);
  });

  it('ends cleanly on SIGTERM although a call hangs and a connection is kept alive', async () => {
    const running = runService(options(temporaryFolder()));
    const url = await running.url;
    await call(url, 'PUT', '/_local/faults/listCapacity', { body: { hang: true } });
    const hanging = call(url, 'GET', '/cdn/advanced/v1/capacity');
    hanging.catch(() => undefined);
    const isHanging = async () =>
      JSON.stringify((await call(url, 'GET', '/_local/requests')).body).includes('"hang"');
    await expect.poll(isHanging).toBe(true);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
    await expect(hanging).rejects.toThrow(/other side closed|ECONNRESET/);
  });

  it('takes its settings from the environment, and what exists from bellhop.yaml', async () => {
    const folder = temporaryFolder();
    const config = join(folder, 'bellhop.yaml');
    writeFileSync(
      config,
      'project: 7\nregion: 9\ninstances:\n  edge: { id: my-id, labels: { env: test } }\n',
    );
    const env = { API_KEY: 'from-env', DATA_DIR: folder, BELLHOP_CONFIG: config, LOCAL_SERVICE_PORT: '0' };
    const url = await runService([], env).url;
    const { body } = await call(url, 'GET', '/cloud/v1/instances/7/9/my-id', { key: 'from-env' });
    expect(body).toMatchObject({ name: 'edge', status: 'ACTIVE' });
  });

  it('refuses an option that it does not know in plain words', async () => {
    const { code, output } = await runService(['--prot', '1']).ended;
    expect(code).toBe(2);
    expect(output).toContain('--prot');
    expect(output).toContain('npm run service');
    expect(output).not.toContain('    at ');
  });

  it('does not run in production', async () => {
    const { code, output } = await runService(options(temporaryFolder()), { NODE_ENV: 'production' }).ended;
    expect(code).toBe(1);
    expect(output).toContain('does not run in production');
  });
});
