import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { shown } from '../../reported/own-stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { containersCases } from '../endings.ts';
import { openExample } from '../example-stage.ts';
import { type Answer, forwardToSocket, serveStandIn } from '../stand-in.ts';
import { testEndings } from '../test-endings.ts';
import { isReal, start } from './start.ts';

const script = 'echo "listening, password=hunter-4711"; trap exit TERM; while :; do sleep 1 & wait; done';

/** Docker without a network, with a container whose image is Debian's busybox. */
async function startDocker(): Promise<Answer> {
  const folder = temporaryFolder();
  const socket = join(folder, 'docker.sock');
  const host = `unix://${socket}`;
  const { failed, said } = start('dockerd', [
    `--host=${host}`,
    `--data-root=${folder}/data`,
    `--exec-root=${folder}/exec`,
    `--pidfile=${folder}/pid`,
    '--storage-driver=vfs',
    '--iptables=false',
    '--bridge=none',
  ]);
  const answer = forwardToSocket(socket);
  const call = { method: 'GET', path: '/_ping', type: '', authorization: '', body: undefined };
  const isUp = async () => (await Promise.resolve(answer(call)).catch(() => undefined))?.status === 200;
  await Promise.race([until(isUp, said), failed]);
  const docker = (...args: readonly string[]) =>
    execFileSync('docker', ['--host', host, ...args], { stdio: 'pipe' });
  const image = join(folder, 'busybox.tar');
  execFileSync('tar', ['-C', '/', '-cf', image, 'bin/busybox']);
  docker('import', image, 'busybox');
  onTestFinished(() => void docker('rm', '-f', 'web'));
  docker('run', '-d', '--name', 'web', '--network', 'none', 'busybox', '/bin/busybox', 'sh', '-c', script);
  return answer;
}

describe.runIf(isReal)('a real Docker', () => {
  testEndings(containersCases(startDocker));

  it('lists the containers and shows their last lines, with secrets hidden', async () => {
    const service = await serveStandIn(await startDocker(), { socket: true });
    const stage = await openExample({
      folder: 'containers',
      addressed: (yaml) => yaml.replace('/run/docker.sock', service.address.slice('unix:'.length)),
    });
    expect(await shown(stage.ask('/containers list local'))).toMatch(
      /1 of 1 running.*"web","busybox","running","Up /u,
    );
    expect(await shown(stage.ask('/containers logs local web'))).toContain('listening, password=••••');
    expect(await shown(stage.ask('/containers restart local nope'))).toContain('No such container: nope');
  });
});
