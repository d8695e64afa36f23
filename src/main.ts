import { readdirSync, statSync } from 'node:fs';
import type { EnableCompileCacheResult } from 'node:module';
import { join } from 'node:path';

import { standardTimings } from './service/http/host.ts';
import { configSecrets } from './config/environment/secrets.ts';
import { loadConfig } from './config/load-config.ts';
import { BellhopError } from './model/values/errors.ts';
import { createRedactor } from './command/redactor.ts';
import type { Log } from './model/ports.ts';
import { operations as builtIn } from './operations/index.ts';
import { startBot } from './app/wiring.ts';
import { createCorrelation, replicaId } from './app/process/this-process.ts';
import { announceFailedStart, consoleToLog, createAnnounce, createLogger } from './app/process/logger.ts';
import { parseRulebookInWorker } from './app/process/parse-in-worker.ts';
import { waitAtStart } from './app/wait-at-start.ts';
import { stopOnSignals } from './app/stop-on-signals.ts';
import { type Program, readOptions, runProgram } from './program/run-program.ts';
import { greeting } from './app/endpoints.ts';

const program: Program = {
  command: 'npm start --',
  takesEnvFile: true,
  help: `Usage: npm start [-- --env-file <file>]
Starts Bellhop. Settings are environment variables, or lines of that file. Rules are in bellhop.yaml.
If no API_… or SLACK_… variable is set, everything is local, and the last line of output is the page to open.

  API_BASE_URL, API_KEY                   the service; API_BASE_URL=local for the local one
  SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET   Slack over HTTP; SLACK_BOT_TOKEN=local for the local workspace
  SLACK_APP_TOKEN                         Socket Mode instead of HTTP
  DATABASE_URL                            PostgreSQL; without it an embedded store in DATA_DIR (.data)
  BELLHOP_CONFIG                          the rules (bellhop.yaml)
  HOST, PORT                              address that Bellhop listens on (127.0.0.1, 3000)

docs/configuration.md explains all of them.`,
};

/** Reads the configuration and starts, or says on one line each what is wrong and exits with 1. */
async function main(cache: EnableCompileCacheResult): Promise<void> {
  const redactor = createRedactor();
  const mask = (text: string): string => redactor.redact(text);
  const { config, operations } = await loadConfig(
    process.env,
    process.cwd(),
    builtIn,
    standardTimings.deadlineMs,
    parseRulebookInWorker,
    mask,
  );
  for (const secret of configSecrets(config)) redactor.learn(secret);
  const correlation = createCorrelation();
  const lines = {
    replica: replicaId(),
    mask,
    correlationId: correlation.current,
  };
  const log = createLogger({ ...lines, level: config.logLevel, terminal: terminalOf(process.stderr) });
  consoleToLog(log);
  const announce = createAnnounce(process.stdout.isTTY || config.slack === 'local', lines);
  logCompileCache(cache, log);
  const stopping = new AbortController();
  const untilItPasses = waitAtStart(log, stopping.signal);
  const starting = startBot({ config, operations, mask: redactor, log, correlation, untilItPasses });
  stopOnSignals(starting, log, announce, () => stopping.abort());
  try {
    const bot = await starting;
    announce(greeting(config, operations, bot));
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
}

function terminalOf(stream: NodeJS.WriteStream): 'coloured' | 'plain' | undefined {
  if (!stream.isTTY) return undefined;
  return stream.hasColors() ? 'coloured' : 'plain';
}

/** The compile cache affects only the speed of a start. `warm` means that an earlier start of the same code has filled it. */
function logCompileCache({ directory, message }: EnableCompileCacheResult, log: Log): void {
  if (directory !== undefined)
    return log.info({ directory, warm: isWarm(directory) }, 'compile cache in use');
  log.info(
    { reason: message },
    'no compile cache, so starts take longer; set NODE_COMPILE_CACHE to a folder that this user can write to',
  );
}

function isWarm(directory: string): boolean {
  try {
    const written = statSync(import.meta.filename).mtimeMs;
    return readdirSync(directory).some((entry) => statSync(join(directory, entry)).mtimeMs >= written);
  } catch {
    return false;
  }
}

/** @param cache what Node answered to the request for a compile cache */
export const start = (cache: EnableCompileCacheResult): Promise<void> =>
  runProgram(program, async (args) => {
    readOptions(args, {});
    // A pipe whose reader has gone, or a full disk. Bellhop continues without its log.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    try {
      await main(cache);
      return undefined;
    } catch (error) {
      const lines =
        error instanceof BellhopError ? error.message : String(error instanceof Error ? error.stack : error);
      // A handle that stayed open must not keep a failed process alive.
      announceFailedStart(lines, () => process.exit(1));
      return 1;
    }
  });
