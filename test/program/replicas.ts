import { freePort } from '../free-port.ts';
import { startProcess, type BotProcess } from './bot-process.ts';

/** Bots as separate processes. Each bot has a fixed port, whichever process uses it. */
export interface Replicas {
  readonly size: number;
  readonly urlOf: (bot: number) => string;
  /** Resolves once the bot is ready. @throws Error with all its output if it does not start */
  start(bot: number): Promise<void>;
  /** Sends a signal that ends the bot. Resolves to the exit code, or to the signal if it killed the process. */
  end(bot: number, signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  /** Sends a signal that does not end the bot, such as SIGSTOP. */
  signal(bot: number, signal: NodeJS.Signals): void;
  /** The output of all processes so far. */
  output(): string;
  close(): Promise<void>;
}

/** @param envOf the environment of each bot, except for its port */
export async function createReplicas(
  size: number,
  envOf: (bot: number) => Readonly<Record<string, string>>,
): Promise<Replicas> {
  const ports = await Promise.all(Array.from({ length: size }, freePort));
  const bots: (BotProcess | undefined)[] = ports.map(() => undefined);
  const started: BotProcess[] = [];
  return {
    size,
    urlOf: (bot) => `http://127.0.0.1:${ports[bot] ?? 0}`,
    async start(bot) {
      const one = await startProcess({ ...envOf(bot), PORT: String(ports[bot] ?? 0) });
      started.push(one);
      bots[bot] = one;
      if (!one.output().includes('Bellhop is ready')) throw new Error(one.output());
    },
    end: async (bot, signal) => bots[bot]?.end(signal) ?? null,
    signal: (bot, signal) => void bots[bot]?.child.kill(signal),
    output: () => started.map((bot) => bot.output()).join(''),
    close: async () => void (await Promise.all(bots.map(async (bot) => bot?.end('SIGKILL')))),
  };
}
