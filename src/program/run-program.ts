import { Console } from 'node:console';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

import { z } from 'zod';

import { removedText } from '../text/nearest.ts';

/** A usage error. The message has one line per mistake, with the option and its valid values. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Program {
  readonly command: string;
  readonly help: string;
  /** The exit code if the command was right but something else failed. Default: 1. */
  readonly failureCode?: number;
  /** True for programs that read the service's settings. */
  readonly takesEnvFile?: boolean;
}

/**
 * Runs a program with its arguments. A mistake in the command prints its message to stderr and exits with 2. Any other
 * failure prints a sentence to stderr.
 * @param main resolves to the exit code, or to undefined if the program keeps running or sets its exit code itself
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
  const { console } = globalThis;
  // Only results go to standard output. Files of your own operations may log while they are loaded.
  globalThis.console = new Console(process.stderr, process.stderr);
  try {
    const code = await main(program.takesEnvFile === true ? loadEnvFile(args) : args);
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    // The reader closed the pipe, as in `… export | head`.
    if (codeOf(error) === 'EPIPE') return;
    process.exitCode = error instanceof UsageError ? 2 : (program.failureCode ?? 1);
    process.stderr.write(`${sentence(error, program)}\n`);
  } finally {
    globalThis.console = console;
  }
}

export interface Command {
  readonly summary?: string;
  /** The help text, from "Usage: " on. Default: the program's help. */
  readonly help?: string;
  /** Resolves to the exit code. @throws UsageError */
  readonly run: (args: readonly string[]) => Promise<number>;
}

interface Declared<O extends ParseArgsOptionsConfig> extends Omit<Command, 'run'> {
  readonly options: O;
  /** By default, a command takes no words. `otherwise` is the error for a wrong number of words. */
  readonly words?: { readonly least: number; readonly most: number; readonly otherwise: string };
  readonly run: (
    values: ReturnType<typeof readOptions<O>>['values'],
    words: readonly string[],
  ) => Promise<number>;
}

export const command = <const O extends ParseArgsOptionsConfig>({
  options,
  words,
  run,
  ...shown
}: Declared<O>): Command => ({
  ...shown,
  async run(args) {
    const { values, positionals } = readOptions(args, options, words !== undefined);
    const { length } = positionals;
    if (words && (length < words.least || length > words.most)) throw new UsageError(words.otherwise);
    return run(values, positionals);
  },
});

export const commandLines = (commands: Readonly<Record<string, Command>>): string =>
  Object.entries(commands)
    .map(([name, { summary = '' }]) => `  ${name.padEnd(12)}${summary}`)
    .join('\n');

export async function runCommands(
  program: Program,
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  const named = new Map(Object.entries(commands));
  const { help = program.help } = named.get(process.argv[2] ?? '') ?? {};
  await runProgram({ ...program, help }, async ([name = '', ...rest]) => {
    const chosen = named.get(name);
    if (chosen) return chosen.run(rest);
    readOptions([name, ...rest], {}, true);
    const choice = `Use ${[...named.keys()].join(', ')}.`;
    throw new UsageError(name === '' ? `Name a command. ${choice}` : `Unknown command “${name}”. ${choice}`);
  });
}

export const envFileHelp =
  '--env-file <file> also reads settings from a file, such as /etc/bellhop/bellhop.env; variables already set win.';

/**
 * Node reads this option wherever it is, and leaves it in the arguments.
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

/** @throws UsageError */
export function readOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    if (!(error instanceof Error) || !codeOf(error).startsWith('ERR_PARSE_ARGS')) throw error;
    const removed = args.map((arg) => removedText(arg.replace(/=.*/su, ''))).find(Boolean);
    // Cuts off the advice about option syntax that Node adds.
    const [mistake = ''] = error.message.split(/[.\n]/u, 1);
    throw new UsageError(removed ?? `${mistake}.`, { cause: error });
  }
}

/** @throws UsageError */
export function checkOptions<S extends z.ZodType>(schema: S, values: unknown): z.output<S> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}.`);
  throw new UsageError([...new Set(lines)].join('\n'));
}

export function wholeNumber(least: number, most: number) {
  const what = `takes a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/u, what)
    .transform(Number)
    .refine((number) => number >= least && number <= most, what);
}

/** Port 0 stands for any free port. */
export const portNumber = wholeNumber(0, 65_535);

function sentence(error: unknown, program: Program): string {
  if (error instanceof UsageError) return `${error.message} Help: ${program.command} --help`;
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
