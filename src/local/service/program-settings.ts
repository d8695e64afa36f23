import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/** What the program says of its options. */
export const usage = `npm run service -- [options]
  --host <address>        127.0.0.1
  --port <number>         4100, or LOCAL_SERVICE_PORT
  --data-dir <folder>     .data, or DATA_DIR
  --api-key <key>         local-key, or API_KEY
  --read-only-key <key>   none
  --clock-speed <factor>  1
  --config <file>         BELLHOP_CONFIG, or bellhop.yaml where there is one
  --reset                 forget what is stored, start from the seeded data
  --help`;

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
const wholeNumber = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

const settings = z.object({
  '--host': z.string().min(1).default('127.0.0.1'),
  '--port': wholeNumber.refine((port) => port <= 65_535, 'must be at most 65535').default(4100),
  '--data-dir': z.string().min(1).default('.data'),
  '--api-key': key.default('local-key'),
  '--read-only-key': key.optional(),
  '--clock-speed': z.coerce.number().positive().max(100_000).default(1),
  '--config': z.string().optional(),
});

/** The settings of the program; undefined where help was asked for. */
export interface ProgramSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly apiKey: string;
  readonly readOnlyKey: string | undefined;
  readonly clockSpeed: number;
  readonly config: string | undefined;
  readonly reset: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of the program from its arguments, then from the environment.
 *
 * @throws Error that names the option which is unknown or has a wrong value.
 */
export const readProgramSettings = (args: string[], env: Environment): ProgramSettings | undefined => {
  const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
  if (values.help === true) return undefined;
  const result = settings.safeParse({
    '--host': values.host,
    '--port': values.port ?? (env['LOCAL_SERVICE_PORT'] || undefined),
    '--data-dir': values['data-dir'] ?? (env['DATA_DIR'] || undefined),
    '--api-key': values['api-key'] ?? (env['API_KEY'] || undefined),
    '--read-only-key': values['read-only-key'],
    '--clock-speed': values['clock-speed'],
    '--config': values.config ?? (env['BELLHOP_CONFIG'] || undefined),
  });
  if (!result.success) throw new Error(z.prettifyError(result.error));
  const sample = existsSync('bellhop.yaml') ? 'bellhop.yaml' : undefined;
  return {
    host: result.data['--host'],
    port: result.data['--port'],
    dataDir: result.data['--data-dir'],
    apiKey: result.data['--api-key'],
    readOnlyKey: result.data['--read-only-key'],
    clockSpeed: result.data['--clock-speed'],
    config: result.data['--config'] ?? sample,
    reset: values.reset ?? false,
  };
};
