import { execFile } from 'node:child_process';

export interface Ended {
  readonly code: number;
  /** Standard output and standard error together. */
  readonly text: string;
}

interface Place {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. */
export const attempt = (command: string, args: readonly string[], place: Place = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    execFile(command, args, { ...place, maxBuffer: 2 ** 26 }, (error, out, problems) => {
      const code = error?.code ?? 0;
      if (typeof code === 'number') resolve({ code, text: `${out}${problems}` });
      else reject(error ?? new Error(command));
    });
  });

/** @returns its standard output @throws Error with its output if it does not end with 0 */
export const run = (command: string, args: readonly string[], place: Place = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(command, args, { ...place, maxBuffer: 2 ** 26 }, (error, out, problems) => {
      if (error) reject(new Error(`${command} ${args.join(' ')}\n${`${out}${problems}`.slice(-4000)}`));
      else resolve(out);
    });
  });

/** Prints a line for a promise that is kept. @throws Error if the promise is broken */
export function holds(what: string, is: boolean, otherwise = ''): void {
  if (!is) throw new Error(`BROKEN: ${what}\n${otherwise}`);
  process.stdout.write(`holds: ${what}\n`);
}

export const figure = (what: string): void => void process.stdout.write(`figure: ${what}\n`);

/** Calls back until the result is true. @returns the seconds that it took @throws Error after `seconds` */
export async function wait(
  seconds: number,
  ask: () => Promise<boolean>,
  explain: () => Promise<string>,
): Promise<number> {
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  while (!(await ask())) {
    if (passed() > seconds) throw new Error(`It did not happen within ${seconds} s.\n${await explain()}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return passed();
}
