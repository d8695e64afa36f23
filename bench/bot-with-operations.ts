/** A contender: the bot as it is, but with `COUNT` operations. What it is configured with comes as it always does. */
import { loadConfig } from '../src/config/load-config.ts';
import { createMask } from '../src/core/mask.ts';
import { createCorrelation } from '../src/system/correlation.ts';
import { createLogger } from '../src/system/logger.ts';
import { startBot } from '../src/system/start-bot.ts';
import { operationsFor } from './operations-for.ts';

const operations = operationsFor(Number(process.env['COUNT']));
const config = loadConfig(process.env, process.cwd(), operations);
const mask = createMask();
const correlation = createCorrelation();
const log = createLogger({
  level: config.logLevel,
  replica: 'bench',
  mask: (text) => mask.mask(text),
  correlationId: correlation.current,
});
await startBot({ config, operations, mask, log, correlation });
