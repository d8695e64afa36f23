import { join } from 'node:path';
import { z } from 'zod';
import {
  checkOptions,
  portNumber,
  type Program,
  readOptions,
  runProgram,
} from '../../src/program/run-program.ts';

const program: Program = {
  command: 'npm run workspace --',
  help: `Usage: npm run workspace -- --app-url http://127.0.0.1:3000/slack/events --bot-token xoxb-… --signing-secret …

A stand-in for Slack for any Bolt app: set the app's slackApiUrl to <address>/api/.

  --port <number>            the page and the Web API (4000)
  --app-url <url>            where the app accepts requests
  --bot-token <token>        the token that the app uses
  --signing-secret <secret>  the secret that the app checks signatures with; not for Socket Mode
  --app-token <token>        app-level token; the app may then connect by Socket Mode
  --manifest <file>          the app's manifest as JSON (manifest.json)
  --data-dir <folder>        where history is kept (.data/workspace)
  --service-url <url>        the local service, for the drill panel; with --service-key <key>
  --alert-url <url>          where the app accepts Alertmanager's webhook, for the drill panel
  --alert-secret <secret>    the bearer token for it
  --reset                    start without earlier messages
  --help                     show this`,
};

const needed = (what: string) => z.string({ error: `is missing: give ${what}` }).min(1, `takes ${what}`);
const address = z.url('takes an address, such as http://127.0.0.1:3000/slack/events').optional();

const fields = z.object({
  port: portNumber.default(4_000),
  'app-url': address,
  'bot-token': needed('the token that the app uses, such as xoxb-local'),
  'signing-secret': z.string().default(''),
  'app-token': z.string().min(1, 'takes an app-level token, such as xapp-local').optional(),
  manifest: z.string().default('manifest.json'),
  'data-dir': z.string().default(join('.data', 'workspace')),
  'service-url': address,
  'service-key': z.string().optional(),
  'alert-url': address,
  'alert-secret': z.string().optional(),
  reset: z.boolean().default(false),
});

const optionsSchema = fields.refine((values) => values['signing-secret'] || values['app-token'], {
  path: ['signing-secret'],
  error: 'is missing: give the secret that the app checks signatures with, or --app-token for Socket Mode',
  // Even if another option is wrong, so that everything missing is reported at once.
  when: () => true,
});

const text = { type: 'string' } as const;
const known = {
  port: text,
  'app-url': text,
  'bot-token': text,
  'signing-secret': text,
  'app-token': text,
  manifest: text,
  'data-dir': text,
  'service-url': text,
  'service-key': text,
  'alert-url': text,
  'alert-secret': text,
  reset: { type: 'boolean' },
} as const;

await runProgram(program, async (args) => {
  // Loaded late, so that a missing package prints one line instead of a stack trace.
  const { startWorkspace } = await import('./start-workspace.ts');
  const options = checkOptions(optionsSchema, readOptions(args, known).values);
  const serviceUrl = options['service-url'];
  const alertUrl = options['alert-url'];
  const workspace = await startWorkspace({
    port: options.port,
    dataDir: options['data-dir'],
    botToken: options['bot-token'],
    signingSecret: options['signing-secret'],
    manifestPath: options.manifest,
    reset: options.reset,
    appUrl: options['app-url'],
    appToken: options['app-token'],
    service: serviceUrl === undefined ? undefined : { url: serviceUrl, apiKey: options['service-key'] ?? '' },
    alertHook: alertUrl === undefined ? undefined : { url: alertUrl, secret: options['alert-secret'] ?? '' },
  });
  process.stdout.write(
    `Local workspace (not Slack): ${workspace.url}\nWeb API for the app: ${workspace.url}/api/\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void workspace.close());
  return undefined;
});
