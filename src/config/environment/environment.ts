import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

import { mapValues, orUndefined } from '../../text/words.ts';
import { nearest } from '../../text/nearest.ts';
import { deprecatedVariables, whatInstead } from '../../model/deprecated.ts';
import { networkVariables, withLowerCase } from './network-variables.ts';
import {
  allVariables,
  listeningVariables,
  logVariables,
  remoteVariables,
  secretVariables,
  serviceVariables,
  slackVariables,
  startVariables,
  storageVariables,
} from './variables.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import {
  isQuoted,
  quoted,
  readSecretVariable,
  type SecretVariable,
  secretVariableNames,
} from '../../program/secret-variables.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

interface Mode {
  readonly production: boolean;
  readonly slack: 'local' | 'http' | 'socket';
  readonly service: 'local' | 'remote';
}

export interface Environment {
  /** The mode is set even if there are problems. */
  readonly mode: Mode;
  /** BELLHOP_CONFIG as it is given. The value is set even if there are problems. */
  readonly rulesFile: string | undefined;
  readonly problems: readonly string[];
  /** One line each, with the new name. */
  readonly warnings: readonly string[];
  /** Absent if there are problems. Paths are absolute. */
  readonly settings?: Settings | undefined;
}

/** Compiling a schema to code, as zod does at first use, takes longer than reading one environment. */
const once = { jitless: true };

/** Relative paths are taken from `cwd`. No problem ever quotes a value. */
export function readEnvironment(
  given: Variables,
  cwd: string,
  deprecated = deprecatedVariables,
): Environment {
  const found = deprecated.filter(({ name }) => given[name]?.trim());
  const renamed = found.map(({ name, instead }) => [instead, given[name]] as const);
  const env: Record<string, string | undefined> = { ...Object.fromEntries(renamed), ...given };
  for (const { name } of found) delete env[name];
  const { values, secretFiles, unreadable } = withSecretFiles(env, cwd);
  const start = startVariables.safeParse(values, once);
  const misspelt = [...findQuoted(env), ...findMisspelt(values), ...unreadable, ...problemsOf(start.error)];
  const rulesFile = values['BELLHOP_CONFIG'];
  const mode = readMode(values, start.data?.NODE_ENV, misspelt.length > 0);
  const { data, error } = settingsSchema(mode, cwd).safeParse(
    {
      slack: values,
      service: values,
      storage: values,
      listening: values,
      network: withLowerCase(values),
      log: values,
      secrets: values,
    },
    once,
  );
  return {
    mode,
    rulesFile,
    problems: [...misspelt, ...problemsOf(error)],
    warnings: found.map((one) => `${one.name} ${whatInstead(one)}`),
    settings: misspelt.length > 0 || !data ? undefined : { ...data, secretFiles },
  };
}

const problemsOf = (error: z.ZodError | undefined): readonly string[] =>
  error?.issues.map(({ path, message }) => `${String(path.at(-1))} ${message}`) ?? [];

const isOurs = (name: string): boolean =>
  Object.hasOwn(allVariables.shape, name.replace(/_FILE$/u, '')) || name.startsWith('BELLHOP_SECRET_');

const findQuoted = (env: Variables): readonly string[] =>
  Object.keys(env)
    .filter((name) => isOurs(name) && isQuoted(env[name]))
    .map((name) => `${name} ${quoted}`);

/** Trimmed and without quotes. A secret in a `…_FILE` counts as if the variable itself was set. */
function withSecretFiles(env: Variables, cwd: string) {
  const values = mapValues(env, (text) => {
    const value = text?.trim();
    return (isQuoted(value) ? value?.slice(1, -1) : value) || undefined;
  });
  const secretFiles: { [Name in SecretVariable]?: string } = {};
  const unreadable: string[] = [];
  for (const name of secretVariableNames) {
    const read = readSecretVariable(values, name, cwd);
    if ('problem' in read) unreadable.push(read.problem);
    else values[name] = read.text;
    if ('file' in read) secretFiles[name] = read.file;
  }
  return { values, secretFiles, unreadable };
}

function readMode(values: Variables, nodeEnv: string | undefined, misspelt: boolean): Mode {
  const production = nodeEnv === 'production';
  const allLocal = !production && !misspelt && remoteVariables.every((name) => values[name] === undefined);
  const isLocal = (name: string): boolean => allLocal || (!production && values[name] === 'local');
  const remote = values['SLACK_APP_TOKEN'] === undefined ? 'http' : 'socket';
  return {
    production,
    slack: isLocal('SLACK_BOT_TOKEN') ? 'local' : remote,
    service: isLocal('API_BASE_URL') ? 'local' : 'remote',
  };
}

/** Kubernetes sets such names, too, for example API_PORT. So a name counts as misspelt only if it is close to a known one. */
const perhapsOurs = /^(?:API|BELLHOP|SLACK)_|^(?:export\s+)?\W?node_env\W?$/iu;

/** A misspelt variable would silently mean "local", development, or the default. */
function findMisspelt(values: Variables): readonly string[] {
  const known = [...Object.keys(allVariables.shape), ...secretVariableNames.map((name) => `${name}_FILE`)];
  const unknown = Object.keys(values).filter(
    (name) => perhapsOurs.test(name) && values[name] !== undefined && !known.includes(name),
  );
  return unknown.flatMap((name) => {
    const meant = nearest(name.replace(/^export\s+/u, ''), known);
    return meant === undefined ? [] : [`${name} is not a setting of Bellhop: did you mean ${meant}?`];
  });
}

/** Groups the whole environment by consumer. Paths are absolute. */
export type Settings = Readonly<z.output<ReturnType<typeof settingsSchema>>> & {
  /** Absolute paths. The files are read again when they change. */
  readonly secretFiles: Readonly<{ [Name in SecretVariable]?: string }>;
};

/** Each part reads the whole environment, so that all problems come in one list, in this order. */
const settingsSchema = (mode: Mode, cwd: string) =>
  z
    .object({
      slack: slackSchema(mode),
      service: serviceSchema(mode),
      storage: storageVariables(mode.production),
      listening: listeningSchema(mode),
      network: networkVariables.refine(
        ({ NODE_TLS_REJECT_UNAUTHORIZED: checks }) => !mode.production || checks !== '0',
        {
          path: ['NODE_TLS_REJECT_UNAUTHORIZED'],
          error:
            'is 0, so no TLS certificate would be checked. Remove it; NODE_EXTRA_CA_CERTS adds your own authority.',
        },
      ),
      log: logVariables,
      secrets: secretVariables.refine(({ BELLHOP_SECRETS_DIR: dir }) => !dir || isFolder(resolve(cwd, dir)), {
        path: ['BELLHOP_SECRETS_DIR'],
        error: 'is not a folder. Set it to the folder with one file per secret.',
      }),
    })
    .transform(({ slack, service, storage, listening, network, log, secrets }) => {
      const dataDir = resolve(cwd, storage.DATA_DIR);
      const { DATABASE_URL: databaseUrl } = storage;
      return {
        production: mode.production,
        slack,
        service,
        store: databaseUrl === undefined ? { dataDir } : { databaseUrl },
        /** Used with every store. */
        dataDir,
        host: listening.HOST,
        /** 0 picks a free port. */
        port: listening.PORT,
        /** Without a slash at its end. */
        publicUrl:
          listening.PUBLIC_URL ?? (slack === 'local' ? `http://127.0.0.1:${listening.PORT}` : undefined),
        localPort: listening.LOCAL_PORT,
        localServicePort: listening.LOCAL_SERVICE_PORT,
        /** The addresses of proxies may hold a password. */
        proxies: [network.HTTPS_PROXY, network.HTTP_PROXY].filter((proxy) => proxy !== undefined),
        logLevel: log.LOG_LEVEL,
        secretsDir: secrets.BELLHOP_SECRETS_DIR && resolve(cwd, secrets.BELLHOP_SECRETS_DIR),
      };
    });

/**
 * Over HTTP, Slack posts signed payloads to `/slack/events`. In Socket Mode, Bellhop connects to Slack, so nothing is
 * signed.
 */
function slackSchema({ slack, production }: Mode) {
  const { shape } = slackVariables(production);
  const { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_APP_TOKEN, SLACK_API_URL } = shape;
  if (slack === 'local') return local;
  if (slack === 'socket')
    return z.object({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL }).transform((read) => ({
      kind: 'socket' as const,
      botToken: read.SLACK_BOT_TOKEN,
      appToken: read.SLACK_APP_TOKEN,
      /** The URL ends in a slash. */
      apiUrl: read.SLACK_API_URL,
    }));
  return z.object({ SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_API_URL }).transform((read) => ({
    kind: 'http' as const,
    botToken: read.SLACK_BOT_TOKEN,
    signingSecrets: read.SLACK_SIGNING_SECRET,
    /** The URL ends in a slash. */
    apiUrl: read.SLACK_API_URL,
  }));
}

interface RemoteService {
  readonly baseUrl: string;
  /** One key, or the new and the old key. */
  readonly apiKeys: readonly string[];
  readonly clientId?: number | undefined;
}

function serviceSchema({ service, production }: Mode) {
  if (service === 'local') return local;
  return serviceVariables(production).transform(
    ({ API_BASE_URL: baseUrl, API_KEY: apiKeys, API_CLIENT_ID: clientId }): RemoteService => {
      return { baseUrl, apiKeys, clientId };
    },
  );
}

const local = z.unknown().transform((): 'local' => 'local');

/** Two listeners on one port are a problem, unless the port is 0. */
const listeningSchema = ({ slack, service }: Mode) =>
  listeningVariables.superRefine((values, context) => {
    const used = new Map([[values.PORT, 'PORT']]);
    const claim = (name: 'LOCAL_PORT' | 'LOCAL_SERVICE_PORT'): void => {
      const other = used.get(values[name]);
      if (other !== undefined && values[name] !== 0) {
        const message = `is the same port as ${other} (${values[name]}). Use different ports.`;
        context.addIssue({ code: 'custom', path: [name], message });
      }
      used.set(values[name], name);
    };
    if (slack === 'local') claim('LOCAL_PORT');
    if (service === 'local') claim('LOCAL_SERVICE_PORT');
  });

const isFolder = (path: string): boolean => orUndefined(() => statSync(path).isDirectory()) ?? false;

/** Validated and frozen. Paths are absolute. */
export interface Config extends Settings {
  /** The rules as they were when Bellhop started. `watchRulebook` keeps the rules current. */
  readonly rulebook: Rulebook;
  /** Probable mistakes in the rules, one line each, found at first use. */
  readonly warnings: () => readonly string[];
  /** Absent if the built-in sample is used. */
  readonly configFile?: string | undefined;
  /** The path at which a new `bellhop.yaml` replaces the built-in sample. */
  readonly awaitedFile?: string | undefined;
  readonly targetsFile?: string | undefined;
}

export function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
