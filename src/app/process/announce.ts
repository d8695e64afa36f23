import { createLogger, type LoggerOptions } from './logger.ts';
import { replicaId } from './this-replica.ts';

/** Says that Bellhop is ready or stops, whatever the level of the log. @param written called once it is out */
export type Announce = (line: string, written?: () => void) => void;

type LineOptions = Omit<LoggerOptions, 'level' | 'terminal'>;

/** In plain words on stdout where a person watches; else as a line of the log, like all else that a shipper reads. */
export function createAnnounce(isWatched: boolean, options: LineOptions): Announce {
  if (isWatched) return (line, written) => void process.stdout.write(`${line}\n`, written);
  const log = createLogger({ ...options, level: 'info' });
  return (line, written) => {
    log.info({}, line);
    written?.();
  };
}

/** Says why a start failed, a line for each thing to do; as one line of the log where stderr is no terminal. */
export function announceFailedStart(problems: string, written: () => void): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`Bellhop cannot start.\n${problems}\n`, written);
    return;
  }
  const plain = { replica: replicaId(), mask: (text: string) => text, correlationId: () => undefined };
  createLogger({ ...plain, level: 'error' }).error(
    { problems: problems.split('\n') },
    'Bellhop cannot start.',
  );
  written();
}
