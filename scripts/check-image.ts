import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { defaultInventory } from '../playground/service/state/inventory.ts';
import { startLocalService } from '../playground/service/start-local-service.ts';
import { startWorkspace } from '../playground/workspace/start-workspace.ts';
import { freePort } from '../test/free-port.ts';

/**
 * Does by hand what the Dockerfile says, where no Docker is: the last commit in an empty folder, its npm step, only what
 * it copies, then its command as another user who may write nothing but /data, until its health check says well.
 */
const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'bellhop-image-'));
const app = join(work, 'app');
const data = join(work, 'data');
/** The user `node` of the image. */
const node = { uid: 1000, gid: 1000 };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const words = z.array(z.string()).min(1);

interface Image {
  readonly install: string;
  readonly copied: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** The few instructions that our Dockerfile has. @throws where one is missing */
function readDockerfile(): Image {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const only = (pattern: RegExp): string => {
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`The Dockerfile has no ${pattern}`);
    return found.trim();
  };
  return {
    install: only(/^RUN (npm .+)$/mu),
    copied: [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gmu)].flatMap(([, files = '']) => files.split(' ')),
    env: Object.fromEntries(
      only(/^ENV (.+)$/mu)
        .split(/\s+/u)
        .map((pair): [string, string] => {
          const [name = '', value = ''] = pair.split('=', 2);
          return [name, value];
        }),
    ),
    command: words.parse(JSON.parse(only(/^CMD (.+)$/mu))),
    healthCheck: words.parse(JSON.parse(only(/^HEALTHCHECK .*?CMD (\[.+\])$/mu))),
  };
}

/** The image's Node, where the other user can run it too. */
function bringNode(): string {
  const bin = join(work, 'bin');
  mkdirSync(bin);
  copyFileSync(process.execPath, join(bin, 'node'));
  return [bin, ...(process.env['PATH'] ?? '').split(':').filter((one) => !one.includes('node_modules'))].join(
    ':',
  );
}

/** How this machine reaches the registry: proxies and certificates, nothing that is set for npm itself. */
const network = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /proxy|CERT|SSL/iu.test(name)));

function build({ install, copied }: Image, path: string): void {
  mkdirSync(app);
  const files = execFileSync('git', ['archive', 'HEAD', ...new Set(copied)], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['x', '-C', app], { input: files });
  say(`${install} …`);
  execFileSync('sh', ['-c', install], {
    cwd: app,
    env: { ...network(), PATH: path, HOME: work, NPM_CONFIG_CACHE: join(work, 'npm') },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  execFileSync('chmod', ['-R', 'a+rX,a-w', app]);
  mkdirSync(data, { mode: 0o700 });
  execFileSync('chown', [`${node.uid}:${node.gid}`, data]);
  chmodSync(work, 0o755);
}

const lockFile = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

/** @throws where the image has the playground, or a package that only the playground, tests and checks need */
function checkForPlayground(): void {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const development = Object.keys(packages).filter((path) => packages[path]?.dev === true);
  const found = ['playground', ...development].filter((path) => existsSync(join(app, path)));
  if (found.length > 0) throw new Error(`The image has what only development needs: ${found.join(', ')}`);
  say(`The image has no playground and none of the ${development.length} packages of development.`);
}

type Started = { readonly child: ChildProcess; readonly output: () => string };

/** As the image does: its own environment and nothing of ours, as the user of the image. */
function start(command: readonly string[], env: Readonly<Record<string, string>>): Started {
  const [program = '', ...given] = command;
  const child = spawn(program, given, { cwd: app, env, ...node, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  return { child, output: () => output };
}

const exitCode = ({ child }: Started): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode === null) child.once('exit', resolve);
    else resolve(child.exitCode);
  });

async function run(image: Image, path: string): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startLocalService({
    port: 0,
    dataDir: join(work, 'service'),
    apiKey: 'key',
    inventory: defaultInventory,
  });
  const slack = { botToken: 'xoxb-image', signingSecret: 'a-signing-secret' };
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(work, 'workspace'),
    appUrl: `${url}/slack/events`,
    ...slack,
    manifestPath: join(root, 'manifest.json'),
  });
  const rules = join(work, 'bellhop.yaml');
  writeFileSync(rules, readFileSync(join(root, 'bellhop.example.yaml')));
  const env = {
    ...image.env,
    PATH: path,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: data,
    BELLHOP_CONFIG: rules,
    API_BASE_URL: service.url,
    API_KEY: 'key',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: `${workspace.url}/api/`,
  };
  const bot = start(image.command, env);
  try {
    await healthy(image, env, bot);
    const readiness = await fetch(`${url}/readyz`);
    say(`/readyz: ${readiness.status} ${await readiness.text()}`);
    bot.child.kill('SIGTERM');
    const code = await exitCode(bot);
    if (readiness.status !== 200 || code !== 0)
      throw new Error(`ready ${readiness.status}, exit ${code}\n${bot.output()}`);
  } finally {
    bot.child.kill('SIGKILL');
    await workspace.close();
    await service.close();
  }
}

/**
 * Runs the health check as Docker does, until it passes.
 * @throws where it ends or is not well in 50 s: the start period and three retries of the health check
 */
async function healthy(image: Image, env: Readonly<Record<string, string>>, bot: Started): Promise<void> {
  const deadline = performance.now() + 50_000;
  while (bot.child.exitCode === null && performance.now() < deadline) {
    if ((await exitCode(start(image.healthCheck, env))) === 0) return;
  }
  throw new Error(`It is not healthy:\n${bot.output()}`);
}

try {
  const image = readDockerfile();
  const path = bringNode();
  build(image, path);
  checkForPlayground();
  await run(image, path);
  const megabytes =
    execFileSync('sh', ['-c', 'du -sm .'], { cwd: app, encoding: 'utf8' }).split('\t')[0] ?? '';
  say(
    `The steps of the Dockerfile work: ${megabytes} MB beside Node, run by a user who may write nothing of it.`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
