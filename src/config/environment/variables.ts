import { isIP } from 'node:net';

import { z } from 'zod';

import { didYouMean } from '../../text/nearest.ts';
import {
  hasLogin,
  isLoopback,
  isPostgresAddress,
  isUnverifiedDatabase,
  notPostgres,
  unverifiedDatabase,
} from '../../text/host.ts';
import { networkVariables } from './network-variables.ts';
import { lazily } from '../../text/words.ts';
import { isOneOrTwo, newAndOld, oneOrTwo } from '../../program/secret-variables.ts';

export const slackHost = 'https://slack.com/api/';

/** pino's levels. Each level logs less than the one before, and `silent` logs nothing. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

// Each variable has a schema. A message completes a sentence that starts with the variable's name. A message never
// quotes the value, which may be a secret in the wrong variable.

/** These variables decide whether parts may be local, and where the rules are. */
export const startVariables = z.object({
  NODE_ENV: z
    .string()
    .toLowerCase()
    .pipe(
      z.enum(['production', 'development', 'test'], {
        error: 'must be production, development or test, or unset.',
      }),
    )
    .optional()
    .meta({
      description:
        '`production`, `development` or `test`; with `production`, no value may be `local`, and only connections to this machine may be unencrypted',
      fallback: 'development',
    }),
  BELLHOP_CONFIG: z.string().optional().meta({
    description: 'path of `bellhop.yaml`',
    fallback: '`bellhop.yaml`, or `examples/bellhop.example.yaml` if there is none and the service is local',
  }),
});

/** A start uses the schemas of a mode several times. */
function onceEach<T>(make: (production: boolean) => T): (production: boolean) => T {
  const [inProduction, otherwise] = [lazily(() => make(true)), lazily(() => make(false))];
  return (production) => (production ? inProduction() : otherwise());
}

export const serviceVariables = onceEach((production) =>
  z.object({
    API_BASE_URL: remote(
      `the address of the service${localHint(production, 'service')}`,
      'address of the service',
    )
      .pipe(address('https://api.example.com', production))
      .meta({
        description: 'URL of the service; `local` simulates it',
      }),
    API_KEY: z
      .string({ error: 'is missing. Set the API key of the service.' })
      .regex(/^[\x21-\x7e]+$/u, {
        error:
          'has a character that is not allowed in a header. Set the key alone, without the word “apikey”.',
      })
      .transform(newAndOld)
      .refine(isOneOrTwo, { error: oneOrTwo('key') })
      .meta({
        description: 'API key of the service, without the word `apikey`; `new,old` while you rotate it',
      }),
    API_CLIENT_ID: z
      .string()
      .regex(/^\d{1,15}$/u, { error: 'is not a client id. Set a whole number, or leave it unset.' })
      .transform(Number)
      .optional()
      .meta({
        description: 'client id sent with storage events, a number',
      }),
  }),
);

export const slackVariables = onceEach((production) =>
  z.object({
    SLACK_BOT_TOKEN: remote(
      `the bot token of the app (xoxb-…, under OAuth & Permissions)${localHint(production, 'workspace')}`,
      'bot token of the app',
    )
      .regex(/^xoxb-[A-Za-z0-9-]+$/u, {
        error: ({ input }) => `${misplacedToken(String(input))}: use the Bot User OAuth Token (xoxb-…).`,
      })
      .meta({
        description: 'bot token, `xoxb-…`; `local` simulates Slack',
      }),
    SLACK_SIGNING_SECRET: z
      .string({
        error:
          'is missing. Set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
      })
      .regex(/^(?!xox|xapp-)[\x21-\x7e]+$/u, {
        error:
          'is not a signing secret. Copy it from Basic Information of the app. It is not a token and has no spaces.',
      })
      .transform(newAndOld)
      .refine(isOneOrTwo, { error: oneOrTwo('signing secret') })
      .meta({
        description: 'signing secret of the app, for HTTP; `new,old` while you rotate it',
      }),
    SLACK_APP_TOKEN: z
      .string()
      .regex(/^xapp-[A-Za-z0-9-]+$/u, {
        error: ({ input }) =>
          `${
            String(input).startsWith('xoxb-')
              ? 'is a bot token, which belongs in SLACK_BOT_TOKEN'
              : 'is not an app-level token'
          }: use one with the scope connections:write (xapp-…, under Basic Information), or leave it unset for HTTP mode.`,
      })
      .meta({
        description: 'app-level token, `xapp-…`, for Socket Mode instead of HTTP',
      }),
    SLACK_API_URL: address(slackHost, production)
      .transform((href) => (href.endsWith('/') ? href : `${href}/`))
      .default(slackHost)
      .meta({
        description: "URL of Slack's Web API, with `/api/`; `https://slack-gov.com/api/` for GovSlack",
      }),
  }),
);

export const storageVariables = onceEach((production) =>
  z
    .object({
      DATABASE_URL: z.string().refine(isPostgresAddress, { error: notPostgres }).optional().meta({
        description:
          'PostgreSQL, shared by all replicas: `postgres://user:password@host:5432/database?sslmode=verify-full`',
        fallback: 'embedded SQLite in `DATA_DIR`',
      }),
      DATABASE_TLS: z.literal('off', { error: 'must be off or unset.' }).optional().meta({
        description:
          '`off` lets production use PostgreSQL on another machine without `sslmode=verify-full`; see [TLS](operations.md#tls)',
      }),
      DATA_DIR: z.string().default('.data').meta({
        description: 'folder of the embedded store and the playground',
      }),
    })
    .refine(
      ({ DATABASE_URL: url, DATABASE_TLS: tls }) =>
        !production || tls === 'off' || url === undefined || !isUnverifiedDatabase(url),
      { path: ['DATABASE_URL'], error: unverifiedDatabase },
    ),
);

export const secretVariables = z.object({
  BELLHOP_SECRETS_DIR: z.string().optional().meta({
    description: 'folder with one file per secret, named after it',
  }),
});

export const listeningVariables = z.object({
  HOST: z
    .string()
    .refine((text) => isIP(text) || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/u.test(text), {
      error: 'is not a host. Set a name or an IP address, such as 0.0.0.0; the port is PORT.',
    })
    .default('127.0.0.1')
    .meta({ description: 'address Bellhop listens on' }),
  PORT: port(3000).meta({ description: 'port Bellhop listens on; `0` picks a free port' }),
  PUBLIC_URL: z
    .string()
    .refine((text) => !isPlain(URL.parse(text)), {
      error: 'starts with http://, so others could read and change what people approve. Use https://.',
      abort: true,
    })
    .pipe(address('https://bellhop.example.com', false))
    .transform((href) => href.replace(/\/$/u, ''))
    .optional()
    .meta({
      description: 'where browsers reach Bellhop, `https://…`; required by rules with `step_up`',
      fallback: "`http://127.0.0.1` with Bellhop's port, if Slack is local",
    }),
  LOCAL_PORT: port(4000).meta({ description: 'port of the local workspace' }),
  LOCAL_SERVICE_PORT: port(4100).meta({ description: 'port of the local service' }),
});

export const logVariables = z.object({
  LOG_LEVEL: z
    .enum(logLevels, {
      error: ({ input }) =>
        `is not a level. Use one of ${logLevels.join(', ')}.${didYouMean(String(input), logLevels)}`,
    })
    .default('info')
    .meta({ description: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`' }),
});

/** If none of these variables is set, everything is local. If only some are set, the missing ones are an error. */
export const remoteVariables: readonly string[] = Object.keys({
  ...serviceVariables(true).shape,
  ...slackVariables(true).shape,
});

/**
 * Every variable that Bellhop reads, in the order of docs/configuration.md. Secrets have variables by name, see
 * `secrets.ts`.
 */
export const allVariables = z.object({
  ...serviceVariables(true).shape,
  ...slackVariables(true).shape,
  ...storageVariables(true).shape,
  ...startVariables.shape,
  ...secretVariables.shape,
  ...listeningVariables.shape,
  ...networkVariables.shape,
  ...logVariables.shape,
});

function localHint(production: boolean, what: string): string {
  return production ? '' : `, or “local” to use the local ${what} on purpose`;
}

function remote(missing: string, what: string) {
  return z.string({ error: `is missing. Set ${missing}.` }).refine((text) => text !== 'local', {
    error: `is “local”, which production does not allow. Set the ${what}.`,
    abort: true,
  });
}

/**
 * Accepts an absolute http(s) address without credentials, query or fragment. In production, http is allowed only to
 * this machine.
 */
function address(example: string, production: boolean) {
  const problemOf = (text: string): string | undefined => {
    const url = URL.parse(text);
    if (!url || !['http:', 'https:'].includes(url.protocol))
      return `is not an address. Use one that starts with https://, such as ${example}.`;
    if (production && isPlain(url))
      return 'starts with http://, which would send secrets unencrypted to another machine. Production needs https://.';
    if (hasLogin(url) || url.pathname.includes('@'))
      return 'contains a user or password. Remove them from the address.';
    return url.search || url.hash
      ? `has a “?” or “#” part. Set only the address, such as ${example}.`
      : undefined;
  };
  return z
    .string()
    .refine((text) => problemOf(text) === undefined, { error: ({ input }) => problemOf(String(input)) })
    .transform((text) => new URL(text).href);
}

const isPlain = (url: URL | null): boolean => url?.protocol === 'http:' && !isLoopback(url.hostname);

function misplacedToken(token: string): string {
  if (token.startsWith('xapp-')) return 'is an app-level token, which belongs in SLACK_APP_TOKEN';
  if (token.startsWith('xoxp-')) return 'is a user token';
  if (token.startsWith('xoxe')) return 'is a token that expires; turn off token rotation for the app';
  return token.startsWith('xoxb-') ? 'has an invalid character' : 'is not a bot token';
}

function port(fallback: number) {
  const error = `is not a port. Set a whole number from 0 to 65535, such as ${fallback}.`;
  // An invalid port aborts, so that checks that compare ports see only valid ports.
  const digits = z.string().regex(/^\d{1,5}$/u, { error, abort: true });
  return digits
    .transform(Number)
    .pipe(z.int().max(65_535, { error, abort: true }))
    .prefault(String(fallback));
}
