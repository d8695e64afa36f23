import pino, { type Logger } from 'pino';
import { z } from 'zod';
import { format as formatted, styleText } from 'node:util';

import type { ErrorCode } from '../../model/values/errors.ts';
import { runningHook } from '../../bellhop/own-hook.ts';
import type { DetailedLog, Log } from '../../model/ports.ts';
import { traceId } from './tracing.ts';
import { replicaId } from './this-process.ts';
import { parseJson, withoutQuery } from '../../text/words.ts';

/** Values under these names are never logged, even if a library or a careless line includes them. */
const secretNames: ReadonlySet<string> = new Set([
  'token',
  'authorization',
  'apiKey',
  'api_key',
  'password',
  'secret',
  'signingSecret',
  // Node's error ERR_INVALID_URL has the whole address in this field.
  'input',
]);

const deepest = 4;

/** These errors answer a person, and their messages quote what was typed. */
const answers: ReadonlySet<string> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
  'denied',
  'busy',
]);

const identified = z.object({ id: z.string() });

/**
 * Returns an error without attached data, because bodies, rows, requests and PostgreSQL's `detail` contain what people
 * typed. Plain values, the cause, and ids of objects stay.
 */
function errorFields(error: Error, depth: number): object {
  const { message, stack = '' } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const isAnswer = code !== undefined && answers.has(code);
  const fields: Record<string, unknown> = {
    type: error.name,
    message: isAnswer ? code : message,
    stack: isAnswer ? stack.replace(message, code) : stack,
  };
  const carried: readonly [string, unknown][] = Object.entries(error);
  for (const [name, value] of [...carried, ['cause', error.cause] as const]) {
    if (name in fields || name === 'detail' || value === undefined) continue;
    if (secretNames.has(name)) fields[name] = hidden;
    else if (value instanceof Error) {
      if (depth < deepest) fields[name] = errorFields(value, depth + 1);
    } else if (name === 'path' && typeof value === 'string') fields[name] = withoutQuery(value);
    else if (typeof value !== 'object') fields[name] = value;
    else if (identified.safeParse(value).success) fields[name] = identified.parse(value).id;
  }
  return fields;
}

const hidden = '••••';

/** Returns all other fields unchanged. pino's `redact` costs seven times as much as the rest of a line. */
function hideSecrets(fields: object, depth = 0): object {
  if (fields instanceof Error) return errorFields(fields, depth);
  if (Array.isArray(fields)) return fields.map((item: unknown) => hideInside(item, depth));
  const changed: Record<string, unknown> = {};
  const entries: readonly [string, unknown][] = Object.entries(fields);
  for (const [name, value] of entries) {
    const shown = secretNames.has(name) ? hidden : hideInside(value, depth);
    if (shown !== value) changed[name] = shown;
  }
  return Object.keys(changed).length === 0 ? fields : { ...fields, ...changed };
}

const hideInside = (value: unknown, depth: number): unknown =>
  typeof value === 'object' && value !== null && depth < deepest ? hideSecrets(value, depth + 1) : value;

interface LoggerOptions {
  readonly level: string;
  readonly replica: string;
  readonly terminal?: 'coloured' | 'plain' | undefined;
  readonly mask: (text: string) => string;
  readonly correlationId: () => string | undefined;
}

/**
 * Writes to stderr: readable lines on a terminal, or else JSON lines, each with the id of its command. Secrets are hidden by name and by
 * value.
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
      // `hideSecrets` has already turned errors into objects.
      serializers: { err: (error: unknown) => error },
      // A line's own fields take precedence over the context's.
      mixin: () => {
        const id = correlationId();
        return id === undefined ? {} : { correlationId: id, traceId: traceId() };
      },
    },
    { write },
  );
}

/** Sends the output of operation files through the log, which masks secrets. */
export function consoleToLog(log: DetailedLog): void {
  const to =
    (level: keyof DetailedLog) =>
    (...said: unknown[]): void =>
      log[level]({ operation: runningHook()?.operation }, formatted(...said));
  Object.assign(globalThis.console, {
    log: to('info'),
    info: to('info'),
    debug: to('debug'),
    dir: (said: unknown) => to('info')(said),
    dirxml: to('info'),
    warn: to('warn'),
    error: to('error'),
  });
}

/** At any log level. @param written called once the line is written */
export type Announce = (line: string, written?: () => void) => void;

type LineOptions = Omit<LoggerOptions, 'level' | 'terminal'>;

export function createAnnounce(isWatched: boolean, options: LineOptions): Announce {
  if (isWatched) return (line, written) => void process.stdout.write(`${line}\n`, written);
  const log = createLogger({ ...options, level: 'info' });
  return (line, written) => {
    log.info({}, line);
    written?.();
  };
}

/** One line for each problem. If stderr is not a terminal, one log line for all. */
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

const logLine = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().default(''),
  /** The app's name is omitted on a terminal, because it is obvious there. */
  app: z.unknown(),
  replica: z.unknown(),
  err: z.looseObject({ stack: z.string() }).optional(),
});

const colours = new Map([
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
] as const);

/**
 * The format is `14:05:09 warn message name=value`, then the stack of an error, without terminal control characters. Other lines stay
 * unchanged.
 */
export function terminalLine(json: string, coloured: boolean): string {
  const { data } = logLine.safeParse(parseJson(json));
  if (!data) return json;
  const { level, time, msg, app: _app, replica: _replica, err, ...fields } = data;
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  const colour = [...colours].find(([name]) => name === level)?.[1];
  const values = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  const words = [
    style('dim', clockTime(time)),
    colour ? style(colour, level) : level,
    harmless(msg),
    ...(values.length === 0 ? [] : [style('dim', harmless(values.join(' ')))]),
  ];
  const stack = err ? `\n${harmless(err.stack).replaceAll(/^/gmu, '  ')}` : '';
  return `${words.join(' ')}${stack}\n`;
}

const clockTime = (iso: string): string => new Date(iso).toTimeString().slice(0, 8);

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value);

/** Text from outside could move the cursor or rewrite the lines above. */
const harmless = (text: string): string =>
  text.replaceAll(/(?!\n)\p{Cc}/gu, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
