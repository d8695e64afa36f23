import { nearest } from '../../core/grammar/nearest.ts';

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

/** The environment while it is read: every problem is kept, so that all are reported together. */
export interface Settings {
  readonly production: boolean;
  /** Nothing points at a real Slack or service, and this is not production. */
  readonly allLocal: boolean;
  readonly problems: readonly string[];
  /** Without surrounding whitespace; undefined where unset or empty. */
  value(name: string): string | undefined;
  /** `text` never quotes a value: it may be a secret that was put into the wrong variable. */
  problem(name: string, text: string): void;
}

export function createSettings(env: Variables): Settings {
  const value = (name: string): string | undefined => env[name]?.trim() || undefined;
  const production = value('NODE_ENV')?.toLowerCase() === 'production';
  const problems = misspellings(env);
  return {
    production,
    allLocal: !production && problems.length === 0 && !remoteVariables.some((name) => value(name)),
    problems,
    value,
    problem: (name, text) => void problems.push(`${name} ${text}`),
  };
}

/** Left alone, a misspelt variable would quietly mean "local", or the default. */
function misspellings(env: Variables): string[] {
  const unknown = Object.keys(env).filter(
    (name) =>
      /^(?:API|SLACK)_/u.test(name) && env[name]?.trim() && !remoteVariables.some((known) => known === name),
  );
  return unknown.flatMap((name) => {
    const known = nearest(name, remoteVariables);
    return known === undefined ? [] : [`${name} is not a setting of Bellhop: did you mean ${known}?`];
  });
}

/** A TCP port, 0 for any free one. */
export function readPort(settings: Settings, name: string, fallback: number): number {
  const text = settings.value(name);
  if (text === undefined) return fallback;
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  settings.problem(name, `is not a port: give a whole number from 0 to 65535, such as ${fallback}.`);
  return fallback;
}

/** An absolute http(s) address without credentials, query or fragment; in production http only to this machine. */
export function readHttpUrl(settings: Settings, name: string, example: string): URL | undefined {
  const text = settings.value(name);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    settings.problem(name, `is not an address: give one that begins with https://, such as ${example}.`);
    return undefined;
  }
  if (settings.production && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    settings.problem(
      name,
      'begins with http://, which would send secrets unencrypted to another machine: production needs https://.',
    );
    return undefined;
  }
  if (url.username || url.password) {
    settings.problem(name, 'carries a user or password: leave them out of the address.');
    return undefined;
  }
  if (url.search || url.hash) {
    settings.problem(name, `has a “?” or “#” part: give only the address, such as ${example}.`);
    return undefined;
  }
  return url;
}

/** @param hostname as URL has it: addresses in their canonical form, IPv6 in brackets */
const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname);
