import pino, { type Logger } from 'pino';

import type { Log } from '../../core/model/ports.ts';
import { terminalLine } from './terminal-line.ts';
import { traceId } from './tracing.ts';

/** Never logged, wherever a library or a careless line puts them. */
const secretNames: ReadonlySet<string> = new Set([
  'token',
  'authorization',
  'apiKey',
  'api_key',
  'password',
  'secret',
  'signingSecret',
]);

/** Objects in objects that are looked into. */
const deepest = 4;

/**
 * Fields with the values of these names hidden and errors as objects; what has none of them is given back as it is. What pino
 * has for it, `redact`, costs seven times as much as the rest of a line.
 */
function hideSecrets(fields: object, depth = 0): object {
  if (fields instanceof Error) return hideSecrets(pino.stdSerializers.errWithCause(fields), depth);
  if (Array.isArray(fields)) return fields.map((item: unknown) => hideInside(item, depth));
  const hidden: Record<string, unknown> = {};
  const entries: readonly [string, unknown][] = Object.entries(fields);
  for (const [name, value] of entries) {
    const shown = secretNames.has(name) ? '••••' : hideInside(value, depth);
    if (shown !== value) hidden[name] = shown;
  }
  return Object.keys(hidden).length === 0 ? fields : { ...fields, ...hidden };
}

const hideInside = (value: unknown, depth: number): unknown =>
  typeof value === 'object' && value !== null && depth < deepest ? hideSecrets(value, depth + 1) : value;

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
      formatters: { level: (label) => ({ level: label }), log: (fields) => ({ ...hideSecrets(fields) }) },
      // They are objects already.
      serializers: { err: (error: unknown) => error },
      // What a line says itself goes before what surrounds it.
      mixin: () => {
        const id = correlationId();
        return id === undefined ? {} : { correlationId: id, traceId: traceId() };
      },
    },
    { write },
  );
}
