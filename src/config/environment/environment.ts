import { resolve } from 'node:path';

import { z } from 'zod';

import { nearest } from '../../command/grammar/nearest.ts';
import { isUnverifiedDatabase, unverifiedDatabase } from '../../model/host.ts';
import type { ServiceChoice, SlackChoice, StoreChoice } from './config.ts';
import { isFolder } from './values.ts';
import {
  listeningVariables,
  logVariables,
  remoteVariables,
  secretVariables,
  serviceVariables,
  slackVariables,
  startVariables,
  storageVariables,
} from './variables.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

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
  const { NODE_ENV: nodeEnv, BELLHOP_CONFIG: rulesFile } = startVariables.parse(values);
  const mode = readMode(values, nodeEnv, misspelt.length > 0);
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
    rulesFile,
    problems: [...misspelt, ...problems],
    settings: misspelt.length > 0 ? undefined : data,
  };
}

function readMode(values: Variables, nodeEnv: string | undefined, misspelt: boolean): Mode {
  const production = nodeEnv?.toLowerCase() === 'production';
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
    (name) => /^(?:API|SLACK)_/u.test(name) && values[name] !== undefined && !remoteVariables.includes(name),
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
    storage: storageSchema(mode, cwd),
    listening: listeningSchema(mode),
    log: logVariables,
    secrets: secretsSchema(cwd),
  });

function slackSchema({ slack, production }: Mode): z.ZodType<SlackChoice> {
  if (slack === 'local') return local;
  const variables = slackVariables(production);
  return slack === 'socket'
    ? variables
        .omit({ SLACK_SIGNING_SECRET: true })
        .transform(({ SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl }) => ({
          kind: 'socket',
          botToken,
          appToken,
          apiUrl,
        }))
    : variables
        .omit({ SLACK_APP_TOKEN: true })
        .transform(
          ({ SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: apiUrl }) => ({
            kind: 'http',
            botToken,
            signingSecret,
            apiUrl,
          }),
        );
}

function serviceSchema({ service, production }: Mode): z.ZodType<ServiceChoice> {
  if (service === 'local') return local;
  return serviceVariables(production).transform(({ API_BASE_URL, API_KEY, API_CLIENT_ID }) => ({
    baseUrl: API_BASE_URL,
    apiKey: API_KEY,
    clientId: API_CLIENT_ID,
  }));
}

const local = z.unknown().transform((): 'local' => 'local');

const storageSchema = ({ production }: Mode, cwd: string) =>
  storageVariables
    .refine(
      ({ DATABASE_URL: url, DATABASE_TLS: tls }) =>
        !production || tls === 'off' || url === undefined || !isUnverifiedDatabase(url),
      { path: ['DATABASE_URL'], error: unverifiedDatabase },
    )
    .transform(({ DATABASE_URL, DATA_DIR }): { dataDir: string; store: StoreChoice } => {
      const dataDir = resolve(cwd, DATA_DIR);
      return { dataDir, store: DATABASE_URL === undefined ? { dataDir } : { databaseUrl: DATABASE_URL } };
    });

/** Two listeners on one port are a problem, unless it is 0. */
const listeningSchema = ({ slack, service }: Mode) =>
  listeningVariables
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

const secretsSchema = (cwd: string) =>
  secretVariables
    .transform(({ BELLHOP_SECRETS_DIR: dir }) => ({ secretsDir: dir && resolve(cwd, dir) }))
    .refine(({ secretsDir }) => secretsDir === undefined || isFolder(secretsDir), {
      path: ['BELLHOP_SECRETS_DIR'],
      error: 'is not a folder: give the folder that holds one file for each secret.',
    });
