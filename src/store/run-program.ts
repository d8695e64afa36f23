import { BellhopError } from '../core/errors.ts';

const parseError = /^ERR_PARSE_ARGS/u;

/**
 * Runs a program of the command line and sets the exit code to what it resolves to. What went wrong is a sentence on
 * stderr, with exit code 2; a mistyped command shows the usage.
 */
export async function runProgram(
  usage: string,
  program: (args: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await program(process.argv.slice(2));
  } catch (error) {
    // Whoever reads from us has seen enough: `… export | head`.
    if (codeOf(error) === 'EPIPE') return;
    process.exitCode = 2;
    process.stderr.write(`${sentence(error, usage)}\n`);
  }
}

function sentence(error: unknown, usage: string): string {
  if (error instanceof BellhopError) {
    return error.code === 'bad-input' ? `${error.message}\n${usage}` : error.message;
  }
  if (!(error instanceof Error)) return String(error);
  return parseError.test(codeOf(error)) ? `${error.message}\n${usage}` : (error.stack ?? error.message);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
