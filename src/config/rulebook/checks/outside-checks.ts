import { parseVerifierKey } from '../../../audit/tree/signed-note.ts';
import { rescue } from '../../../model/errors.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';
import { abridged } from '../../../text/words.ts';
import type { Finding } from '../../yaml/findings.ts';

/** Roles with an undefined schedule, and schedules without known people. */
export function scheduleFindings({
  roles = {},
  schedules = {},
  people = {},
}: FittingFile): readonly Finding[] {
  const known = Object.keys(schedules);
  return [
    ...Object.entries(roles).flatMap(([role, members]): readonly Finding[] =>
      members?.schedule === undefined || known.includes(members.schedule)
        ? []
        : [
            {
              path: ['roles', role, 'schedule'],
              text: `the schedule “${members.schedule.slice(0, 60)}” is not defined under schedules.`,
              misspelt: { typed: members.schedule, known },
            },
          ],
    ),
    ...Object.entries(schedules).flatMap(([name, schedule]): readonly Finding[] => {
      const { match = {} } = schedule ?? {};
      if (match === 'email' || Object.keys(match).length + Object.keys(people).length > 0) return [];
      const text =
        'lists no one known in Slack. Set “match: email”, or list people: { alice@example.com: U0ALICE }.';
      return [{ path: ['schedules', name], at: 'key', text }];
    }),
  ];
}

/** Targets of accounts that are not defined. */
export function accountFindings({
  accounts = {},
  instances = {},
  containers = {},
}: FittingFile): readonly Finding[] {
  const known = new Set(Object.keys(accounts));
  return Object.entries({ instances, containers }).flatMap(([section, listed]) =>
    Object.entries(listed).flatMap(([name, { account } = {}]): readonly Finding[] => {
      if (account === undefined || known.has(account)) return [];
      const text = `the account “${abridged(account)}” is not defined under accounts.`;
      return [{ path: [section, name, 'account'], text, misspelt: { typed: account, known } }];
    }),
  );
}

/** A login that identifies no one. */
export function identityFindings({ identity, people = {} }: FittingFile): readonly Finding[] {
  if (!identity || identity.match === 'email' || Object.keys(people).length > 0) return [];
  const text =
    'lists no one known in Slack. List people: { alice@example.com: U0ALICE }, or set “match: email”.';
  return [{ path: ['identity'], at: 'key', text }];
}

/** Keys by which a witness can't cosign. */
export const witnessFindings = ({ audit }: FittingFile): readonly Finding[] =>
  (audit?.witnesses ?? []).flatMap((witness, index): readonly Finding[] => {
    const problem = witness?.key === undefined ? undefined : keyProblem(witness.key);
    return problem === undefined ? [] : [{ path: ['audit', 'witnesses', index, 'key'], text: problem }];
  });

function keyProblem(key: string): string | undefined {
  const read = rescue(() => parseVerifierKey(key));
  if (!read) return 'must be the verifier key of a witness, name+hash+base64, of an Ed25519 key.';
  return read.type === 'cosignature'
    ? undefined
    : 'must be the key of a witness. This one signs notes, not cosignatures.';
}
