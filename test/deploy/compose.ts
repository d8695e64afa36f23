import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { envFile, type Outside, rebootWithDoubleClick, rules, startOutside } from './outside.ts';
import { preparedCopy } from './prepared-copy.ts';
import { attempt, figure, holds, run, wait } from './shell.ts';

const replicas = ['bellhop-1', 'bellhop-2'] as const;
const project = 'bellhopdeploytest';

/** “docker compose”, or its older form. */
async function composeCommand(): Promise<readonly [string, ...string[]]> {
  const { code } = await attempt('docker', ['compose', 'version']);
  return code === 0 ? ['docker', 'compose'] : ['docker-compose'];
}

function configure(copy: string, { env, ca, names }: Outside): void {
  // As the page says.
  copyFileSync(join(copy, 'deploy/bellhop.env.example'), join(copy, '.env'));
  mkdirSync(join(copy, 'config'));
  writeFileSync(join(copy, 'config/bellhop.yaml'), rules);
  const own = {
    ...env,
    POSTGRES_PASSWORD: 'OfTheReplicas',
    POSTGRES_OWNER_PASSWORD: 'OfTheOwner',
    NODE_EXTRA_CA_CERTS: '/config/ca.pem',
  };
  appendFileSync(join(copy, '.env'), envFile(own));
  writeFileSync(join(copy, 'config/ca.pem'), ca);
  // Slack and the service are simulated on this machine.
  const hosts = names.map((name) => `'${name}:172.17.0.1'`).join(', ');
  const services = replicas.map((name) => `  ${name}: { extra_hosts: [${hosts}] }\n`).join('');
  writeFileSync(join(copy, 'compose.override.yaml'), `services:\n${services}`);
}

const stateSchema = z.array(
  z.object({
    State: z.object({ Health: z.object({ Status: z.string() }).optional(), OOMKilled: z.boolean() }),
    NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })) }),
  }),
);

export async function testCompose(): Promise<void> {
  const outside = await startOutside('http://127.0.0.1:8080');
  const [command, ...first] = await composeCommand();
  const copy = await preparedCopy(outside);
  const place = { cwd: copy, env: { ...process.env, COMPOSE_PROJECT_NAME: project, DOCKER_BUILDKIT: '0' } };
  const compose = (...args: readonly string[]) => run(command, [...first, ...args], place);
  const inside = (service: string, ...args: readonly string[]) => compose('exec', '-T', service, ...args);
  const logs = () => compose('logs', '--tail', '30');
  const inspected = async (service: string) => {
    const id = (await compose('ps', '--quiet', service)).trim();
    return stateSchema.parse(JSON.parse(await run('docker', ['inspect', id])))[0];
  };
  const healthy = async (): Promise<boolean> => {
    const states = await Promise.all(replicas.map((name) => inspected(name).catch(() => undefined)));
    return states.every((state) => state?.State.Health?.Status === 'healthy');
  };
  const sealedIn = (replica: string) =>
    run('docker', [
      'run',
      '--rm',
      '--volume',
      `${project}_${replica}:/data`,
      'bellhop',
      'cat',
      '/data/audit-sealed',
    ]);
  const sealed = () => Promise.all(replicas.map(sealedIn));
  const earlier = await volumes();
  try {
    configure(copy, outside);
    await compose('up', '--detach', '--build');
    const seconds = await wait(120, healthy, logs);
    holds('two replicas are healthy behind nginx', true);
    figure(`both replicas healthy ${seconds.toFixed(1)} s after “up” ended`);

    const before = await outside.reboots();
    const card = await rebootWithDoubleClick(outside);
    holds('a reboot through nginx succeeds', card.includes('succeeded'), card);
    holds('a double click through nginx is sent once', (await outside.reboots()) === before + 1);
    const memory = await run('docker', ['stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}']);
    figure(
      memory
        .trim()
        .split('\n')
        .filter((line) => line.includes(project))
        .join(', '),
    );

    await testWalls(inside, inspected);
    await testDownAndUp({ earlier, compose, inside, healthy, logs, sealed, outside });
  } catch (error) {
    process.stderr.write(await logs().catch(String));
    throw error;
  } finally {
    await compose('down', '--volumes', '--timeout', '1');
    await outside.close();
  }
}

type Inside = (service: string, ...args: readonly string[]) => Promise<string>;

const dial = (host: string, port: number): string =>
  `timeout 3 bash -c '</dev/tcp/${host}/${port}' 2>/dev/null && echo open || echo closed`;

async function testWalls(
  inside: Inside,
  inspected: (service: string) => Promise<z.output<typeof stateSchema>[number] | undefined>,
): Promise<void> {
  const postgres = await inspected('postgres');
  const [address = ''] = Object.values(postgres?.NetworkSettings.Networks ?? {}).map((one) => one.IPAddress);
  const from = async (service: string, host: string, port: number) =>
    (await inside(service, 'sh', '-c', dial(host, port))).trim();
  holds('a replica reaches PostgreSQL', (await from('bellhop-1', address, 5432)) === 'open');
  holds('the proxy reaches a replica', (await from('proxy', 'bellhop-1', 3000)) === 'open');
  holds(
    'the proxy cannot reach PostgreSQL by its address',
    (await from('proxy', address, 5432)) === 'closed',
  );
  holds(
    'the proxy cannot reach PostgreSQL by its name',
    (await from('proxy', 'postgres', 5432)) === 'closed',
  );
  const statuses = await Promise.all(
    ['/metrics', '/readyz', '/healthz', '/mcp'].map(
      async (path) => (await fetch(`http://127.0.0.1:8080${path}`)).status,
    ),
  );
  holds(
    'nginx answers 404 to /metrics, /readyz, /healthz and /mcp',
    statuses.join() === '404,404,404,404',
    statuses.join(),
  );
  for (const replica of replicas) {
    holds(`${replica} runs as uid 1000`, (await inside(replica, 'id', '-u')).trim() === '1000');
    const write = await inside(replica, 'sh', '-c', 'touch /app/x 2>&1 || true');
    holds(`${replica} can't write outside /data and /tmp`, write.includes('Read-only file system'), write);
  }
}

interface Running {
  /** The volumes that existed before “up”. */
  readonly earlier: ReadonlySet<string>;
  readonly compose: (...args: readonly string[]) => Promise<string>;
  readonly inside: Inside;
  readonly healthy: () => Promise<boolean>;
  readonly logs: () => Promise<string>;
  readonly sealed: () => Promise<readonly string[]>;
  readonly outside: Outside;
}

/** The number of entries that a checkpoint covers: its second line. */
const sizeOf = (checkpoint: string): number => Number(checkpoint.split('\n')[1]);

const volumes = async (): Promise<ReadonlySet<string>> =>
  new Set((await run('docker', ['volume', 'ls', '--quiet'])).trim().split('\n'));

async function testDownAndUp({
  earlier,
  compose,
  inside,
  healthy,
  logs,
  sealed,
  outside,
}: Running): Promise<void> {
  const verify = (replica: string) => inside(replica, 'node', 'dist/audit.js', 'verify');
  // Both replicas have signed the newest entry, or have read what the other one signed.
  await wait(
    150,
    async () => {
      const [one, other] = await sealed().catch(() => []);
      return (
        one !== undefined && sizeOf(one) > 0 && one.split('\n', 3).join() === other?.split('\n', 3).join()
      );
    },
    async () => `${(await sealed()).join('\n')}\n${await logs()}`,
  );
  process.stdout.write(await verify('bellhop-1'));
  const entries = (await inside('bellhop-1', 'node', 'dist/audit.js', 'export')).trim().split('\n').length;
  const sealedBefore = await sealed();

  await compose('down');
  const left = [...(await volumes()).difference(earlier)].filter((name) => !name.startsWith(project));
  holds('down leaves no volume without a name', left.length === 0, left.join(' '));
  const sealedDown = await sealed();
  holds(
    'down keeps the newest signed checkpoint of each replica',
    sealedDown.every((note, index) => sizeOf(note) >= sizeOf(sealedBefore[index] ?? '')),
    [...sealedBefore, ...sealedDown].join('\n'),
  );
  holds(
    'the files are the same before and after',
    sealedDown.join() === sealedBefore.join(),
    [...sealedBefore, ...sealedDown].join('\n'),
  );

  await compose('up', '--detach');
  figure(
    `both replicas healthy ${(await wait(120, healthy, logs)).toFixed(1)} s after the second “up” ended`,
  );
  const sealedUp = await sealed();
  holds(
    'up continues from the checkpoints',
    sealedUp.every((note, index) => sizeOf(note) >= sizeOf(sealedDown[index] ?? '')),
    [...sealedDown, ...sealedUp].join('\n'),
  );
  const after = (await inside('bellhop-2', 'node', 'dist/audit.js', 'export')).trim().split('\n').length;
  holds(`the database keeps its ${entries} entries`, after >= entries, String(after));
  for (const replica of replicas) process.stdout.write(await verify(replica));
  holds('the log verifies on both replicas', true);
  const before = await outside.reboots();
  await outside.say('U0ALICE', '/cloud reboot web-1');
  const card = await outside.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
  await outside.press('U0ALICE', card, 'Cancel');
  await outside.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('cancelled'));
  holds(
    'Bellhop answers after down and up, and sends nothing that was cancelled',
    (await outside.reboots()) === before,
  );
}
