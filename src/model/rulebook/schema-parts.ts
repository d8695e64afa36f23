import { z } from 'zod';

import { hasLogin, isLoopback } from '../../text/host.ts';
import { abridged, readAs, readDuration, readMoment } from '../../text/words.ts';

export type Written<T extends z.ZodType> = DeepReadonly<z.output<T>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export const distinct = <T extends z.ZodType>(item: T) =>
  z.array(item).superRefine(
    (items, context) => {
      const seen = new Set<unknown>();
      // An invalid item is reported once, and may be a secret.
      const invalid = new Set(context.issues.map(({ path = [] }) => path[0]));
      for (const [index, one] of items.entries()) {
        if (typeof one === 'string' && seen.has(one) && !invalid.has(index))
          context.addIssue({
            code: 'custom',
            path: [index],
            message: `“${abridged(one)}” is a duplicate.`,
          });
        seen.add(one);
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  );

export const listOf = <T extends z.ZodType>(item: T) => distinct(item).min(1);

export const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.preprocess((one) => (typeof one === 'object' ? one : [one]), listOf(item)).meta({ orItsOnlyItem: true });

/** YAML may have read the text as a number or a boolean. */
export const written = <T extends z.ZodType>(text: T) =>
  z.preprocess(
    (value) => (typeof value === 'boolean' || typeof value === 'number' ? String(value) : value),
    text,
  );

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Like `written`, and editors accept a number or a boolean, too. */
export const writtenValue = <T extends z.ZodType>(text: T) => written(text).meta({ orItsValue: true });

/** For example `1h30m`, to milliseconds. @param range the bounds in words */
export function duration(least: number, most: number, range: string, example = '15m, 60s or 1h30m') {
  const read = (text: string): number | undefined => {
    const milliseconds = readDuration(text) ?? 0;
    return milliseconds >= least && milliseconds <= most ? milliseconds : undefined;
  };
  return written(z.string().transform(readAs(read, `must be a duration from ${range}, such as ${example}.`)));
}

/** To epoch milliseconds. */
export const time = written(
  z
    .string()
    .transform(
      readAs(readMoment, 'must be an existing time with its zone, such as 2026-12-24T18:00:00+01:00.'),
    ),
);

/** A name is one word of a command, and `/` separates project, region and id, so neither spaces nor slashes are allowed. */
export const matching = (shape: RegExp, text: string) => z.string().regex(shape, { error: text });

export const name = matching(
  /^(?!-)[^\s/\p{C}]{1,100}$/u,
  'must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
);

export const instanceId = matching(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/u,
  "must be the service's instance id: letters, digits, - and _.",
);

const userId = /^(?:[TE][A-Z0-9]{1,30}\/)?[UW][A-Z0-9]{1,30}$/u;
const notUser =
  'must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.';

export const user = matching(userId, notUser);

/** A person, or a program of one of these kinds. */
export const userOrProgram = (kinds: readonly string[]) =>
  kinds.length === 0
    ? user
    : matching(new RegExp(`${userId.source}|^(?:${kinds.join('|')}):[a-z0-9-]{1,40}$`, 'u'), notUser);

/** Of the bot's team, because schedules apply to no one else. */
export const member = matching(
  /^[UW][A-Z0-9]{1,30}$/u,
  'must be the id of a Slack user of your own team (U… or W…), not a name. Use “Copy member ID” in their profile.',
);

export const usergroup = matching(
  /^S[A-Z0-9]{1,30}$/u,
  'must be the id of a Slack user group (S…), not its handle.',
);

export const channel = matching(
  /^[CGD][A-Z0-9]{1,30}$/u,
  'must be the id of a channel (C…, G… or D…), not its name. It is at the bottom of “View channel details”.',
);

export const team = matching(/^[TE][A-Z0-9]{1,30}$/u, 'must be the id of a Slack workspace (T…).');

export const secretName = matching(
  /^[a-z0-9-]{1,64}$/u,
  'must be the name of a secret without “secret:”, in lower-case letters, digits and -.',
);

/** Digits are read as text, too, because the finding about a wrong type would quote a value that may be a secret. */
export const secretReference = written(
  matching(
    /^secret:[a-z0-9-]{1,64}$/u,
    'must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
  ),
);

export const host = matching(
  /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u,
  'must be a host name without scheme, port or path, such as s3.example.com.',
);

export const label = matching(
  /^[^\p{Cc}]{1,200}$/u,
  'must be text of at most 200 characters, without control characters.',
);

export const ruleName = matching(
  /^(?!\p{Zs})[^\p{C}\p{Zl}\p{Zp}]{1,40}(?<!\p{Zs})$/u,
  'must be one line of 1 to 40 visible characters, without spaces at its ends.',
);

const placeholders = /\{(?:project|region|id)\}/gu;

/** An instance's page, with `{project}`, `{region}` and `{id}` after the host. */
export const linkTemplate = z
  .string()
  .max(1000)
  .refine(
    (text) => {
      const url = URL.parse(text.replaceAll(placeholders, '1'));
      const [, authority = '{'] = /^https:\/\/([^/?#\\]+)/u.exec(text) ?? [];
      const plain = !/[\s<>|"{}]/u.test(text.replaceAll(placeholders, ''));
      return url?.protocol === 'https:' && url.username === '' && plain && !/[{}@]/u.test(authority);
    },
    {
      error:
        'must be an https:// address with {project}, {region} and {id} after the host, such as https://console.example.com/{project}/{region}/{id}.',
    },
  );

/** `https://`, or `http://` on this machine, without credentials. Such addresses decide who is on call or may sign in. */
export const isSafeAddress = (text: string): boolean => {
  const url = URL.parse(text);
  if (!url || hasLogin(url)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
};

/** Without a query and a fragment, too. */
export const isPlainAddress = (text: string): boolean => isSafeAddress(text) && !/[?#]/u.test(text);
