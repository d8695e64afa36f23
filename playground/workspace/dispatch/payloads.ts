import { APP, OTHER_TEAM, TEAM, type Conversation, type Member } from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import type { OpenView } from '../views/views.ts';
import type { PayloadValues } from '../conversations/slack-objects.ts';
import type { Workspace } from '../workspace.ts';
import { messagePayload } from './message-payload.ts';

/** The old verification token that payloads still carry. Nothing relies on it. */
const VERIFICATION_TOKEN = 'local-verification-token';

const team = { id: TEAM.id, domain: TEAM.domain };

/** The members that every interactive payload has. `user.team_id` is the person's own organization. */
function interaction(type: string, person: Member) {
  return {
    type,
    token: VERIFICATION_TOKEN,
    api_app_id: APP.id,
    team,
    enterprise: null,
    is_enterprise_install: false,
    user: { id: person.id, username: person.name, name: person.name, team_id: person.team_id },
  };
}

interface CommandInput {
  readonly person: Member;
  readonly conversation: Conversation;
  readonly command: string;
  readonly text: string;
  readonly response_url: string;
  readonly trigger_id: string;
}

/** A slash command. A person of another organization comes with their own team's id. */
export function commandPayload({ person, conversation, ...rest }: CommandInput): Record<string, string> {
  const domain = person.team_id === TEAM.id ? TEAM.domain : OTHER_TEAM.domain;
  return {
    token: VERIFICATION_TOKEN,
    team_id: person.team_id,
    team_domain: domain,
    channel_id: conversation.id,
    channel_name: conversation.kind === 'im' ? 'directmessage' : conversation.name,
    user_id: person.id,
    user_name: person.name,
    api_app_id: APP.id,
    is_enterprise_install: 'false',
    ...rest,
  };
}

/** A view as it appears in payloads and in the answers of views.open and similar methods. */
export function viewPayload(view: OpenView, values: PayloadValues): Record<string, unknown> {
  const { user: _user, session: _session, ...shown } = view;
  return {
    ...shown,
    team_id: TEAM.id,
    app_installed_team_id: TEAM.id,
    app_id: APP.id,
    bot_id: APP.bot_id,
    state: { values },
  };
}

interface ShortcutInput {
  readonly person: Member;
  readonly callback_id: string;
  readonly trigger_id: string;
  readonly action_ts: string;
}

/**
 * A global shortcut: it does not say where the person is. Source:
 * docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload.
 */
export function shortcutPayload({ person, ...rest }: ShortcutInput): Record<string, unknown> {
  const { api_app_id: _left, ...common } = interaction('shortcut', person);
  return { ...common, ...rest };
}

interface MessageShortcutInput extends ShortcutInput {
  readonly conversation: Conversation;
  readonly message: StoredMessage;
  readonly response_url: string;
}

/** A message shortcut, with the whole message. */
export function messageShortcutPayload(
  workspace: Workspace,
  { person, conversation, message, ...rest }: MessageShortcutInput,
): Record<string, unknown> {
  const { api_app_id: _left, ...common } = interaction('message_action', person);
  return {
    ...common,
    ...rest,
    channel: channelPayload(conversation),
    message_ts: message.ts,
    message: messagePayload(workspace, message),
  };
}

function channelPayload({ id, kind, name }: Conversation) {
  return { id, name: kind === 'im' ? 'directmessage' : name };
}

interface ActionInput {
  readonly person: Member;
  readonly action: Record<string, unknown>;
  readonly trigger_id: string;
}

interface MessageActionInput extends ActionInput {
  readonly conversation: Conversation;
  readonly message: StoredMessage;
  readonly values: PayloadValues;
  readonly response_url: string;
}

/** A click on a message. For an ephemeral message, the payload does not contain the message. */
export function messageActionPayload(
  workspace: Workspace,
  input: MessageActionInput,
): Record<string, unknown> {
  const { person, conversation, message, action, values, response_url, trigger_id } = input;
  const is_ephemeral = message.ephemeral_to !== undefined;
  return {
    ...interaction('block_actions', person),
    trigger_id,
    response_url,
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: conversation.id,
      is_ephemeral,
      thread_ts: message.thread_ts,
    },
    channel: channelPayload(conversation),
    message: is_ephemeral ? undefined : messagePayload(workspace, message),
    state: { values },
    actions: [action],
  };
}

/** A click in a modal or on the Home tab. It has no response_url. */
export function viewActionPayload(
  { person, action, trigger_id }: ActionInput,
  view: OpenView,
  values: PayloadValues,
): Record<string, unknown> {
  return {
    ...interaction('block_actions', person),
    trigger_id,
    container: { type: 'view', view_id: view.id },
    view: viewPayload(view, values),
    actions: [action],
  };
}

export interface SubmissionInput {
  readonly person: Member;
  readonly view: OpenView;
  readonly values: PayloadValues;
  readonly trigger_id: string;
  readonly response_urls: readonly Record<string, string>[];
}

export function submissionPayload(input: SubmissionInput): Record<string, unknown> {
  const { person, view, values, trigger_id, response_urls } = input;
  return {
    ...interaction('view_submission', person),
    trigger_id,
    view: viewPayload(view, values),
    response_urls,
  };
}

export function closedPayload(person: Member, view: OpenView, values: PayloadValues, is_cleared: boolean) {
  return { ...interaction('view_closed', person), view: viewPayload(view, values), is_cleared };
}

export interface SuggestionInput {
  readonly person: Member;
  readonly block_id: string;
  readonly action_id: string;
  readonly value: string;
  /** The place of the select: the `view`, or the `message` and `channel`, and the container. */
  readonly place: Record<string, unknown>;
}

export function suggestionPayload({ person, place, ...rest }: SuggestionInput): Record<string, unknown> {
  return { ...interaction('block_suggestion', person), ...rest, ...place };
}

/** The envelope of the Events API around an event. `now` is epoch milliseconds. */
export function eventPayload(event: Record<string, unknown>, event_id: string, now: number, shared: boolean) {
  return {
    type: 'event_callback',
    token: VERIFICATION_TOKEN,
    team_id: TEAM.id,
    context_team_id: TEAM.id,
    context_enterprise_id: null,
    api_app_id: APP.id,
    event,
    event_id,
    event_time: Math.floor(now / 1_000),
    is_ext_shared_channel: shared,
    authorizations: [
      {
        enterprise_id: null,
        team_id: TEAM.id,
        user_id: APP.user_id,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
  };
}
