import type { Actor } from '../../model/values/actor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { nameOnSchedule } from '../../text/words.ts';
import type { Rules } from '../../model/ports.ts';
import { personHash } from './gate.ts';
import { identitySection } from './section.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { Login } from '../../model/values/pass.ts';
import type { SignIns } from '../../model/records/sign-ins.ts';

export interface SignedIn {
  readonly login: Login;
  /** The value of the claim by which the issuer identifies the person. */
  readonly name: string;
}

/** Thrown if the issuer's answer does not prove that the person who signed in is the one who clicked. */
export class RefusedLoginError extends BellhopError {
  override readonly name = 'RefusedLoginError';
  readonly login: Login | undefined;
  /** In the third person, for the audit log. */
  readonly note: string;

  constructor(message: string, login?: Login, note = message) {
    super('denied', message);
    this.login = login;
    this.note = note;
  }
}

interface PersonPorts {
  /** `people` in bellhop.yaml lists only members of the bot's own team. */
  readonly context: Pick<Rules, 'ownTeam'> & { readonly rulebook: () => Pick<Rulebook, 'sections'> };
  /** Rejects if Slack does not answer. */
  readonly userByEmail: (email: string) => Promise<string | undefined>;
}

/** Checks that the person who signed in is the one who pressed the button in Slack. @throws RefusedLoginError, BellhopError */
export async function assertIsPerson(
  { context: { ownTeam, rulebook }, userByEmail }: PersonPorts,
  { name, login }: SignedIn,
  actor: Actor,
): Promise<void> {
  const identity = identitySection.of(rulebook());
  if (!identity)
    throw new RefusedLoginError('“identity” was removed from bellhop.yaml, so no one can sign in.', login);
  const { people, byEmail, claim } = identity;
  const called = claim === 'email' ? nameOnSchedule(name) : name;
  const listed = Object.hasOwn(people, called) ? people[called] : undefined;
  // People listed in bellhop.yaml are never looked up: a Slack admin can give any account another address.
  const mayAsk = byEmail && listed === undefined && !Object.values(people).includes(actor.user);
  const user = mayAsk ? await askSlack(userByEmail, name) : listed;
  if (actor.team === ownTeam && user === actor.user) return;
  if (user === undefined)
    throw new RefusedLoginError(
      `bellhop.yaml does not say who ${name} is in Slack. Add them under “people”.`,
      login,
    );
  throw new RefusedLoginError(
    `You are signed in as ${name}, but someone else pressed the button in Slack. The link works only for that person.`,
    login,
    `Someone signed in as ${name} followed the link. Nothing was approved.`,
  );
}

/**
 * The requester's earlier logins are known. An approver must not sign in as the requester.
 * @throws RefusedLoginError
 */
export async function assertNotRequester(
  { loginsOf }: Pick<SignIns, 'loginsOf'>,
  login: Login,
  requester: Actor,
): Promise<void> {
  const person = personHash(login);
  if (!(await loginsOf(requester)).some((known) => personHash(known) === person)) return;
  const text =
    'You are signed in as the person who requested this change with another Slack account, so someone else has to approve it.';
  const note =
    'The person who requested the change with another Slack account followed the link. Nothing was approved.';
  throw new RefusedLoginError(text, login, note);
}

async function askSlack(userByEmail: PersonPorts['userByEmail'], email: string): Promise<string | undefined> {
  try {
    return await userByEmail(email);
  } catch (error) {
    const why = error instanceof BellhopError ? error.message : 'it is not responding.';
    const text = `Slack could not look up this e-mail address: ${why} Nothing was approved.`;
    throw new BellhopError('busy', text, { cause: error, retryable: true });
  }
}
