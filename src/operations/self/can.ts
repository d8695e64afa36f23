import { type Actor, listedActor, sameActor } from '../../model/values/actor.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import type { Explanation } from '../../model/introspection.ts';
import type { Effect } from '../../model/rulebook/rulebook.ts';
import { byKind, type Members } from '../../model/members.ts';
import { operation, type ReadContext, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import type { ReportParts, Tone } from '../../model/values/report.ts';
import { capitalized, quoteWord, someNames } from '../../text/words.ts';
import { momentIn } from '../../text/local-time.ts';
import { channelText, momentText, personText } from '../../bellhop/parts/input.ts';
import { givenFacts, given, type Row } from '../../bellhop/parts/report-parts.ts';
import { commaSeparated, type TextPart } from '../../text/parts.ts';

export const can = operation({
  name: 'bellhop.can',
  summary: 'Explain whether you or someone else can run a command, without running it.',
  risk: 'read',
  input: z.strictObject({
    command: z
      .array(z.string().min(1).max(500, 'is too long'))
      .min(1, 'is missing')
      .max(40, 'is too long')
      .describe('The command. Put @someone first to ask about them; quote it if it has options.')
      .meta({ positional: true, itemsMayContainCommas: true, placeholder: 'cloud reboot web-1' }),
    as: personText
      .optional()
      .describe('For this person instead of you.')
      .meta({ label: 'Person', placeholder: '@bob' }),
    in: channelText
      .optional()
      .describe('In this channel instead of this one.')
      .meta({ label: 'Channel', placeholder: '#ops' }),
    at: momentText
      .optional()
      .describe('At this time instead of now, to check freezes. Include the time zone.')
      .meta({ label: 'Time', placeholder: '2026-12-24T19:00Z' }),
    each: z
      .array(z.string().min(1).max(200, 'is too long: a label has at most 200 characters'))
      .max(10, 'has too many labels')
      .optional()
      .describe('Same as --each of the command you ask about: the targets with this label, one at a time.')
      .meta({ itemsMayContainCommas: true, placeholder: 'tier=web' }),
    pause: z
      .string()
      .max(20, 'is too long: a time has at most 20 characters')
      .optional()
      .describe('Same as --pause of the command you ask about: the pause between two targets.')
      .meta({ placeholder: '30s' }),
  }),
  examples: [
    '/bellhop can cloud reboot web-1',
    '/bellhop can @bob cloud stop db-1',
    '/bellhop can "cloud ips --region 180"',
    '/bellhop can cloud reboot --each tier=web',
    '/bellhop can --as @bob --in #ops --at 2026-12-24T19:00Z cloud reboot db-1',
  ],
  async run(
    { command, as, in: channel, at, each = [], pause },
    { bellhop, actor, place, person }: ReadContext<BellhopTarget>,
  ) {
    const asker = as === undefined ? actor : listedActor(as, actor.team);
    const { who, area, text: typed } = readCommand(command, asker);
    const options = [
      ...each.map((label) => `--each ${quoteWord(label)}`),
      ...(pause ? [`--pause ${quoteWord(pause)}`] : []),
    ];
    const text = [typed, ...options].join(' ');
    if (as !== undefined && !sameActor(who, asker))
      throw badInput('Name one person, after --as or before the command.');
    const where = channel === undefined ? place : { ...place, channel };
    const explanation = await bellhop
      .explain({ actor: who, place: where }, area, text, at)
      .catch((error: unknown) => Promise.reject(afterCan(error, text)));
    return {
      who,
      name: sameActor(who, actor) ? 'you' : ((await bellhop.nameOf(who)) ?? 'this person'),
      isAsker: sameActor(who, actor),
      channel,
      at,
      zone: person.timeZone,
      explanation,
      approvers: await approversText(explanation, async (user) =>
        bellhop.nameOf(listedActor(user, actor.team)),
      ),
      command: `/${area} ${text}`.trim(),
    };
  },
  report: explained,
});

interface Explained {
  readonly who: Actor;
  readonly name: string;
  readonly isAsker: boolean;
  /** Set if the question names another channel or time. */
  readonly channel: string | undefined;
  readonly at: number | undefined;
  readonly zone: string;
  readonly explanation: Explanation;
  /** Empty if no one has to approve. */
  readonly approvers: string;
  readonly command: string;
}

/** `@U…` or `@T…/U…` at the start names another person. The next word is the slash command. */
function readCommand(words: readonly string[], asker: Actor): { who: Actor; area: string; text: string } {
  const named = /^@(?:(T[A-Z0-9]+)\/)?([UW][A-Z0-9]+)$/u.exec(words[0] ?? '');
  if (!named && (words[0] ?? '').startsWith('@')) {
    throw badInput(`“${words[0]}” is not a person. Type @ and pick one from Slack's list.`);
  }
  const who = named ? { team: named[1] ?? asker.team, user: String(named[2]) } : asker;
  const rest = named ? words.slice(1) : words;
  // A command in one pair of quotes is one word here, and that word includes the options.
  const line = rest.length === 1 ? String(rest[0]) : rest.map(quoteWord).join(' ');
  const [first = '', ...others] = line.trim().split(/\s/u);
  if (first === '') {
    throw badInput('Enter the command after the person, such as: cloud reboot web-1.');
  }
  return { who, area: first.replace(/^\//u, ''), text: others.join(' ') };
}

/** After `can`, people type commands without a slash. If the area is missing, the error must not speak of an unknown slash command. */
function afterCan(error: unknown, text: string): unknown {
  if (!(error instanceof BellhopError) || error.code !== 'unknown-command' || !error.guess) return error;
  const { guess } = error;
  const [word, ...others] = guess.words;
  const isCommand = word?.includes(' ') ?? false;
  if (word === undefined || (text === '' && isCommand)) {
    const example = word ?? 'cloud reboot web-1';
    return new BellhopError(error.code, `Write a command after “can”, such as: ${example}.`, { guess });
  }
  if (!isCommand || others.length > 0) return error;
  return new BellhopError(error.code, `Write the whole command after “can”: ${word} ${text}.`, { guess });
}

function because(memberBy: readonly Members[], isAsker: boolean): string {
  const why = byKind(memberBy).map(([{ words }, names]) => words.because(names));
  return why.length === 0 ? '' : `, because ${isAsker ? 'you are' : 'they are'} ${why.join(' and ')}`;
}

const maxInHeadline = 3;

/** Resolves to text such as `leads (Carol)`. */
async function approversText(
  { decision: { effect }, whoMay: { roles, users } }: Explanation,
  nameOf: (user: string) => Promise<string | undefined>,
): Promise<string> {
  if (effect !== 'approve') return '';
  const shown = users.slice(0, maxInHeadline);
  const names = await Promise.all(shown.map(async (user) => (await nameOf(user)) ?? user));
  const people = names.length === 0 ? '' : ` (${someNames(names, maxInHeadline, users.length)})`;
  return `${roles.join(' or ') || 'someone else'}${people}`;
}

const verdicts: Readonly<Record<Explanation['decision']['effect'], readonly [string, Tone]>> = {
  allow: ['Yes, immediately.', 'good'],
  confirm: ['Yes, after confirming.', 'good'],
  approve: ['Yes, with approval by', 'good'],
  deny: ['No.', 'bad'],
};

const doer = (effect: Effect, name: string, isAsker: boolean): string =>
  effect === 'approve' ? 'the approver has' : isAsker ? 'you have' : `${name} has`;

const maxNamed = 20;

function someOf(parts: readonly TextPart[]): readonly TextPart[] {
  const left = parts.length - maxNamed;
  return commaSeparated([...parts.slice(0, maxNamed), ...(left > 0 ? [`and ${left} more`] : [])]);
}

function explained({
  who,
  name,
  isAsker,
  channel,
  at,
  zone,
  explanation,
  approvers,
  command,
}: Explained): ReportParts {
  const { decision, target, whoMay, roles, unknownRoles, memberBy } = explanation;
  const [verdict, tone] = verdicts[decision.effect];
  const said = decision.effect === 'deny' ? decision.said : undefined;
  const headline = approvers === '' ? verdict : `${verdict} ${approvers}.`;
  const later = (decision.approversAfter ?? []).map((one) => `${one.roles.join(', ')} after ${one.after}`);
  const labels = Object.entries(target.labels).map(([label, value]) => `${label}=${value}`);
  return {
    title: `Can ${name} run “${command}”${channel === undefined ? ' here' : ' in that channel'}${at === undefined ? '' : ` at ${momentIn(at, zone)}`}?`,
    tone,
    headline: said ? headline : `${headline} ${decision.explanation}${because(memberBy, isAsker)}.`,
    facts: givenFacts([
      ['Why', said && [...said, '.']],
      ['Person', !isAsker && { person: who.user }],
      ['Channel', channel !== undefined && { channel }],
      ['Time', at !== undefined && { at }],
      ...(decision.demands ?? []).map(({ noun, how }): Row => [
        capitalized(noun),
        `${doer(decision.effect, name, isAsker)} to ${how}`,
      ]),
      ['Allowed again from', decision.until !== undefined && { at: decision.until }],
      ['Target', [target.name, ...labels].join(', ')],
      ['Roles', [...roles].join(', ')],
      ['Roles unknown right now', [...unknownRoles].join(', ')],
      [decision.effect === 'approve' ? 'Approver roles' : 'Allowed roles', whoMay.roles.join(', ')],
      ['May approve later', later.join(', ')],
      [
        decision.effect === 'approve' ? 'Approvers' : 'People',
        someOf(whoMay.users.map((person) => ({ person }))),
      ],
      ['User groups', someOf(whoMay.usergroups.map((usergroup) => ({ usergroup })))],
      ...(whoMay.sources ?? []).map((one): Row => [one.kind.words.label, one.kind.words.now(one)]),
      ['Channels', someOf(whoMay.channels.map((id) => ({ channel: id })))],
    ]),
    notes: given(
      decision.effect === 'approve' &&
        decision.breakGlass?.some((role) => roles.has(role)) &&
        `Can't wait? ${isAsker ? 'You' : capitalized(name)} can skip the approval: --break-glass "why".`,
      decision.wayOut,
      at !== undefined && 'Uses the current rules and roles. Limits, guards and holds are not considered.',
    ),
  };
}
