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

/** Resolves once the socket answers. */
async function reached(socket: string, { failed, said }: ReturnType<typeof start>): Promise<Answer> {
  const answer = forwardToSocket(socket);
  const call = { method: 'GET', path: '/_ping', type: '', authorization: '', body: undefined };
  const isUp = async () => (await Promise.resolve(answer(call)).catch(() => undefined))?.status === 200;
  await Promise.race([until(isUp, said), failed]);
  return answer;
}

/** Starts a container without a network, whose image is Debian's busybox. `limits` are options of its run. */
function runWeb(folder: string, [command = '', ...options]: readonly string[], ...limits: readonly string[]) {
  const call = (...args: readonly string[]) =>
    execFileSync(command, [...options, ...args], { stdio: 'pipe' });
  const image = join(folder, 'busybox.tar');
  execFileSync('tar', ['-C', '/', '-cf', image, 'bin/busybox']);
  call('import', image, 'busybox');
  onTestFinished(() => void call('rm', '-f', 'web'));
  call(
    'run',
    '-d',
    ...limits,
    '--name',
    'web',
    '--network',
    'none',
    'busybox',
    '/bin/busybox',
    'sh',
    '-c',
    script,
  );
}

async function startDocker(): Promise<Answer> {
  const folder = temporaryFolder();
  const socket = join(folder, 'docker.sock');
  const host = `--host=unix://${socket}`;
  const daemon = start('dockerd', [
    host,
    `--data-root=${folder}/data`,
    `--exec-root=${folder}/exec`,
    `--pidfile=${folder}/pid`,
    '--storage-driver=vfs',
    '--iptables=false',
    '--bridge=none',
  ]);
  const answer = await reached(socket, daemon);
  runWeb(folder, ['docker', host]);
  return answer;
}

async function startPodman(): Promise<Answer> {
  const folder = temporaryFolder();
  const socket = join(folder, 'podman.sock');
  const options = [
    `--root=${folder}/data`,
    `--runroot=${folder}/run`,
    `--network-config-dir=${folder}/net`,
    '--storage-driver=vfs',
    '--runtime=runc',
    '--cgroup-manager=cgroupfs',
    '--events-backend=file',
  ];
  const service = start('podman', [...options, 'system', 'service', '--time=0', `unix://${socket}`]);
  const answer = await reached(socket, service);
  // The container's default limits may be higher than the limits of this machine.
  runWeb(folder, ['podman', ...options], '--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024');
  return answer;
}

describe.runIf(isReal).each([
  { name: 'Docker', startIt: startDocker, image: 'busybox' },
  { name: 'Podman', startIt: startPodman, image: 'localhost/busybox:latest' },
])('a real $name', ({ startIt, image }) => {
  testEndings(containersCases(startIt));

  it('lists the containers and shows their last lines, with secrets hidden', async () => {
    const service = await serveStandIn(await startIt(), { socket: true });
    const stage = await openExample({
      folder: 'containers',
      addressed: (yaml) => yaml.replace('/run/docker.sock', service.address.slice('unix:'.length)),
    });
    const listed = await shown(stage.ask('/containers list local'));
    expect(listed).toMatch(/1 of 1 running/u);
    expect(listed).toContain(`"web","${image}","running","Up `);
    expect(await shown(stage.ask('/containers logs local web'))).toContain('listening, password=••••');
    expect(await shown(stage.ask('/containers restart local nope'))).toMatch(
      /no (?:such )?container.*nope/iu,
    );
  });
});
