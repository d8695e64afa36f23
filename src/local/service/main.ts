import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readInventory } from './read-inventory.ts';
import { type LocalService, startLocalService } from './start-local-service.ts';

const usage = `npm run service -- [options]
  --host <address>        127.0.0.1
  --port <number>         4100, or LOCAL_SERVICE_PORT
  --data-dir <folder>     .data, or DATA_DIR
  --api-key <key>         local-key, or API_KEY
  --read-only-key <key>   none
  --clock-speed <factor>  1
  --config <file>         bellhop.yaml where there is one, or BELLHOP_CONFIG
  --reset                 forget what is stored, start from the seeded data`;

const options = {
  host: { type: 'string' },
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  'api-key': { type: 'string' },
  'read-only-key': { type: 'string' },
  'clock-speed': { type: 'string' },
  config: { type: 'string' },
  reset: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const key = z.string().regex(/^\S+$/, 'must not be empty or have spaces');

const settings = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.coerce.number().int().min(0).max(65_535).default(4100),
  dataDir: z.string().min(1).default('.data'),
  apiKey: key.default('local-key'),
  readOnlyKey: key.optional(),
  clockSpeed: z.coerce.number().positive().max(100_000).default(1),
  config: z.string().optional(),
  reset: z.boolean().default(false),
});

const readSettings = (env: NodeJS.ProcessEnv) => {
  const { values } = parseArgs({ options, strict: true, allowPositionals: false });
  if (values.help === true) return undefined;
  return settings.parse({
    host: values.host,
    port: values.port ?? (env['LOCAL_SERVICE_PORT'] || undefined),
    dataDir: values['data-dir'] ?? (env['DATA_DIR'] || undefined),
    apiKey: values['api-key'] ?? (env['API_KEY'] || undefined),
    readOnlyKey: values['read-only-key'],
    clockSpeed: values['clock-speed'],
    config:
      values.config ?? (env['BELLHOP_CONFIG'] || (existsSync('bellhop.yaml') ? 'bellhop.yaml' : undefined)),
    reset: values.reset,
  });
};

const closeOnSignal = (service: LocalService): void => {
  const close = () => void service.close();
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
};

const main = async (): Promise<void> => {
  const chosen = readSettings(process.env);
  if (!chosen) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { config, ...rest } = chosen;
  const service = await startLocalService({ ...rest, inventory: readInventory(config) });
  closeOnSignal(service);
  process.stdout.write(
    `Local service, not the real one: data in ${rest.dataDir}, clock × ${String(rest.clockSpeed)}\n${service.url}\n`,
  );
};

try {
  await main();
} catch (error) {
  const reason =
    error instanceof z.ZodError
      ? z.prettifyError(error)
      : error instanceof Error
        ? error.message
        : String(error);
  process.stderr.write(`${reason}\n\n${usage}\n`);
  process.exitCode = 1;
}
