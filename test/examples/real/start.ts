import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { onTestFinished } from 'vitest';

/** `npm run test:examples` sets this. `npm test` needs no package of Debian. */
export const isReal = process.env['EXAMPLES'] === '1';

/** Starts a program until the test ends. Its output is in the error if it ends before. */
export function start(program: string, args: readonly string[]) {
  const child = spawn(program, args);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const exited = once(child, 'exit');
  const failed = exited.then(() => Promise.reject(new Error(`${program} ended: ${said}`)));
  failed.catch(() => undefined);
  onTestFinished(async () => {
    child.kill();
    await exited;
  });
  return { failed, said: () => said };
}
