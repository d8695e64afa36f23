import { LogLevel, type Logger } from '@slack/bolt';

import type { Log } from '../../core/model/ports.ts';

/** Bolt's own words in our log. Its debug lines, which hold whole bodies, are never made. */
export function boltLogger(log: Log): Logger {
  return {
    debug() {},
    info: (...parts) => log.info({ from: 'bolt' }, text(parts)),
    warn: (...parts) => log.warn({ from: 'bolt' }, text(parts)),
    error: (...parts) => log.error({ from: 'bolt' }, text(parts)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}

const text = (parts: readonly unknown[]): string =>
  parts
    .map((part) => (part instanceof Error ? part.message : String(part)))
    .join(' ')
    .slice(0, 2000);
