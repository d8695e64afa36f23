import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { defaultInventory } from '../playground/service/state/inventory.ts';
import { startLocalService } from '../playground/service/start-local-service.ts';
import { startWorkspace } from '../playground/workspace/start-workspace.ts';
import { freePort } from '../test/free-port.ts';

/**
 * Carries out the Dockerfile without Docker: checks out the last commit into an empty folder, installs and builds
 * there, keeps only what the image copies, then runs its commands as another user who may write only to /data, until
 * the health check passes.
 */
const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'bellhop-image-'));
const stage = join(work, 'build');
const app = join(work, 'app');
const data = join(work, 'data');
/** The user `node` of the image. */
const node = { uid: 1000, gid: 1000 };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const words = z.array(z.string()).min(1);

interface Image {
  /** The files that the first stage copies, and its commands. */
  readonly sources: readonly string[];
  readonly build: readonly string[];
  /** The files that the image copies from the checkout, and from the first stage. */
  readonly copied: readonly string[];
  readonly built: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folders that its user owns. */
  readonly owned: readonly string[];
  /** The command that its user runs while the image is built. */
  readonly warmUp: string;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

const all = (of: string, pattern: RegExp): readonly string[] =>
  [...of.matchAll(pattern)].map(([, found = '']) => found);

/** The few instructions that our Dockerfile has. @throws if one is missing */
function readDockerfile(): Image {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const [, first = '', second = ''] = text.split(/^FROM /mu);
  const only = (pattern: RegExp): string => {
    const found = pattern.exec(second)?.[1];
    if (found === undefined) throw new Error(`The Dockerfile has no ${pattern}`);
    return found.trim();
  };
  const copies = (of: string): readonly string[] =>
    all(of, /^COPY (?!--from)(.+) \S+$/gmu).flatMap((files) => files.split(' '));
  return {
    sources: copies(first),
    build: all(first, /^RUN (.+)$/gmu),
    copied: copies(second),
    built: all(second, /^COPY --from=build \/app\/(\S+) /gmu),
    env: Object.fromEntries(
      only(/^ENV (.+)$/mu)
        .split(/\s+/u)
        .map((pair): [string, string] => {
          const [name = '', value = ''] = pair.split('=', 2);
          return [name, here(value)];
        }),
    ),
    owned: only(/^RUN install --directory (?:--\S+ )+(.+)$/mu).split(' '),
    warmUp: only(/^RUN (node .+)$/mu),
    command: words.parse(JSON.parse(only(/^CMD (.+)$/mu))),
    healthCheck: words.parse(JSON.parse(only(/^HEALTHCHECK .*?CMD (\[.+\])$/mu))),
  };
}

/** The path on this machine for a path in the image. */
const here = (path: string): string => path.replace(/^\/(?=app|data)/u, `${work}/`);

/** Copies the image's Node to a place where the other user can also run it. */
function bringNode(): string {
  const bin = join(work, 'bin');
  mkdirSync(bin);
  copyFileSync(process.execPath, join(bin, 'node'));
  return [bin, ...(process.env['PATH'] ?? '').split(':').filter((one) => !one.includes('node_modules'))].join(
    ':',
  );
}

/**
 * The settings with which this machine reaches the registry: proxies and certificates, but no settings for npm itself.
 */
const network = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /proxy|CERT|SSL/iu.test(name)));

function checkOut(files: readonly string[], folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', 'HEAD', ...files], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
}

function build(image: Image, path: string): void {
  checkOut(image.sources, stage);
  for (const step of image.build) {
    say(`${step} …`);
    execFileSync('sh', ['-c', step], {
      cwd: stage,
      env: { ...network(), PATH: path, HOME: work, NPM_CONFIG_CACHE: join(work, 'npm') },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  checkOut(image.copied, app);
  for (const files of image.built) cpSync(join(stage, files), join(app, files), { recursive: true });
  rmSync(stage, { recursive: true });
  execFileSync('chmod', ['-R', 'a+rX,a-w', app]);
  chmodSync(work, 0o755);
  for (const folder of image.owned) {
    const own = resolve(app, here(folder));
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, node.uid, node.gid);
  }
  say(`${image.warmUp} …`);
  execFileSync('sh', ['-c', image.warmUp], { cwd: app, env: { ...image.env, PATH: path }, ...node });
}

/** @throws if the image has a package, the playground or sources, because it should run only the bundle */
function checkForSources(): void {
  const found = ['playground', 'node_modules', 'src', 'scripts'].filter((path) =>
    existsSync(join(app, path)),
  );
  if (found.length > 0) throw new Error(`The image has what only its build needs: ${found.join(', ')}`);
  say('The image has no packages, no sources and no playground.');
}

type Started = { readonly child: ChildProcess; readonly output: () => string };

/** Starts a command as the image does: as its user, with its environment only. */
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
  new Promise((done) => {
    if (child.exitCode === null) child.once('exit', done);
    else done(child.exitCode);
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
  writeFileSync(rules, readFileSync(join(root, 'examples/bellhop.minimal.yaml')));
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
    if (!/"warm":true,"msg":"compile cache in use"/u.test(bot.output()))
      throw new Error(`It does not use the compile cache of the image:\n${bot.output()}`);
  } finally {
    bot.child.kill('SIGKILL');
    await workspace.close();
    await service.close();
  }
}

/**
 * Runs the health check as Docker does, until it passes.
 * @throws if it ends or is not healthy within 50 s: the start period and three retries of the health check
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
  checkForSources();
  await run(image, path);
  const megabytes =
    execFileSync('sh', ['-c', 'du -sm .'], { cwd: app, encoding: 'utf8' }).split('\t')[0] ?? '';
  say(
    `The steps of the Dockerfile work: ${megabytes} MB without Node; the user it runs as can't write to any of it.`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
