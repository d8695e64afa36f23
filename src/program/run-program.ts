import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import { z } from 'zod';

/** The error for a missing or unknown command of a program. */
export const unknownCommand = (typed: string | undefined, known: Iterable<string>): string => {
  const choice = `Use ${[...known].join(', ')}.`;
  return typed === undefined || typed === ''
    ? `Name a command. ${choice}`
    : `Unknown command “${typed}”. ${choice}`;
};

/** A usage error: one line each, with the option and its valid values. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A program of the command line. */
export interface Program {
  /** As people type it: `npm run audit --`. */
  readonly command: string;
  /** What `--help` prints, from "Usage: " on. */
  readonly help: string;
  /** The exit code if the command was right but something else failed. Default: 1. */
  readonly failureCode?: number;
  /** Whether it accepts `--env-file`, because it reads the service's settings. */
  readonly takesEnvFile?: boolean;
}

/**
 * Runs a program with its arguments. `--help` prints the help. A mistake in the command is a line on stderr and exit code
 * 2; what else goes wrong is a sentence on stderr.
 * @param main resolves to the exit code; undefined if the program keeps running or sets its own
 */
export async function runProgram(
  program: Program,
  main: (args: readonly string[]) => Promise<number | undefined>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${program.help}\n`);
    return;
  }
  try {
    const code = await main(program.takesEnvFile === true ? loadEnvFile(args) : args);
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    // The reader closed the pipe: `… export | head`.
    if (codeOf(error) === 'EPIPE') return;
    process.exitCode = error instanceof UsageError ? 2 : (program.failureCode ?? 1);
    process.stderr.write(`${sentence(error, program)}\n`);
  }
}

/** Help text for programs that take `--env-file`. */
export const envFileHelp =
  '--env-file <file> also reads settings from a file, such as /etc/bellhop/bellhop.env; variables already set win.';

/**
 * Removes `--env-file` from the arguments and loads the file into the environment. Node reads this option itself, wherever it is,
 * and leaves it in the arguments.
 * @throws UsageError
 */
function loadEnvFile(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => arg === '--env-file' || arg.startsWith('--env-file='));
  if (at < 0) return args;
  const [, inline] = /^--env-file=(.*)$/su.exec(args[at] ?? '') ?? [];
  const file = inline ?? args[at + 1] ?? '';
  try {
    process.loadEnvFile(file);
  } catch (cause) {
    throw new UsageError(`--env-file: ${file} cannot be read (${codeOf(cause)}).`, { cause });
  }
  return args.toSpliced(at, inline === undefined ? 2 : 1);
}

/** Reads options, and words where the program takes some. @throws UsageError */
export function readOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    if (!(error instanceof Error) || !codeOf(error).startsWith('ERR_PARSE_ARGS')) throw error;
    // Node adds advice about option syntax.
    const [mistake = ''] = error.message.split(/[.\n]/u, 1);
    throw new UsageError(`${mistake}.`, { cause: error });
  }
}

/** The values of options as their schema makes them, by their names without dashes. @throws UsageError */
export function checkOptions<S extends z.ZodType>(schema: S, values: unknown): z.output<S> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}.`);
  throw new UsageError([...new Set(lines)].join('\n'));
}

/** An option that is a whole number. */
export function wholeNumber(least: number, most: number) {
  const what = `takes a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/u, what)
    .transform(Number)
    .refine((number) => number >= least && number <= most, what);
}

/** An option that is a TCP port, 0 for any free one. */
export const portNumber = wholeNumber(0, 65_535);

function sentence(error: unknown, { command }: Program): string {
  if (error instanceof UsageError) return `${error.message} Help: ${command} --help`;
  if (!(error instanceof Error)) return String(error);
  if (codeOf(error) === 'ERR_MODULE_NOT_FOUND')
    return 'A required package is not installed. Run "npm ci" in a checkout of the repository, without --omit.';
  if (codeOf(error) === 'EADDRINUSE')
    return `${portOf(error)}. Stop the program that uses it, or choose another with --port.`;
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isBug ? (error.stack ?? error.message) : error.message;
}

const listenError = z.object({ port: z.number(), address: z.string() });

function portOf(error: Error): string {
  const { data } = listenError.safeParse(error);
  return data ? `Port ${data.port} of ${data.address} is taken` : 'The port is taken';
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
