import type { Acknowledgement } from '../dispatch/dispatcher.ts';
import { commandPayload, eventPayload } from '../dispatch/payloads.ts';
import {
  APP,
  findConversation,
  SLACKBOT,
  type Conversation,
  type Member,
} from '../conversations/directory.ts';
import type { Gesture, Outcome } from './gestures.ts';
import type { StoredMessage } from '../conversations/history.ts';
import type { SlashCommand } from '../manifest.ts';
import { addMessage } from '../conversations/messages.ts';
import { readAnswer, respond } from '../page-api/respond.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { personOf, refused } from './outcomes.ts';
import { asCommandText, asMessage } from './person-text.ts';

/** A person presses Enter: a message, or a slash command. Answers once a command was acknowledged, or was not. */
export async function send(workspace: Workspace, gesture: Gesture<'send'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const conversation = findConversation(gesture.channel);
  if (conversation === undefined || !conversation.members.includes(person.id))
    return refused('channel_not_found', `${person.real_name} is not in that conversation.`);
  const text = gesture.text.trim();
  if (text === '') return refused('no_text', 'Write something first.');
  if (text.startsWith('/')) return runCommand(workspace, person, conversation, text, gesture);
  if (conversation.kind === 'im' && !workspace.manifest.messagesTab)
    return refused('messages_tab_disabled', 'Sending messages to this app has been turned off.');
  const message = addMessage(workspace, {
    channel: conversation.id,
    user: person.id,
    is_bot: false,
    text: asMessage(text, workspace.manifest.name),
    thread_ts: gesture.thread_ts,
  });
  tellApp(workspace, conversation, message, person);
  return { ok: true };
}

async function runCommand(
  workspace: Workspace,
  person: Member,
  conversation: Conversation,
  typed: string,
  { session, thread_ts }: Gesture<'send'>,
): Promise<Outcome> {
  const [name = ''] = typed.split(/\s/, 1);
  const command = workspace.manifest.commands.find((one) => one.command === name);
  if (command === undefined)
    return refused('unknown_command', `${name} is not a valid command. A message cannot begin with a slash.`);
  if (thread_ts !== undefined)
    return refused('not_in_threads', `${name} is not supported in threads. Sorry!`);
  const target = { channel: conversation.id, user: person.id };
  const acknowledgement = await workspace.dispatcher.deliver({
    kind: 'slash_commands',
    name,
    payload: commandPayload({
      person,
      conversation,
      command: name,
      text: commandText(typed.slice(name.length).trim(), command, workspace.manifest.name),
      response_url: workspace.origin + workspace.responseUrls.issue(target),
      trigger_id: workspace.triggers.issue({ user: person.id, session, channel: conversation.id }),
    }),
  });
  const error = commandError(workspace, acknowledgement, target);
  if (error === undefined) return { ok: true };
  const message = `${name} failed with the error “${error}”`;
  addMessage(workspace, { ...target, user: SLACKBOT, is_bot: true, text: message, ephemeral_to: person.id });
  return refused(error, message);
}

function commandText(typed: string, command: SlashCommand, appName: string): string {
  return asCommandText(typed, command.should_escape, appName);
}

/** Shows what the app answered; the error that the person reads if there is one. */
function commandError(
  workspace: Workspace,
  acknowledgement: Acknowledgement,
  target: { channel: string; user: string },
): string | undefined {
  if (!acknowledgement.ok) return acknowledgement.error;
  const answer = readAnswer(acknowledgement.text);
  if (answer === undefined) return undefined;
  return respond(workspace, target, answer).ok ? undefined : 'invalid_command_response';
}

/** The events that a message is, as far as the manifest subscribes to them and the app is where it was said. */
function tellApp(workspace: Workspace, conversation: Conversation, message: StoredMessage, person: Member) {
  if (!botIsMember(workspace, conversation)) return;
  const { events } = workspace.manifest;
  const { channel, ts, user, text, thread_ts } = message;
  const common = {
    user,
    ts,
    text,
    channel,
    event_ts: ts,
    team: person.team_id,
    ...(thread_ts && { thread_ts }),
  };
  const happened = [
    ...(conversation.kind === 'im'
      ? [{ name: 'message.im', event: { ...common, type: 'message', channel_type: 'im' } }]
      : []),
    ...(conversation.kind === 'channel'
      ? [{ name: 'message.channels', event: { ...common, type: 'message', channel_type: 'channel' } }]
      : []),
    ...(text.includes(`<@${APP.user_id}>`)
      ? [{ name: 'app_mention', event: { ...common, type: 'app_mention' } }]
      : []),
  ];
  for (const { name, event } of happened.filter((one) => events.includes(one.name))) {
    const payload = eventPayload(
      event,
      workspace.ids.next('Ev0'),
      workspace.clock.now(),
      conversation.shared,
    );
    void workspace.dispatcher.deliverEvent({ kind: 'events_api', name, payload });
  }
}
