import { ownSecrets, type Rulebook, scheduleSecret } from '../../model/rulebook.ts';
import { secretVariable } from '../environment/secrets.ts';
import type { Finding } from '../yaml/findings.ts';

/** Secrets that are there and that no form takes, unless Slack and the service are both those of the playground. */
export const unboundSecrets = (rulebook: Rulebook, names: readonly string[]): readonly Finding[] => {
  const { secrets } = rulebook;
  const own = ownSecrets(rulebook);
  return names
    .filter((name) => !Object.hasOwn(secrets, name) && !own.has(name))
    .map((name) => ({
      path: ['secrets'],
      text: `secret:${name} is set, but not listed here: forms refuse it outside the playground. List it with the fields and hosts that it is for.`,
      misspelt: { typed: name, known: Object.keys(secrets) },
    }));
};

/** Secrets that are listed for forms, though Bellhop uses them itself. */
export function ownSecretsListed(rulebook: Rulebook): readonly Finding[] {
  const own = ownSecrets(rulebook);
  return Object.keys(rulebook.secrets)
    .filter((name) => own.has(name))
    .map((name) => ({
      path: ['secrets', name],
      at: 'key',
      text: `secret:${name} is used by audit, hooks or schedules, so forms refuse it. Remove it here.`,
    }));
}

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
