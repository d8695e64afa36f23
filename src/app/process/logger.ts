import pino, { type Logger } from 'pino';

import type { Log } from '../../core/model/ports.ts';
import { terminalLine } from './terminal-line.ts';
import { traceId } from './tracing.ts';

/** Never logged, wherever a library or a careless line puts them. */
const secretPaths = ['token', 'authorization', 'apiKey', 'api_key', 'password', 'secret', 'signingSecret'];
const redacted = secretPaths.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers.${name}`]);

export interface LoggerOptions {
  readonly level: string;
  /** Who writes, among several on one store. */
  readonly replica: string;
  /** Lines that people read, in colours or without, instead of JSON. */
  readonly terminal?: 'coloured' | 'plain' | undefined;
  /** Hides secrets by value: it learns what was resolved. */
  readonly mask: (text: string) => string;
  /** The command that a line belongs to, if any. */
  readonly correlationId: () => string | undefined;
}

/**
 * JSON lines on stderr, each with the command that it belongs to; readable ones on a terminal. Secrets are hidden by name,
 * and by value.
 */
export function createLogger({ level, replica, terminal, mask, correlationId }: LoggerOptions): Logger & Log {
  const write = (line: string): void => {
    const masked = mask(line);
    process.stderr.write(terminal ? terminalLine(masked, terminal === 'coloured') : masked);
  };
  return pino(
    {
      level,
      base: { app: 'bellhop', replica },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redacted, censor: '••••' },
      serializers: { err: pino.stdSerializers.errWithCause },
      // What a line says itself goes before what surrounds it.
      mixin: () => {
        const id = correlationId();
        return id === undefined ? {} : { correlationId: id, traceId: traceId() };
      },
    },
    { write },
  );
}
