import { z } from 'zod';

import {
  addressProblem,
  apiKey,
  appToken,
  botTokenProblem,
  clientId,
  databaseUrl,
  host,
  logLevel,
  port,
  signingSecret,
  variable,
} from './values.ts';

/** Where Slack's Web API is, unless it is said. */
export const slackHost = 'https://slack.com/api/';

/** What decides whether anything may be local, and where the rules are. */
export const startVariables = z.object({
  NODE_ENV: z.string().optional().meta({
    description: '`production`: nothing may be local, and what is not encrypted leads only to this machine',
    fallback: 'development',
  }),
  BELLHOP_CONFIG: z.string().optional().meta({
    description: 'inventory and rules',
    fallback: '`bellhop.yaml`; without one, the example where the service is local',
  }),
});

export const serviceVariables = (production: boolean) =>
  z.object({
    API_BASE_URL: address(
      'https://api.example.com',
      production,
      `is missing: set the address of the service${localHint(production, 'service')}.`,
    ).meta({
      description: 'address of the service; `local` for the stand-in of the playground, not in production',
      fallback: 'local service',
    }),
    API_KEY: apiKey.meta({
      description: 'API key of the service, without the word `apikey`',
      fallback: 'local service',
    }),
    API_CLIENT_ID: clientId.optional().meta({
      description: 'client id sent with storage events, a whole number',
      fallback: 'none',
    }),
  });

export const slackVariables = (production: boolean) =>
  z.object({
    SLACK_BOT_TOKEN: variable(
      `is missing: set the bot token of the app (xoxb-…, under OAuth & Permissions)${localHint(production, 'workspace')}.`,
      (text) =>
        text === 'local'
          ? 'is “local”, which production does not allow: set the bot token of the app.'
          : botTokenProblem(text),
    ).meta({
      description: 'bot token, `xoxb-…`; `local` for the workspace of the playground, not in production',
      fallback: 'local workspace',
    }),
    SLACK_SIGNING_SECRET: signingSecret.meta({
      description: 'signing secret of the app: Slack over HTTP',
      fallback: 'local workspace',
    }),
    SLACK_APP_TOKEN: appToken.meta({
      description: 'app-level token, `xapp-…`: Socket Mode instead of HTTP',
      fallback: 'HTTP',
    }),
    SLACK_API_URL: address(slackHost, production)
      .transform((href) => (href.endsWith('/') ? href : `${href}/`))
      .default(slackHost)
      .meta({
        description: "where Slack's Web API is, `/api/` included; `https://slack-gov.com/api/` for GovSlack",
        fallback: "Slack's",
      }),
  });

export const storageVariables = z.object({
  DATABASE_URL: databaseUrl.optional().meta({
    description:
      'PostgreSQL, shared by all replicas: `postgres://user:password@host:5432/database?sslmode=verify-full`',
    fallback: 'embedded store in `DATA_DIR`',
  }),
  DATABASE_TLS: z.literal('off', { error: 'takes only off: leave it unset otherwise.' }).optional().meta({
    description:
      '`off`: production takes PostgreSQL on another machine without `sslmode=verify-full`, and warns at each start',
    fallback: 'such a `DATABASE_URL` is refused in production',
  }),
  DATA_DIR: z.string().default('.data').meta({
    description: 'folder of the embedded store and of the playground',
  }),
});

export const secretVariables = z.object({
  BELLHOP_SECRETS_DIR: z.string().optional().meta({
    description: 'folder with one file for each secret, named like it',
    fallback: 'none',
  }),
});

export const listeningVariables = z.object({
  HOST: host.meta({ description: 'where Bellhop listens' }),
  PORT: port(3000).meta({ description: 'its port; 0 takes any that is free' }),
  LOCAL_PORT: port(4000).meta({ description: 'port of the local workspace' }),
  LOCAL_SERVICE_PORT: port(4100).meta({ description: 'port of the local service' }),
});

export const logVariables = z.object({
  LOG_LEVEL: logLevel.meta({
    description: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  }),
});

/** With none of these set everything is local; with some, what is missing is an error. */
export const remoteVariables = Object.keys({
  ...serviceVariables(true).shape,
  ...slackVariables(true).shape,
});

/** Every variable that Bellhop reads, in the order of docs/configuration.md; and a secret by its name, see `secrets.ts`. */
export const allVariables = z.object({
  ...serviceVariables(true).shape,
  ...slackVariables(true).shape,
  ...storageVariables.shape,
  ...startVariables.shape,
  ...secretVariables.shape,
  ...listeningVariables.shape,
  ...logVariables.shape,
});

function localHint(production: boolean, what: string): string {
  return production ? '' : `, or “local” to use the local ${what} on purpose`;
}

function address(example: string, production: boolean, missing = '') {
  return variable(missing, (text) =>
    text === 'local' && missing !== ''
      ? 'is “local”, which production does not allow: set the address of the service.'
      : addressProblem(text, example, production),
  ).transform((text) => new URL(text).href);
}
