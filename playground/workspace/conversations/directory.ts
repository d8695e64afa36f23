/**
 * The people, channels and groups of the local workspace, with fixed ids that a configuration can name. Nothing here changes
 * while the workspace runs; `channels.ts` has the people who have joined channels since, and new channels.
 */
export const TEAM = { id: 'T0LOCAL', name: 'Local workspace', domain: 'local' } as const;
export const OTHER_TEAM = { id: 'T0OTHER', name: 'Other organization', domain: 'other' } as const;
export const APP = { id: 'A0BELLHOP', bot_id: 'B0BELLHOP', user_id: 'U0BELLHOP' } as const;
export const SLACKBOT = 'USLACKBOT';

export interface Member {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly real_name: string;
  readonly title: string;
  readonly tz: string;
  readonly tz_label: string;
  readonly kind: 'full' | 'guest' | 'stranger' | 'bot';
}

/** The sample people live in this machine's time zone, like the reader. */
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

const labelOf = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'long' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

function member(id: string, name: string, title: string, tz = here): Member {
  const real_name = name.charAt(0).toUpperCase() + name.slice(1);
  return { id, team_id: TEAM.id, name, real_name, title, tz, tz_label: labelOf(tz), kind: 'full' };
}

/** Their address in the workspace; bots and people from another organization have none here. */
export function emailOf({ kind, name }: Member): string | undefined {
  return kind === 'full' || kind === 'guest' ? `${name}@example.com` : undefined;
}

/** The people whose role you can take on the page. */
export const PEOPLE: readonly Member[] = [
  member('U0ALICE', 'alice', 'responder'),
  member('U0BOB', 'bob', 'viewer'),
  member('U0CAROL', 'carol', 'lead'),
  { ...member('U0GUS', 'gus', 'guest'), kind: 'guest' },
  {
    ...member('U0SARA', 'sara', OTHER_TEAM.name),
    team_id: OTHER_TEAM.id,
    kind: 'stranger',
  },
];

/** The app's own user, under the app's name. */
export function botMember(name: string): Member {
  const handle = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
  return { ...member(APP.user_id, handle, 'app', 'UTC'), real_name: name, kind: 'bot' };
}

export const USERGROUPS = [
  { id: 'S0ONCALL', handle: 'oncall', name: 'On call', users: ['U0ALICE'] },
] as const satisfies readonly { id: string; handle: string; name: string; users: readonly string[] }[];

export interface Conversation {
  readonly id: string;
  readonly kind: 'channel' | 'im';
  readonly name: string;
  readonly topic: string;
  /** The people in it. Whether the app is in it is in `bot`. */
  readonly members: readonly string[];
  readonly bot: boolean;
  /** Shared with another organization. */
  readonly shared: boolean;
}

const FULL = ['U0ALICE', 'U0BOB', 'U0CAROL'];
const channel = { kind: 'channel', shared: false, bot: true } as const;

export const CHANNELS: readonly Conversation[] = [
  {
    ...channel,
    id: 'C0OPS',
    name: 'ops',
    topic: 'Operations. Shared with another organization',
    members: [...FULL, 'U0GUS', 'U0SARA'],
    shared: true,
  },
  { ...channel, id: 'C0INC42', name: 'incident-42', topic: 'Checkout is slow', members: FULL, bot: false },
  { ...channel, id: 'C0GENERAL', name: 'general', topic: 'Everyone', members: FULL },
];

/** Direct message of a person with the app. People from another organization have none. */
export const DIRECT_MESSAGES: readonly Conversation[] = PEOPLE.filter(
  (person) => person.kind !== 'stranger',
).map((person) => ({
  id: `D0${person.id.slice(2)}`,
  kind: 'im',
  name: person.name,
  topic: '',
  members: [person.id],
  bot: true,
  shared: false,
}));

export function findPerson(id: string): Member | undefined {
  return PEOPLE.find((person) => person.id === id);
}
