import { ownSecrets, type Rulebook, scheduleSecret } from '../../model/rulebook.ts';
import { secretVariable } from '../environment/secrets.ts';
import type { Finding } from '../yaml/findings.ts';

type Names = readonly string[];

/** Secrets that are there and that no form takes, unless Slack and the service are both those of the playground. */
export function unboundSecrets(rulebook: Rulebook, names: Names): readonly Finding[] {
  const { secrets } = rulebook;
  const own = ownSecrets(rulebook);
  return names
    .filter((name) => !Object.hasOwn(secrets, name) && !own.has(name))
    .map((name) => ({
      path: ['secrets'],
      text: `secret:${name} is set, but not listed here: forms refuse it outside the playground. List it with the fields and hosts that it is for.`,
      misspelt: { typed: name, known: Object.keys(secrets) },
    }));
}

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
export const schedulesWithoutSecret = ({ schedules }: Rulebook, names: Names): readonly Finding[] =>
  Object.entries(schedules).flatMap(([name, schedule]): readonly Finding[] => {
    const text = withoutValue(scheduleSecret(schedule), names, 'nobody is on call by it');
    return text === undefined ? [] : [{ path: ['schedules', name], at: 'key', text }];
  });

/** A collector that gets nothing, because there is no value behind the name of its token. */
export function forwardWithoutSecret({ audit }: Rulebook, names: Names): readonly Finding[] {
  const text = withoutValue(nameIn(audit.forward?.token), names, 'the audit log is not forwarded');
  return text === undefined ? [] : [{ path: ['audit', 'forward', 'token'], text }];
}

/** Hooks that refuse every alert, because there is no value behind the name of their secret. */
export const hooksWithoutSecret = ({ hooks }: Rulebook, names: Names): readonly Finding[] =>
  Object.entries(hooks).flatMap(([hook, { secret }]): readonly Finding[] => {
    const text = withoutValue(nameIn(secret), names, 'every alert is refused');
    return text === undefined ? [] : [{ path: ['hooks', hook, 'secret'], text }];
  });

const nameIn = (reference: string | undefined): string | undefined => reference?.replace(/^secret:/u, '');

const withoutValue = (name: string | undefined, names: Names, consequence: string): string | undefined =>
  name === undefined || names.includes(name)
    ? undefined
    : `secret:${name} has no value, so ${consequence}: set ${secretVariable(name)}, ` +
      `or put it into the file ${name} in BELLHOP_SECRETS_DIR.`;

/** The playground's calendar is there only with the local workspace. */
export const localCalendars = ({ schedules }: Rulebook): readonly Finding[] =>
  Object.entries(schedules).flatMap(([name, { source }]): readonly Finding[] => {
    if (source.kind !== 'ical' || source.address !== 'local') return [];
    const text =
      '“local” is the calendar of the playground, which does not run here: give the https:// address of yours, or take the schedule out.';
    return [{ path: ['schedules', name, 'ical'], text }];
  });
