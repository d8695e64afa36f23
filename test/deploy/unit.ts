import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../free-port.ts';
import { envFile, type Outside, rebootWithDoubleClick, root, rules, startOutside } from './outside.ts';
import { attempt, type Ended, figure, holds, run, wait } from './shell.ts';

/** A Debian with systemd that has booted in a container on this machine's network. */
interface Machine {
  readonly root: string;
  /** Runs a command in it as root. */
  readonly sh: (script: string) => Promise<Ended>;
  readonly off: () => Promise<void>;
}

async function boot(folder: string): Promise<Machine> {
  const system = join(folder, 'machine');
  const packages = 'systemd,systemd-sysv,dbus,ca-certificates,libatomic1';
  const mirror = process.env['MIRROR'] ?? 'http://deb.debian.org/debian';
  await run('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', system, mirror]);
  const options = ['--register=no', '--keep-unit', '--console=pipe', '--boot', `--directory=${system}`];
  const child = spawn('systemd-nspawn', options, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  const leader = async (): Promise<string> =>
    (await attempt('pgrep', ['--parent', String(child.pid)])).text.trim().split('\n').at(-1) ?? '';
  const sh = async (script: string): Promise<Ended> =>
    attempt('nsenter', ['--all', '--target', await leader(), '/bin/sh', '-c', script]);
  await wait(
    60,
    async () => /^(?:running|degraded)$/mu.test((await sh('systemctl is-system-running')).text),
    () => Promise.resolve(output),
  );
  return {
    root: system,
    sh,
    async off() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The steps of the page. npm and git run on this machine instead of in it. */
async function install({ root: system }: Machine, { env, ca }: Outside, port: number): Promise<void> {
  const opt = join(system, 'opt/bellhop');
  const etc = join(system, 'etc/bellhop');
  await run('git', ['clone', '--quiet', root, opt]);
  const asOnPage = 'npm ci && npm run build && npm prune --omit=dev';
  await run('sh', ['-c', asOnPage], { cwd: opt });
  await run('install', ['-d', '-m', '0755', etc]);
  await run('install', ['-m', '0600', join(opt, 'deploy/bellhop.env.example'), join(etc, 'bellhop.env')]);
  copyFileSync(join(opt, 'deploy/bellhop.service'), join(system, 'etc/systemd/system/bellhop.service'));
  const own = { ...env, PORT: String(port), NODE_EXTRA_CA_CERTS: '/etc/bellhop/ca.pem' };
  appendFileSync(join(etc, 'bellhop.env'), envFile(own));
  writeFileSync(join(etc, 'bellhop.yaml'), rules);
  writeFileSync(join(etc, 'ca.pem'), ca);
  mkdirSync(join(system, 'etc/systemd/system'), { recursive: true });
}

export async function testUnit(): Promise<void> {
  const port = await freePort();
  const outside = await startOutside(`http://127.0.0.1:${port}`);
  const machine = await boot(outside.folder);
  const { sh } = machine;
  const journal = async () => (await sh('journalctl -u bellhop --no-pager -o cat')).text;
  const shown = async (...names: readonly string[]) => {
    const { text } = await sh(`systemctl show bellhop -p ${names.join(',')}`);
    return new Map(
      text
        .trim()
        .split('\n')
        .map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
    );
  };
  const one = async (name: string) => (await shown(name)).get(name) ?? '';
  const answers = (path: string) => async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    return response?.ok === true;
  };
  try {
    await install(machine, outside, port);
    const verified = await sh('systemd-analyze verify /etc/systemd/system/bellhop.service');
    holds(
      'systemd-analyze verify finds nothing',
      verified.code === 0 && verified.text.trim() === '',
      verified.text,
    );

    const enabled = await sh('systemctl daemon-reload && systemctl enable --now bellhop');
    holds('“enable --now” succeeds', enabled.code === 0, enabled.text);
    await wait(30, async () => (await journal()).includes('cannot start yet'), journal);
    holds(
      'with a Slack whose name does not resolve yet, Bellhop waits',
      (await one('ActiveState')) === 'active',
    );
    appendFileSync(join(machine.root, 'etc/hosts'), `127.0.0.1 ${outside.names.join(' ')}\n`);
    await wait(90, answers('/readyz'), journal);
    holds(
      'it starts once the name resolves, without a restart',
      (await one('NRestarts')) === '0',
      await journal(),
    );

    const pid = await one('MainPID');
    const status = (await sh(`cat /proc/${pid}/status`)).text;
    const uid = Number(/^Uid:\s+(\d+)/mu.exec(status)?.[1]);
    holds('it runs as a user of its own', uid !== 0 && !Number.isNaN(uid), status);
    holds(
      'no capability is left',
      /^CapBnd:\s+0+$/mu.test(status) && /^NoNewPrivs:\s+1$/mu.test(status),
      status,
    );
    figure(`resident ${/^VmRSS:\s+(.+)$/mu.exec(status)?.[1]} after the start`);
    figure((await sh('systemd-analyze security bellhop --no-pager | tail -n 1')).text.trim());

    const before = await outside.reboots();
    const card = await rebootWithDoubleClick(outside);
    holds('a reboot succeeds', card.includes('succeeded'), card);
    holds('a double click is sent once', (await outside.reboots()) === before + 1);
    await testReload(machine, journal);

    await sh(`kill -9 ${pid}`);
    const seconds = await wait(
      60,
      async () => (await one('MainPID')) !== pid && (await answers('/readyz')()),
      journal,
    );
    holds('after kill -9, systemd restarts it', (await one('NRestarts')) === '1');
    figure(`ready ${seconds.toFixed(1)} s after kill -9`);
    const verify =
      'cd /opt/bellhop && DATA_DIR=/var/lib/bellhop BELLHOP_CONFIG=/etc/bellhop/bellhop.yaml sh scripts/with-node node src/app/cli/audit/main.ts verify --env-file /etc/bellhop/bellhop.env';
    const log = await sh(verify);
    holds('the log verifies', log.code === 0, log.text);
    process.stdout.write(log.text);

    const began = performance.now();
    const stopped = await sh('systemctl stop bellhop');
    holds('it stops by itself', stopped.code === 0 && (await one('Result')) === 'success', await journal());
    figure(`stopped in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    await testWrongSetting(machine, one, journal);
    await sh('systemctl start bellhop');
    await wait(60, answers('/readyz'), journal);
    holds('with the setting put right, it starts again', true);
  } catch (error) {
    process.stderr.write((await journal()).slice(-4000));
    throw error;
  } finally {
    await machine.off();
    await outside.close();
  }
}

async function testReload({ root: system, sh }: Machine, journal: () => Promise<string>): Promise<void> {
  const path = join(system, 'etc/bellhop/bellhop.yaml');
  writeFileSync(path, `${rules}# Saved anew.\n`);
  await wait(30, async () => (await journal()).split('policy loaded').length === 3, journal);
  holds('Bellhop reloads bellhop.yaml after it was saved', true);
  const reload = await sh('systemctl reload bellhop');
  holds('“systemctl reload” succeeds', reload.code === 0, reload.text);
}

async function testWrongSetting(
  { root: system, sh }: Machine,
  one: (name: string) => Promise<string>,
  journal: () => Promise<string>,
): Promise<void> {
  const path = join(system, 'etc/bellhop/bellhop.env');
  const right = readFileSync(path, 'utf8');
  writeFileSync(path, `${right}API_BASE_URL=nonsense\n`);
  // Earlier starts count, too.
  await sh('systemctl reset-failed bellhop; systemctl start bellhop');
  await wait(120, async () => (await one('ActiveState')) === 'failed', journal);
  holds('a wrong setting ends the start with 1', (await one('ExecMainStatus')) === '1', await journal());
  holds('systemd gives up after five tries', (await one('NRestarts')) === '5', await one('NRestarts'));
  holds('the log names the setting', (await journal()).includes('API_BASE_URL'), await journal());
  writeFileSync(path, right);
  await sh('systemctl reset-failed bellhop');
}
