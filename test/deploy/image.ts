import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../free-port.ts';
import { envFile, rebootWithDoubleClick, rules, startOutside } from './outside.ts';
import { preparedCopy } from './prepared-copy.ts';
import { attempt, figure, holds, run, wait } from './shell.ts';

const name = 'bellhop-deploy-test';

const inside = (...args: readonly string[]) => attempt('docker', ['exec', name, ...args]);
const logs = async () => (await attempt('docker', ['logs', name])).text;
const state = async (field: string) =>
  (await run('docker', ['inspect', '--format', `{{${field}}}`, name])).trim();

/** The image without compose.yaml: with the embedded store, and as little as compose.yaml allows it. */
export async function testImage(): Promise<void> {
  const port = await freePort();
  const outside = await startOutside(`http://127.0.0.1:${port}`);
  const copy = await preparedCopy(outside);
  try {
    await run('docker', ['build', '--network', 'host', '--tag', 'bellhop', copy], {
      env: { ...process.env, DOCKER_BUILDKIT: '0' },
    });
    const config = join(outside.folder, 'config');
    mkdirSync(config);
    writeFileSync(join(config, 'bellhop.yaml'), rules);
    writeFileSync(join(config, 'ca.pem'), outside.ca);
    const settings = join(outside.folder, 'image.env');
    writeFileSync(settings, envFile({ ...outside.env, NODE_EXTRA_CA_CERTS: '/config/ca.pem' }));
    const hosts = outside.names.flatMap((host) => ['--add-host', `${host}:172.17.0.1`]);
    const strict = [
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
    ];
    const volumes = ['--volume', `${config}:/config:ro`, '--volume', `${name}:/data`];
    const rest = [
      '--init',
      '--memory',
      '512m',
      '--env-file',
      settings,
      '--publish',
      `${port}:3000`,
      'bellhop',
    ];
    await run('docker', ['run', '--detach', '--name', name, ...strict, ...hosts, ...volumes, ...rest]);
    const seconds = await wait(60, async () => (await state('.State.Health.Status')) === 'healthy', logs);
    holds('the health check of the image passes', true);
    figure(`the image is healthy after ${seconds.toFixed(1)} s, of an interval of 10 s`);
    holds('it runs as uid 1000', (await inside('id', '-u')).text.trim() === '1000');
    const touched = await inside('touch', '/app/x');
    holds('its root file system is read-only', touched.text.includes('Read-only file system'), touched.text);
    const log = await logs();
    holds('it starts with its compile cache', log.includes('"warm":true'), log);

    const before = await outside.reboots();
    const card = await rebootWithDoubleClick(outside);
    holds(
      'a reboot with a double click is sent once',
      card.includes('succeeded') && (await outside.reboots()) === before + 1,
      card,
    );
    const memory = await run('docker', ['stats', '--no-stream', '--format', '{{.MemUsage}}', name]);
    figure(`memory ${memory.trim()}`);
    await run('docker', ['stop', '--time', '20', name]);
    holds('it stops with 0', (await state('.State.ExitCode')) === '0', await logs());
  } catch (error) {
    process.stderr.write((await logs()).slice(-4000));
    throw error;
  } finally {
    await attempt('docker', ['rm', '--force', name]);
    await attempt('docker', ['volume', 'rm', name]);
    await outside.close();
  }
}
