import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { checkOptions, type Program, readOptions, runProgram } from '../../src/program/run-program.ts';
import { freePort } from '../free-port.ts';
import { say, textTable } from '../harness/report.ts';

const program: Program = {
  command: 'npm run test:install --',
  help: `Usage: npm run test:install -- [options]
Installs the last commit in a clean folder with each version of npm on each version of Node, then starts it, runs one
test, and starts the bundle as the systemd unit does. The versions come from the registry.
  --npm <versions>     separated by commas (9.2.0,10.8.2,10.9.3,11.6.2)
  --node <versions>    of the machine's own Node (18,20,22,24)
  --help               show this`,
};

const versions = (initial: string) =>
  z
    .string()
    .regex(/^[\d.]+(?:,[\d.]+)*$/u, 'takes versions, separated by commas')
    .default(initial)
    .transform((text) => text.split(','));
const text = { type: 'string' } as const;
const schema = z.object({ npm: versions('9.2.0,10.8.2,10.9.3,11.6.2'), node: versions('18,20,22,24') });

const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'bellhop-install-'));
const nodePackage = `node-${process.platform}-${process.arch}`;

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The machine's settings, without what the npm that runs this adds to them. */
const machine = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_(?:registry|cache)$)|NODE(?:_OPTIONS|_ENV|_COMPILE_CACHE)?$|BELLHOP|DATA_DIR$)/iu.test(
        name,
      ),
  ),
);
const systemPath = (process.env['PATH'] ?? '').split(':').filter((one) => !one.includes('node_modules'));

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function begin(command: string, { cwd, env }: Place): Running {
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { child, output: () => output, ended };
}

/** @throws Error with the output if it does not end with 0 */
async function run(command: string, place: Place): Promise<string> {
  const { output, ended } = begin(command, place);
  const code = await ended;
  if (code !== 0) throw new Error(`${command}: exit ${code}\n${output()}`);
  return output();
}

/** Runs `npm start` until it names its page, reads the page, and stops it as a Ctrl-C does. */
async function startAndStop(place: Place): Promise<void> {
  const { child, output, ended } = begin('exec npm start', place);
  const page = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const [, url] = /^Open (\S+)$/mu.exec(output()) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([page, ended]);
  if (typeof url !== 'string') throw new Error(`npm start: exit ${url}\n${output()}`);
  const { status } = await fetch(url);
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  if (status !== 200) throw new Error(`npm start: its page answers ${status}`);
  if (!output().includes('Bellhop stopped.')) throw new Error(`npm start: stopped at once\n${output()}`);
}

/** The steps of a newcomer, and of a person who installs the systemd unit. @returns the Node that npm itself ran on */
async function install(npm: string, node: string): Promise<string> {
  const folder = join(work, `npm-${npm}-node-${node}`);
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const tools = { cwd: work, env: { ...machine, PATH: systemPath.join(':') } };
  await run(
    `npm install --silent --no-audit --prefix "${folder}/tools" npm@${npm} ${nodePackage}@${node}`,
    tools,
  );
  const packages = join(folder, 'tools/node_modules');
  symlinkSync(join(packages, nodePackage, 'bin/node'), join(bin, 'node'));
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec node "${packages}/npm/bin/npm-cli.js" "$@"\n`, {
    mode: 0o755,
  });
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    ...machine,
    PATH: [bin, ...systemPath].join(':'),
    PORT: String(ports[0]),
    LOCAL_PORT: String(ports[1]),
    LOCAL_SERVICE_PORT: String(ports[2]),
  };
  const place = { cwd: join(folder, 'bellhop'), env };
  await run(`git clone --quiet "${root}" bellhop`, { cwd: folder, env });
  await run('npm ci', place);
  await startAndStop(place);
  await run('npm test -- test/text/nearest.test.ts', place);
  await run('npm run build && npm prune --omit=dev', place);
  const unit = readFileSync(join(place.cwd, 'deploy/bellhop.service'), 'utf8');
  await run(`${/^ExecStart=(.+)$/mu.exec(unit)?.[1]} --help`, place);
  const found = await run('node --version', place);
  rmSync(folder, { recursive: true });
  return found.trim();
}

/** npm 11 needs Node 20. */
const fits = (npm: string, node: string): boolean =>
  !(Number(npm.split('.')[0]) >= 11 && Number(node.split('.')[0]) < 20);

await runProgram(program, async (args) => {
  const options = checkOptions(schema, readOptions(args, { npm: text, node: text }).values);
  const rows: string[][] = [['npm', 'Node', 'result']];
  let failed = 0;
  for (const npm of options.npm) {
    for (const node of options.node.filter((version) => fits(npm, version))) {
      try {
        rows.push([npm, await install(npm, node), 'works']);
      } catch (error) {
        failed += 1;
        say(String(error));
        rows.push([npm, node, 'fails']);
      }
      say(rows.at(-1)?.join(' ') ?? '');
    }
  }
  say(textTable(rows));
  rmSync(work, { recursive: true, force: true });
  return failed === 0 ? undefined : 1;
});
