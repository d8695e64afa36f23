import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Extension, extensions } from './http/endpoint.ts';
import { checkOptions, portNumber, type Program, readOptions } from '../../src/program/run-program.ts';

export const program: Program = {
  command: 'npm run service --',
  help: `Usage: npm run service -- [options]
A stand-in for the service on this machine.
  --host <address>        127.0.0.1
  --port <number>         4100, or LOCAL_SERVICE_PORT
  --data-dir <folder>     .data, or DATA_DIR
  --api-key <key>         local-key, or API_KEY
  --read-only-key <key>   none
  --clock-speed <factor>  1
  --extensions <names>    all; none, or names such as instance-list,tasks
  --config <file>         BELLHOP_CONFIG, or bellhop.yaml if it exists
  --reset                 delete stored data, start from the seed
  --help                  show this`,
};

const text = { type: 'string' } as const;
const options = {
  host: text,
  port: text,
  'data-dir': text,
  'api-key': text,
  'read-only-key': text,
  'clock-speed': text,
  extensions: text,
  config: text,
  reset: { type: 'boolean' },
} as const;

const key = z.string().regex(/^\S+$/, 'takes a key, without spaces');
const speed = 'takes a factor above 0, at most 100000, such as 10';

const settings = z.object({
  host: z.string().min(1, 'takes an address').default('127.0.0.1'),
  port: portNumber.default(4100),
  'data-dir': z.string().min(1, 'takes a folder').default('.data'),
  'api-key': key.default('local-key'),
  'read-only-key': key.optional(),
  'clock-speed': z.coerce.number(speed).positive(speed).max(100_000, speed).default(1),
  extensions: z
    .string()
    .transform((names) => (names === 'all' ? [...extensions] : names === 'none' ? [] : names.split(',')))
    .pipe(z.array(z.enum(extensions, `takes all, none, or names out of ${extensions.join(', ')}`)))
    .default([...extensions]),
  config: z.string().optional(),
});

/** The settings of the program. */
export interface ProgramSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly apiKey: string;
  readonly readOnlyKey: string | undefined;
  readonly clockSpeed: number;
  readonly extensions: readonly Extension[];
  readonly config: string | undefined;
  readonly reset: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of the program from its arguments, then from the environment.
 *
 * @throws UsageError that names each option that is unknown or has a wrong value.
 */
export const readProgramSettings = (args: readonly string[], env: Environment): ProgramSettings => {
  const { values } = readOptions(args, options);
  const checked = checkOptions(settings, {
    ...values,
    port: values.port ?? (env['LOCAL_SERVICE_PORT'] || undefined),
    'data-dir': values['data-dir'] ?? (env['DATA_DIR'] || undefined),
    'api-key': values['api-key'] ?? (env['API_KEY'] || undefined),
    config: values.config ?? (env['BELLHOP_CONFIG'] || undefined),
  });
  const sample = existsSync('bellhop.yaml') ? 'bellhop.yaml' : undefined;
  return {
    host: checked.host,
    port: checked.port,
    dataDir: checked['data-dir'],
    apiKey: checked['api-key'],
    readOnlyKey: checked['read-only-key'],
    clockSpeed: checked['clock-speed'],
    extensions: checked.extensions,
    config: checked.config ?? sample,
    reset: values.reset ?? false,
  };
};
