import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { z } from 'zod';

import { botProgram } from '../built-bot.ts';

const root = join(import.meta.dirname, '../..');

/** The bot as a separate process, which can be stopped and killed. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** All it wrote so far, both streams. */
  output(): string;
  /** Sends the signal. Resolves to the exit code, or to the signal if it killed the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  readonly exited: Promise<number | NodeJS.Signals | null>;
}

export interface ProcessOptions {
  /** The path of another Node than that of the tests. */
  readonly node?: string;
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
  /** The line that the program prints once it is ready. */
  readonly until?: RegExp;
  /** The path of another program than the bot. */
  readonly program?: string;
  readonly args?: readonly string[];
  /** Another user than the one that runs the tests, by number. */
  readonly user?: number | undefined;
}

const failedStart = z.object({ level: z.literal('error'), msg: z.string(), problems: z.array(z.string()) });

/** The problems of a failed start, read from its only log line, as a log shipper reads it. */
export function startProblems(bot: Pick<BotProcess, 'output'>): readonly string[] {
  const { msg, problems } = failedStart.parse(JSON.parse(bot.output()));
  return [msg, ...problems];
}

/** The variables that any program needs from the machine's environment. None of them configures Bellhop. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => ['PATH', 'HOME', 'TMPDIR', 'LANG'].includes(name)),
);

/** Ends the bot if the test is killed: the end of the test closes the pipe that this code reads. */
const dieWithTest = `data:text/javascript,${encodeURIComponent(
  "process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume().unref();",
)}`;

/** Starts the program. Resolves once the program says that it is ready (or prints `until`), or has exited. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  {
    node = process.execPath,
    nodeOptions = [],
    cwd = root,
    until = /Bellhop is ready/u,
    program = botProgram('start'),
    args = [],
    user,
  }: ProcessOptions = {},
): Promise<BotProcess> {
  const child = spawn(node, ['--import', dieWithTest, ...nodeOptions, program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    uid: user,
    gid: user,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const ready = new Promise<void>((resolve) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (until.test(output)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
  });
  await Promise.race([ready, exited]);
  // Earlier log lines are in the other pipe, and are read in the same turn.
  await turn();
  return {
    child,
    output: () => output,
    exited,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
