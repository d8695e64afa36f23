import { styleText } from 'node:util';

import { z } from 'zod';

const logLine = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().default(''),
  /** Who writes is plain where one reads along. */
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
 * A JSON line of the log as somebody reads it who watches a terminal: `14:05:09 warn message name=value`, then the stack of
 * an error. No character of it steers the terminal. A line that is none of ours stays as it is.
 */
export function terminalLine(json: string, coloured: boolean): string {
  const { data } = logLine.safeParse(parsed(json));
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

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const clockTime = (iso: string): string => new Date(iso).toTimeString().slice(0, 8);

/** A word as it is, all else as JSON. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value);

/** Text from outside could move the cursor or rewrite the lines above. */
const harmless = (text: string): string =>
  text.replaceAll(/(?!\n)\p{Cc}/gu, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
