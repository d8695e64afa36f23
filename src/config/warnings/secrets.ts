import type { Rulebook, Schedule } from '../../core/model/rulebook.ts';
import { secretVariable } from '../environment/secrets.ts';
import type { Finding } from '../yaml/findings.ts';

/** Secrets that are there, and that may go anywhere on a laptop and nowhere in production. */
export const unboundSecrets = (
  { secrets, hooks, schedules, audit }: Rulebook,
  names: readonly string[],
): readonly Finding[] => {
  const elsewhere = new Set([
    ...Object.values(hooks).map(({ secret }) => secret),
    ...Object.values(schedules).map((schedule) => `secret:${scheduleSecret(schedule) ?? ''}`),
    ...audit.keys,
    audit.forward?.token,
  ]);
  return names
    .filter((name) => !Object.hasOwn(secrets, name) && !elsewhere.has(`secret:${name}`))
    .map((name) => ({
      path: ['secrets'],
      text: `secret:${name} is set, but not listed here: in production it is refused. List it with the fields and hosts that it is for.`,
      misspelt: { typed: name, known: Object.keys(secrets) },
    }));
};

/** Schedules that cannot be asked, because there is no value behind the name of their token or address. */
export const schedulesWithoutSecret = (
  { schedules }: Rulebook,
  secretNames: readonly string[],
): readonly Finding[] =>
  Object.entries(schedules).flatMap(([name, schedule]): readonly Finding[] => {
    const secret = scheduleSecret(schedule);
    if (secret === undefined || secretNames.includes(secret)) return [];
    const text =
      `secret:${secret} has no value, so nobody is on call by it: set ${secretVariable(secret)}, ` +
      `or put it into the file ${secret} in BELLHOP_SECRETS_DIR.`;
    return [{ path: ['schedules', name], at: 'key', text }];
  });

/** A collector that gets nothing, because there is no value behind the name of its token. */
export function forwardWithoutSecret(
  { audit: { forward } }: Rulebook,
  secretNames: readonly string[],
): readonly Finding[] {
  const name = forward?.token.replace(/^secret:/u, '');
  if (name === undefined || secretNames.includes(name)) return [];
  const text =
    `secret:${name} has no value, so the audit log is not forwarded: set ${secretVariable(name)}, ` +
    `or put it into the file ${name} in BELLHOP_SECRETS_DIR.`;
  return [{ path: ['audit', 'forward', 'token'], text }];
}

/** The secret that a schedule is asked with, without `secret:`. */
function scheduleSecret({ source }: Schedule): string | undefined {
  const written = source.kind === 'ical' ? source.address : source.token;
  return written.startsWith('secret:') ? written.slice('secret:'.length) : undefined;
}
