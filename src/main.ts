import { configSecrets } from './config/config-secrets.ts';
import { loadConfig } from './config/load-config.ts';
import { BellhopError } from './core/errors.ts';
import { createMask } from './core/mask.ts';
import { operations } from './operations/index.ts';
import { startBot } from './system/start-bot.ts';
import { createCorrelation } from './system/correlation.ts';
import { createLogger } from './system/logger.ts';
import { stopOnSignals } from './system/stop-on-signals.ts';
import { replicaId } from './system/this-replica.ts';
import { greeting } from './system/what-is-real.ts';

/** Reads the configuration and starts, or says on one line each what is wrong and exits with 1. */
async function main(): Promise<void> {
  const config = loadConfig(process.env, process.cwd(), operations);
  const mask = createMask();
  for (const secret of configSecrets(config)) mask.learn(secret);
  const correlation = createCorrelation();
  const log = createLogger({
    level: config.logLevel,
    replica: replicaId(),
    mask: (text) => mask.mask(text),
    correlationId: correlation.current,
  });
  const starting = startBot({ config, operations, mask, log, correlation });
  stopOnSignals(starting, log);
  const bot = await starting;
  process.stdout.write(`${greeting(config, bot.page, bot.url)}\n`);
}

try {
  await main();
} catch (error) {
  const lines =
    error instanceof BellhopError ? error.message : String(error instanceof Error ? error.stack : error);
  // Whatever was not closed must not keep alive what cannot work.
  process.stderr.write(`Bellhop cannot start.\n${lines}\n`, () => process.exit(1));
}
