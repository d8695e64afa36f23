import { listedActor, samePerson, type Actor } from '../model/values/actor.ts';
import type { Rules } from '../model/ports.ts';
import { badInput, BellhopError } from '../model/values/errors.ts';
import { withheldText } from '../model/introspection.ts';
import { listedIn, listedWithTeam } from './roles.ts';
import type { TextPart } from '../text/parts.ts';
import { actionLabelOf, typedName } from '../command/grammar/registry.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import type { WhoMay } from '../model/members.ts';
import type { DecidedBy, Decision } from '../model/values/decision.ts';
import { capitalized, sentences, someNames } from '../text/words.ts';

/** By policy, or for a click by a person who may not use the button. */
export class DeniedError extends BellhopError {
  override readonly name = 'DeniedError';
  readonly rule: string;
  readonly by: DecidedBy['kind'];
  readonly whoMay: WhoMay;

  /** @param options `retryable` marks a temporary denial, `until` is its end, `by` the kind of entry that `rule` names */
  constructor(
    message: string | readonly TextPart[],
    rule: string,
    whoMay: WhoMay,
    options: {
      readonly retryable?: boolean;
      readonly until?: number | undefined;
      readonly by?: DecidedBy['kind'];
    } = {},
  ) {
    super('denied', message, options);
    this.rule = rule;
    this.by = options.by ?? 'rule';
    this.whoMay = whoMay;
  }
}

/** The people whom `bellhop.yaml` lists in these roles, without `other`, and the members of the roles' sources. */
export function whoHolds(
  context: Rules,
  roles: readonly string[],
  channels: readonly string[] = [],
  other?: Actor,
): WhoMay {
  const { users, usergroups, sources } = listedIn(context.rulebook().policy.roles, roles);
  return {
    roles,
    users: users.filter((user) => !other || !samePerson(listedActor(user, context.ownTeam), other)),
    usergroups,
    channels,
    sources: sources.map((source) => context.directory.membersOf(source)),
  };
}

/** For denials whose text already says who may act, and for those that no role or channel would lift. */
export const noneMay: WhoMay = { roles: [], users: [], usergroups: [], channels: [] };

const maxNamed = 10;

/** For texts that can't mention people. */
export async function namesOfPeople(
  { directory }: Pick<Rules, 'directory'>,
  actors: readonly Actor[],
): Promise<string> {
  const shown = actors.slice(0, maxNamed).map(async (one) => (await directory.person(one))?.name ?? one.user);
  return someNames(
    [...(await Promise.all(shown)), ...actors.slice(maxNamed).map(({ user }) => user)],
    maxNamed,
  );
}

export function denied(
  context: Rules,
  { entry, values, target }: ResolvedCommand,
  decision: Decision,
): DeniedError {
  const { operation } = entry;
  const actionLabel = actionLabelOf(entry, { operation: operation.name, input: values });
  const { on = target.name } = decision;
  const what = operation.risk === 'read' ? `run ${typedName(entry)}` : `${actionLabel} ${on}`;
  return deniedTo(context, what, decision, operation.risk === 'read' ? '' : ' Nothing was done.');
}

/** Says one thing: that roles can't be looked up, which channel to use, that other roles are needed, or why the rules deny. */
export function deniedTo(context: Rules, what: string, decision: Decision, ending = ''): DeniedError {
  const { by, rule, explanation, said = [explanation], needed, until } = decision;
  const { cannotTell = false, unanswered = false, wayOut } = decision;
  const { roles, channels, elsewhere = [], breakGlass } = needed;
  const isElsewhere = elsewhere.length > 0;
  const isAnywhere = by.kind === 'none' && channels.length === 0;
  const when = until === undefined ? (isAnywhere ? '' : ' here') : ' now';
  const text = cannotTell
    ? `${cannotTellText(roles)}, so you can't ${what} yet. ${explanation}. ${cannotTellAdvice(context, roles)}${ending}`
    : isElsewhere
      ? [`You can't ${what} in this channel. Use `, ...channelChoice(elsewhere), `.${ending}`]
      : isAnywhere && roles.length > 0 && !unanswered
        ? `You have no role that may ${what}.${ending}`
        : [`You can't ${what}${when}. `, ...said, sentences([`.${ending}`, wayOut]) ?? ''];
  // The sentence names the other channels. Roles that can't be looked up may list the reader.
  const whoMay = isElsewhere || cannotTell ? noneMay : whoHolds(context, roles, channels);
  const noOneMay = [...roles, ...channels, ...elsewhere].length === 0 && standing.has(by.kind);
  return new DeniedError(
    text,
    rule,
    { ...whoMay, noOne: noOneMay, breakGlass },
    { retryable: cannotTell || unanswered, until, by: by.kind },
  );
}

/** If the person may run the command in another channel, the names of others would mislead. */
export const whoElseMay = (context: Rules, { roles, channels, elsewhere = [] }: Decision['needed']): WhoMay =>
  elsewhere.length > 0 ? whoHolds(context, [], elsewhere) : whoHolds(context, roles, channels);

/** Other denials end without a change of the rules. */
const standing: ReadonlySet<DecidedBy['kind']> = new Set<DecidedBy['kind']>(['rule', 'none']);

const maxChannels = 5;

/** For example `#ops, #war-room or #incident-42`. */
const channelChoice = (channels: readonly string[]): readonly TextPart[] =>
  channels.slice(0, maxChannels).flatMap((channel, index, all): readonly TextPart[] => {
    if (index === 0) return [{ channel }];
    return [index === all.length - 1 ? ' or ' : ', ', { channel }];
  });

/**
 * Bellhop works in one workspace. People from any other may act only if a role lists them as `T…/U…`, even within one Enterprise Grid
 * organization.
 * @throws DeniedError
 */
export async function assertOwnWorkspace(
  context: Pick<Rules, 'rulebook' | 'ownTeam' | 'directory' | 'withheld'>,
  actor: Actor,
): Promise<void> {
  if (actor.team === context.ownTeam) return;
  const person = await context.directory.person(actor);
  const { roles } = context.rulebook().policy;
  if (Object.values(roles).some((role) => listedWithTeam(role, actor, person))) return;
  const why = person
    ? 'you are in another one.'
    : `Slack can't say whether you are one. ${cannotTellAdvice(context)}`;
  const text = `Bellhop takes commands only from members of the workspace it is installed in, and ${why} Nothing was done.`;
  throw new DeniedError(text, 'another workspace', noneMay, { by: 'none', retryable: !person });
}

type Withholding = Pick<Rules, 'withheld' | 'rulebook'>;

export function lostGroupAdvice(
  { withheld, rulebook }: Withholding,
  roles: readonly string[],
): string | undefined {
  const { usergroups } = listedIn(rulebook().policy.roles, roles);
  const lost = withheld?.().find((one) => one.what === 'user group' && usergroups.includes(one.group));
  return (
    lost &&
    `${withheldText(lost)} Ask the owner of bellhop.yaml to replace it, or a workspace admin to enable it and to let the app read it (usergroups:read).`
  );
}

/** Says that roles can't be looked up. Only Slack's answers make `roles` unknown, which are those that could allow it. */
export const cannotTellText = (roles: readonly string[]): string =>
  `Bellhop can't ${roles.length > 0 ? 'look up your roles in Slack' : 'verify your roles'} right now`;

/**
 * The next step if a person or one of `roles` cannot be looked up. Waiting does not help while a scope is missing or a user
 * group is lost.
 */
export function cannotTellAdvice(context: Withholding, roles: readonly string[] = []): string {
  const lost = lostGroupAdvice(context, roles);
  if (lost !== undefined) return lost;
  const lacking = context.withheld?.().find(({ what }) => what === 'people' || what === 'user groups');
  return lacking
    ? `${withheldText(lacking)} Ask a workspace admin to add it and reinstall the app.`
    : `${roles.length > 0 ? 'Slack may be down. ' : ''}Try again in a minute. If it keeps failing, contact the Bellhop admin.`;
}

/** So that no one believes that `--break-glass` skipped an approval. */
export function uselessBreakGlass(
  context: Rules,
  { options }: ResolvedCommand,
  decision: Decision,
): BellhopError | undefined {
  const { approvalSkipped, effect, rule, breakGlass = [], approvers } = decision;
  if (options.breakGlass === undefined || approvalSkipped) return undefined;
  if (effect !== 'approve') {
    const text = 'This needs no approval here. Run it without --break-glass. Nothing was done.';
    return badInput(text);
  }
  const whom = breakGlass.length === 0 ? "doesn't allow break-glass" : "doesn't allow you to use break-glass";
  const instead = `Run it without --break-glass, and ${approvers.join(' or ')} can approve it.`;
  const text = `${capitalized(rule)} ${whom}. ${instead} Nothing was done.`;
  return new DeniedError(text, rule, whoHolds(context, breakGlass));
}
