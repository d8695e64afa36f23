/** A contender: the bot as it is, but with `COUNT` operations. What it is configured with comes as it always does. */
import { loadConfig } from '../../src/config/load-config.ts';
import { createRedactor } from '../../src/core/redactor.ts';
import { createCorrelation } from '../../src/app/process/ids.ts';
import { createLogger } from '../../src/app/process/logger.ts';
import { startBot } from '../../src/app/wiring.ts';
import { operationsFor } from './operations-for.ts';

const operations = operationsFor(Number(process.env['COUNT']));
const config = loadConfig(process.env, process.cwd(), operations);
const mask = createRedactor();
const correlation = createCorrelation();
const log = createLogger({
  level: config.logLevel,
  replica: 'bench',
  mask: (text) => mask.redact(text),
  correlationId: correlation.current,
});
await startBot({ config, operations, mask, log, correlation });
