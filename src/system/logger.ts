import pino, { type Logger } from 'pino';

import type { Log } from '../core/ports.ts';

/** Never logged, wherever a library or a careless line puts them. */
const secretPaths = ['token', 'authorization', 'apiKey', 'api_key', 'password', 'secret', 'signingSecret'];
const redacted = secretPaths.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers.${name}`]);

/** JSON lines on stderr. Secrets are hidden by name, and by value through `mask`, which learns what was resolved. */
export function createLogger(level: string, mask: (text: string) => string): Logger & Log {
  return pino(
    {
      level,
      base: { app: 'bellhop' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redacted, censor: '••••' },
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    { write: (line: string) => void process.stderr.write(mask(line)) },
  );
}
