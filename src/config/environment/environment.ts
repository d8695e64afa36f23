import { resolve } from 'node:path';

import { z } from 'zod';

import { nearest } from '../../core/grammar/nearest.ts';
import type { ServiceChoice, SlackChoice, StoreChoice } from '../config.ts';
import {
  addressProblem,
  apiKey,
  appToken,
  botTokenProblem,
  clientId,
  databaseUrl,
  host,
  isFolder,
  logLevel,
  port,
  signingSecret,
  variable,
} from './values.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** With none of these set everything is local; with some, what is missing is an error. */
const remoteVariables = [
  'API_BASE_URL',
  'API_KEY',
  'API_CLIENT_ID',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_API_URL',
] as const;

/** What decides which variables are needed. */
interface Mode {
  readonly production: boolean;
  readonly slack: 'local' | 'http' | 'socket';
  readonly service: 'local' | 'remote';
}

export interface Environment {
  /** Also where there are problems. */
  readonly mode: Mode;
  /** BELLHOP_CONFIG as it was given, also where there are problems. */
  readonly rulesFile: string | undefined;
  /** A line each; all of them together. */
  readonly problems: readonly string[];
  /** Absent where there are problems. Paths are absolute. */
  readonly settings?: z.output<ReturnType<typeof settingsSchema>> | undefined;
}

/** Reads the environment; relative paths are taken from `cwd`. No problem ever quotes a value. */
export function readEnvironment(env: Variables, cwd: string): Environment {
  const values = Object.fromEntries(
    Object.entries(env).map(([name, text]) => [name, text?.trim() || undefined]),
  );
  const misspelt = findMisspelt(values);
  const mode = readMode(values, misspelt.length > 0);
  const { data, error } = settingsSchema(mode, cwd).safeParse({
    slack: values,
    service: values,
    storage: values,
    listening: values,
    log: values,
    secrets: values,
  });
  const problems = error?.issues.map(({ path, message }) => `${String(path.at(-1))} ${message}`) ?? [];
  return {
    mode,
    rulesFile: values['BELLHOP_CONFIG'],
    problems: [...misspelt, ...problems],
    settings: misspelt.length > 0 ? undefined : data,
  };
}

function readMode(values: Variables, misspelt: boolean): Mode {
  const production = values['NODE_ENV']?.toLowerCase() === 'production';
  const allLocal = !production && !misspelt && remoteVariables.every((name) => values[name] === undefined);
  const isLocal = (name: string): boolean => allLocal || (!production && values[name] === 'local');
  const remote = values['SLACK_APP_TOKEN'] === undefined ? 'http' : 'socket';
  return {
    production,
    slack: isLocal('SLACK_BOT_TOKEN') ? 'local' : remote,
    service: isLocal('API_BASE_URL') ? 'local' : 'remote',
  };
}

/** Left alone, a misspelt variable would quietly mean "local", or the default. */
function findMisspelt(values: Variables): readonly string[] {
  const unknown = Object.keys(values).filter(
    (name) =>
      /^(?:API|SLACK)_/u.test(name) &&
      values[name] !== undefined &&
      !remoteVariables.some((known) => known === name),
  );
  return unknown.flatMap((name) => {
    const known = nearest(name, remoteVariables);
    return known === undefined ? [] : [`${name} is not a setting of Bellhop: did you mean ${known}?`];
  });
}

/** Each part reads the whole environment, so that the problems of all come in one list, in this order. */
const settingsSchema = (mode: Mode, cwd: string) =>
  z.object({
    slack: slackSchema(mode),
    service: serviceSchema(mode),
    storage: storageSchema(cwd),
    listening: listeningSchema(mode),
    log: z.object({ LOG_LEVEL: logLevel }),
    secrets: z.object({ BELLHOP_SECRETS_DIR: secretsDir(cwd).optional() }),
  });

function slackSchema({ slack, production }: Mode): z.ZodType<SlackChoice> {
  if (slack === 'local') return local;
  const common = {
    SLACK_BOT_TOKEN: variable(
      `is missing: set the bot token of the app (xoxb-…, under OAuth & Permissions)${localHint(production, 'workspace')}.`,
      (text) =>
        text === 'local'
          ? 'is “local”, which production does not allow: set the bot token of the app.'
          : botTokenProblem(text),
    ),
    SLACK_API_URL: address('https://slack.com/api/', production)
      .transform((href) => (href.endsWith('/') ? href : `${href}/`))
      .default('https://slack.com/api/'),
  };
  return slack === 'socket'
    ? z
        .object({ ...common, SLACK_APP_TOKEN: appToken })
        .transform(({ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN, SLACK_API_URL: apiUrl }) => ({
          kind: 'socket',
          botToken,
          appToken: SLACK_APP_TOKEN,
          apiUrl,
        }))
    : z
        .object({ ...common, SLACK_SIGNING_SECRET: signingSecret })
        .transform(({ SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET, SLACK_API_URL: apiUrl }) => ({
          kind: 'http',
          botToken,
          signingSecret: SLACK_SIGNING_SECRET,
          apiUrl,
        }));
}

function serviceSchema({ service, production }: Mode): z.ZodType<ServiceChoice> {
  if (service === 'local') return local;
  const example = 'https://api.example.com';
  return z
    .object({
      API_BASE_URL: address(
        example,
        production,
        `is missing: set the address of the service${localHint(production, 'service')}.`,
      ),
      API_KEY: apiKey,
      API_CLIENT_ID: clientId.optional(),
    })
    .transform(({ API_BASE_URL, API_KEY, API_CLIENT_ID }) => ({
      baseUrl: API_BASE_URL,
      apiKey: API_KEY,
      clientId: API_CLIENT_ID,
    }));
}

const local = z.unknown().transform((): 'local' => 'local');

const localHint = (production: boolean, what: string): string =>
  production ? '' : `, or “local” to use the local ${what} on purpose`;

const address = (example: string, production: boolean, missing = '') =>
  variable(missing, (text) =>
    text === 'local' && missing !== ''
      ? 'is “local”, which production does not allow: set the address of the service.'
      : addressProblem(text, example, production),
  ).transform((text) => new URL(text).href);

const storageSchema = (cwd: string) =>
  z
    .object({
      DATABASE_URL: databaseUrl.optional(),
      DATA_DIR: z.string().default('.data'),
    })
    .transform(({ DATABASE_URL, DATA_DIR }): { dataDir: string; store: StoreChoice } => {
      const dataDir = resolve(cwd, DATA_DIR);
      return { dataDir, store: DATABASE_URL === undefined ? { dataDir } : { databaseUrl: DATABASE_URL } };
    });

/** Two listeners on one port are a problem, unless it is 0. */
const listeningSchema = ({ slack, service }: Mode) =>
  z
    .object({ HOST: host, PORT: port(3000), LOCAL_PORT: port(4000), LOCAL_SERVICE_PORT: port(4100) })
    .superRefine((values, context) => {
      const used = new Map([[values.PORT, 'PORT']]);
      const claim = (name: 'LOCAL_PORT' | 'LOCAL_SERVICE_PORT'): void => {
        const other = used.get(values[name]);
        if (other !== undefined && values[name] !== 0) {
          const message = `is the same port as ${other} (${values[name]}): give each its own.`;
          context.addIssue({ code: 'custom', path: [name], message });
        }
        used.set(values[name], name);
      };
      if (slack === 'local') claim('LOCAL_PORT');
      if (service === 'local') claim('LOCAL_SERVICE_PORT');
    })
    .transform(({ HOST, PORT, LOCAL_PORT, LOCAL_SERVICE_PORT }) => ({
      host: HOST,
      port: PORT,
      localPort: LOCAL_PORT,
      localServicePort: LOCAL_SERVICE_PORT,
    }));

const secretsDir = (cwd: string) =>
  z
    .string()
    .transform((text) => resolve(cwd, text))
    .refine(isFolder, { error: 'is not a folder: give the folder that holds one file for each secret.' });
