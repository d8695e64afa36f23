import type { Rulebook } from '../../model/rulebook.ts';

/** pino's levels, loudest last; `silent` logs nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Slack over HTTP: it posts signed payloads to `/slack/events`. */
interface SlackOverHttp {
  readonly kind: 'http';
  readonly botToken: string;
  readonly signingSecret: string;
  /** Ends in a slash. */
  readonly apiUrl: string;
}

/** Slack over Socket Mode: Bellhop connects to it, so nothing is signed. */
interface SlackOverSocket {
  readonly kind: 'socket';
  readonly botToken: string;
  readonly appToken: string;
  /** Ends in a slash. */
  readonly apiUrl: string;
}

export type SlackChoice = 'local' | SlackOverHttp | SlackOverSocket;

interface RemoteService {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sent with event posts where set. */
  readonly clientId?: number | undefined;
}

export type ServiceChoice = 'local' | RemoteService;

export type StoreChoice = { readonly dataDir: string } | { readonly databaseUrl: string };

/** Everything that the environment and `bellhop.yaml` say, checked and frozen. Paths are absolute. */
export interface Config {
  readonly production: boolean;
  readonly slack: SlackChoice;
  readonly service: ServiceChoice;
  readonly store: StoreChoice;
  /** Where what is local keeps its files, whichever store is chosen. */
  readonly dataDir: string;
  readonly host: string;
  /** Ports: 0 takes any that is free. */
  readonly port: number;
  readonly localPort: number;
  readonly localServicePort: number;
  readonly logLevel: LogLevel;
  /** As it was when Bellhop started; `watchRulebook` keeps it current. */
  readonly rulebook: Rulebook;
  /** What the rules say that is probably not meant, a line each. */
  readonly warnings: readonly string[];
  /** Absent where the built-in sample is used. */
  readonly configFile?: string | undefined;
  /** Where a `bellhop.yaml` takes the place of the built-in sample once it is there. */
  readonly awaitedFile?: string | undefined;
  readonly secretsDir?: string | undefined;
}
