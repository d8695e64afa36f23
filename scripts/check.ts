import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

const root = join(import.meta.dirname, '..');

/** Checks that take long begin first. */
const checks = ['types', 'lint', 'unused', 'generated', 'words', 'format', 'lock'];

/** Most checks use one core. */
const atOnce = 2;

export interface Check {
  readonly name: string;
  readonly command: string;
}

interface Ended extends Check {
  readonly output: string;
  readonly ok: boolean;
}

/**
 * Runs the commands, two at a time. The output of each is printed in one piece when it has ended. After the first
 * failure, no other command begins, and running ones are ended.
 * @returns the command that failed first
 */
export async function runChecks(
  all: readonly Check[],
  print: (text: string) => void,
): Promise<Check | undefined> {
  const left = [...all];
  const running = new Set<ChildProcess>();
  let failed: Check | undefined;
  const runNext = async (): Promise<void> => {
    for (let next = left.shift(); next && !failed; next = left.shift()) {
      const { ok, output, name, command } = await run(next, running);
      if (failed) return;
      print(`\n> ${name}: ${command}\n${output}`);
      if (ok) continue;
      failed = next;
      for (const child of running) child.kill();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  return failed;
}

function run(check: Check, running: Set<ChildProcess>): Promise<Ended> {
  const child = spawn('sh', ['-c', `exec ${check.command}`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve({ ...check, ok: code === 0, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

/** The commands of the scripts `check:…` of package.json, each for itself. */
export function checksOf(packageJson: string): readonly Check[] {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(packageJson));
  return checks.flatMap((check) => {
    const name = `check:${check}`;
    return z
      .string(`package.json has no ${name}`)
      .parse(scripts[name])
      .split(' && ')
      .map((command) => ({ name, command }));
  });
}

if (import.meta.main) {
  const failed = await runChecks(checksOf(readFileSync(join(root, 'package.json'), 'utf8')), (text) =>
    process.stdout.write(text),
  );
  if (failed) {
    process.stderr.write(`\nFailed: ${failed.name} (${failed.command})\n`);
    process.exitCode = 1;
  }
}
