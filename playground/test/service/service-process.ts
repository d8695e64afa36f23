import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const { PATH, NODE_COMPILE_CACHE } = process.env;

const main = new URL('../../service/main.ts', import.meta.url).pathname;

export interface ServiceProcess {
  child: ChildProcess;
  /** The URL at which it listens. Rejects with its output if it ends earlier. */
  url: Promise<string>;
  /** Resolves to the exit code and the output. */
  ended: Promise<{ code: number | null; output: string }>;
}

/** Runs the program of the service, with these arguments and nothing of our environment but the path. */
export const runService = (args: readonly string[], env: Record<string, string> = {}): ServiceProcess => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    cwd: env['PWD'] ?? process.cwd(),
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  const url = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^http:\/\/\S+$/m.exec(output)?.[0];
      if (found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(output)));
  });
  url.catch(() => undefined);
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  return { child, url, ended };
};
