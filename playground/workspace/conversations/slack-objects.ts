import { APP, emailOf, TEAM, type Conversation, type Member } from './directory.ts';
import type { StateValues } from '../gestures/gestures.ts';
import { botIsMember, grantedScopes, type Workspace } from '../workspace.ts';

/** A user object, as users.info answers it. Source: docs.slack.dev/reference/objects/user-object. */
export function slackUser(workspace: Workspace, person: Member): Record<string, unknown> {
  const isBot = person.kind === 'bot';
  return {
    id: person.id,
    team_id: person.team_id,
    name: person.name,
    real_name: person.real_name,
    deleted: false,
    tz: person.tz,
    tz_label: person.tz_label,
    tz_offset: offsetSeconds(person.tz),
    profile: {
      title: person.title,
      real_name: person.real_name,
      real_name_normalized: person.real_name,
      display_name: person.name,
      display_name_normalized: person.name,
      team: person.team_id,
      email: grantedScopes(workspace).includes('users:read.email') ? emailOf(person) : undefined,
      bot_id: isBot ? APP.bot_id : undefined,
      api_app_id: isBot ? APP.id : undefined,
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: person.kind === 'guest',
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    is_stranger: person.kind === 'stranger' || undefined,
    updated: 1_700_000_000,
  };
}

/** Seconds that a zone is ahead of UTC now. */
function offsetSeconds(zone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find((part) => part.type === 'timeZoneName')?.value;
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '');
  if (match === null) return 0;
  const seconds = Number(match[2]) * 3_600 + Number(match[3]) * 60;
  return match[1] === '-' ? -seconds : seconds;
}

/** A conversation object. Source: docs.slack.dev/reference/objects/conversation-object. */
export function slackConversation(workspace: Workspace, conversation: Conversation): Record<string, unknown> {
  const { id, name, kind, topic, members, shared } = conversation;
  const common = { id, created: 1_700_000_000, is_archived: false, context_team_id: TEAM.id };
  if (kind === 'im') return { ...common, is_im: true, user: members[0], is_user_deleted: false };
  return {
    ...common,
    name,
    name_normalized: name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: false,
    is_general: name === 'general',
    is_shared: shared,
    is_ext_shared: shared,
    is_member: botIsMember(workspace, conversation),
    num_members: members.length + (botIsMember(workspace, conversation) ? 1 : 0),
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  };
}

/** The permalink of a message; for a reply, it also names the thread. */
export function permalinkOf(
  { origin }: Workspace,
  { channel, ts, thread_ts }: { channel: string; ts: string; thread_ts?: string | undefined },
): string {
  const inThread = thread_ts !== undefined && thread_ts !== ts;
  const thread = inThread ? `?thread_ts=${thread_ts}&cid=${channel}` : '';
  return `${origin}/archives/${channel}/p${ts.replace('.', '')}${thread}`;
}

/** How long a file is not yet ready to be shown after it was completed. */
const PROCESSING_MS = 500;

/** A file object. As in Slack, its mimetype is empty until it is ready. */
export function slackFile(workspace: Workspace, id: string): Record<string, unknown> | undefined {
  const file = workspace.files.find(id);
  if (file === undefined) return undefined;
  const name = encodeURIComponent(file.name);
  const held = `${workspace.origin}/files-pri/${TEAM.id}-${id}`;
  const ready = workspace.clock.now() - file.completed_at >= PROCESSING_MS;
  return {
    id,
    created: Math.floor(file.completed_at / 1_000),
    timestamp: Math.floor(file.completed_at / 1_000),
    name: file.name,
    title: file.title,
    mimetype: ready ? file.mimetype : '',
    filetype: ready ? (file.name.split('.').at(-1) ?? '') : '',
    size: file.size,
    user: file.user,
    user_team: TEAM.id,
    mode: 'hosted',
    is_external: false,
    is_public: file.channels.length > 0,
    channels: file.channels,
    url_private: `${held}/${name}`,
    url_private_download: `${held}/download/${name}`,
    permalink: `${workspace.origin}/_workspace/files/${id}/${name}`,
  };
}

/** `state.values` as it goes to the app: the files of a file input are whole file objects. */
export function payloadValues(workspace: Workspace, values: StateValues): PayloadValues {
  const inSlackWords = (held: StateValues[string]) =>
    Object.entries(held).map(([action_id, value]) => [
      action_id,
      value.type === 'file_input'
        ? { ...value, files: value.files.flatMap(({ id }) => slackFile(workspace, id) ?? []) }
        : value,
    ]);
  return Object.fromEntries(
    Object.entries(values).map(([block_id, held]) => [block_id, Object.fromEntries(inSlackWords(held))]),
  );
}
export type PayloadValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
