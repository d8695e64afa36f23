import { fork } from 'node:child_process';
import module from 'node:module';
import { dirname } from 'node:path';

/** In MB. Ten thousand instances with a dozen labels each fit. */
const execArgv = ['--max-old-space-size=256'];

/**
 * A thread's memory would stay with Bellhop, so the task gets a process. Settings are withheld from the process, because they contain
 * secrets. It shares the compile cache of Bellhop, with which it starts in half the time.
 * @param program a file that calls `reply` for its message
 */
export async function askWorker<Answer>(program: URL, task: object, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const worker = fork(program, {
    serialization: 'advanced',
    execArgv,
    env: cacheSettings(),
    stdio: 'ignore',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once('message', (answer: Answer) => resolve(answer));
  worker.on('error', reject);
  worker.once('exit', () => reject(new Error('reading it took too much memory, or failed')));
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    worker.send(task);
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    worker.kill('SIGKILL');
  }
}

/** The cache of a version of Node is a folder within the one of the setting. */
function cacheSettings(): NodeJS.ProcessEnv {
  const folder = module.getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** The answer is plain data. This process ends with the one that asked. */
export async function reply(answer: unknown): Promise<void> {
  process.once('disconnect', () => process.exit());
  const plain = await answer;
  // Written now, because this process is killed as soon as its answer has arrived.
  module.flushCompileCache();
  process.send?.(plain);
}
