import type { Log } from '../src/model/ports.ts';

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: object;
  readonly message: string;
}

/** A log that can be read back. */
export interface RecordingLog extends Log {
  readonly lines: LogLine[];
  /** Messages of warnings and errors. */
  readonly troubles: string[];
}

export function recordingLog(): RecordingLog {
  const lines: LogLine[] = [];
  const troubles: string[] = [];
  const write =
    (level: LogLine['level']) =>
    (details: object, message: string): void => {
      lines.push({ level, details, message });
      if (level !== 'info') troubles.push(message);
    };
  return { lines, troubles, info: write('info'), warn: write('warn'), error: write('error') };
}
