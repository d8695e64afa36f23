import { statSync } from 'node:fs';
import { isIP } from 'node:net';

import { z } from 'zod';

import { didYouMean } from '../../command/grammar/nearest.ts';
import { isLoopback } from '../../model/host.ts';
import { logLevels } from './config.ts';

/**
 * What one variable may hold. A message is the end of a sentence that begins with the variable's name. It never quotes
 * the value, which may be a secret that was put into the wrong variable.
 */
export function variable(missing: string, problemOf: (text: string) => string | undefined) {
  return z.string({ error: missing }).superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });
}

/** A TCP port, 0 for any free one. */
export function port(fallback: number) {
  const error = `is not a port: give a whole number from 0 to 65535, such as ${fallback}.`;
  // Aborts, so that no check that compares ports sees what is none.
  const digits = z.string().regex(/^\d{1,5}$/u, { error, abort: true });
  return digits
    .transform(Number)
    .pipe(z.int().max(65_535, { error, abort: true }))
    .prefault(String(fallback));
}

export const host = z
  .string()
  .refine((text) => isIP(text) || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/u.test(text), {
    error: 'is not a host: give a name or an IP address alone, such as 0.0.0.0; the port is PORT.',
  })
  .default('127.0.0.1');

export const logLevel = z
  .enum(logLevels, {
    error: ({ input }) =>
      `is not a level: give one of ${logLevels.join(', ')}.${didYouMean(String(input), logLevels)}`,
  })
  .default('info');

export const apiKey = z
  .string({ error: 'is missing: set the API key of the service.' })
  .regex(/^[\x21-\x7e]+$/u, {
    error:
      'has a space or a character that a header cannot carry: give the key alone, without the word “apikey”.',
  });

export const clientId = z
  .string()
  .regex(/^\d{1,15}$/u, { error: 'is not a client id: give a whole number, or leave it unset.' })
  .transform(Number);

export const appToken = z.string().regex(/^xapp-[A-Za-z0-9-]+$/u, {
  error: ({ input }) =>
    `${
      String(input).startsWith('xoxb-')
        ? 'holds a bot token, which belongs into SLACK_BOT_TOKEN'
        : 'is not an app-level token'
    }: use one with the scope connections:write (xapp-…, under Basic Information), or leave it unset for HTTP mode.`,
});

export const signingSecret = z
  .string({
    error:
      'is missing: set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
  })
  .regex(/^(?!xox|xapp-)[\x21-\x7e]+$/u, {
    error:
      'is not a signing secret: copy it from Basic Information of the app; it is no token and has no spaces.',
  });

/** Undefined where it is the token of a bot. */
export function botTokenProblem(token: string): string | undefined {
  if (/^xoxb-[A-Za-z0-9-]+$/u.test(token)) return undefined;
  return `${misplacedToken(token)}: use the Bot User OAuth Token (xoxb-…).`;
}

function misplacedToken(token: string): string {
  if (token.startsWith('xapp-')) return 'holds an app-level token, which belongs into SLACK_APP_TOKEN';
  if (token.startsWith('xoxp-')) return 'holds the token of a user';
  if (token.startsWith('xoxe')) return 'holds a token that expires; turn off token rotation for the app';
  return token.startsWith('xoxb-') ? 'has a character that no token has' : 'is not a bot token';
}

/** Undefined for an absolute http(s) address without credentials, query or fragment; in production http only to this machine. */
export function addressProblem(text: string, example: string, production: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return `is not an address: give one that begins with https://, such as ${example}.`;
  }
  if (production && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'begins with http://, which would send secrets unencrypted to another machine: production needs https://.';
  }
  if (url.username || url.password) return 'carries a user or password: leave them out of the address.';
  return url.search || url.hash
    ? `has a “?” or “#” part: give only the address, such as ${example}.`
    : undefined;
}

export const databaseUrl = z.string().refine(isPostgresUrl, {
  error:
    'is not the address of a PostgreSQL server: give postgres://user:password@host:5432/database, with special ' +
    'characters of the password percent-encoded.',
});

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) return false;
  try {
    decodeURIComponent(url.password);
    return true;
  } catch {
    return false;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
