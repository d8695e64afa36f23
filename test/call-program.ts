import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

import { programSources } from './built-bot.ts';
import type { Ran } from './run-node.ts';

const root = join(import.meta.dirname, '..');

/**
 * Runs a program of the bot as `runProgram` does, but in the process of the test. The imports are loaded already, so it
 * takes a tenth of the CPU. Programs run one after another, because a process has one environment. Use `runProgram` to
 * test how a process ends and its exit code.
 */
export const callProgram = (
  program: keyof typeof programSources,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd?: string,
): Promise<Ran> => callScript(programSources[program], args, env, cwd);

/** The same with a file of the checkout. */
export function callScript(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd = root,
): Promise<Ran> {
  const ran = last.then(() => call(join(root, file), args, env, cwd));
  last = ran.catch(() => undefined);
  return ran;
}
let last: Promise<unknown> = Promise.resolve();
let calls = 0;

async function call(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<Ran> {
  const [out, err] = [createSink(), createSink()];
  const restore = replaceProcess({ stdout: out.stream, stderr: err.stream, exit: () => undefined });
  const before = {
    argv: process.argv,
    env: { ...process.env },
    exitCode: process.exitCode,
    cwd: process.cwd(),
  };
  process.argv = [process.execPath, file, ...args];
  process.exitCode = undefined;
  process.chdir(cwd);
  setEnvironment(env);
  try {
    // The address differs each time, so Node runs the file again. Its imports run only once.
    await import(`${pathToFileURL(file).href}?call=${(calls += 1)}`);
    return { out: await out.end(), err: await err.end(), code: exitCode() };
  } finally {
    setEnvironment(before.env);
    process.chdir(before.cwd);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
    restore();
  }
}

const exitCode = (): number => Number(process.exitCode ?? 0);

function createSink() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, written) {
      chunks.push(chunk);
      written();
    },
  });
  return {
    stream,
    end: async (): Promise<string> => {
      await new Promise<void>((resolve) => stream.end(resolve));
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

/** @returns a function that restores the members */
function replaceProcess(members: Readonly<Record<string, unknown>>): () => void {
  const names = Object.keys(members);
  const before = names.map((name) => Object.getOwnPropertyDescriptor(process, name) ?? {});
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(process, name, { value, configurable: true });
  return () => {
    for (const [at, name] of names.entries()) Object.defineProperty(process, name, before[at] ?? {});
  };
}

/** Member by member: Node reads files of settings into this object itself. */
function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}
