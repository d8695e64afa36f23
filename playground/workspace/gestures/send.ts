import type { Acknowledgement } from '../dispatch/dispatcher.ts';
import { mentionsApp } from '../dispatch/message-events.ts';
import { commandPayload } from '../dispatch/payloads.ts';
import { APP, SLACKBOT, type Conversation, type Member } from '../conversations/directory.ts';
import type { Gesture, Outcome } from './gestures.ts';
import type { StoredFile } from '../conversations/file-store.ts';
import { addMessage } from '../conversations/messages.ts';
import { readAnswer, respond } from '../page-api/respond.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { invite, offerInvitation } from '../conversations/invitation.ts';
import { personOf, refused, RefusedGesture } from './outcomes.ts';
import { asCommandText, asMessage } from './person-text.ts';

/**
 * A person presses Enter: a message, or a slash command. Resolves once the app has acknowledged a command, or has
 * failed to.
 */
export async function send(workspace: Workspace, gesture: Gesture<'send'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const conversation = workspace.conversations.find(gesture.channel);
  if (conversation === undefined || !conversation.members.includes(person.id))
    return refused('channel_not_found', `${person.real_name} is not in that conversation.`);
  const text = gesture.text.trim();
  const files = gesture.files.map((id) => ownFile(workspace, person, id));
  if (text === '' && files.length === 0) return refused('no_text', 'Write something first.');
  if (text.startsWith('/') && files.length === 0)
    return runCommand(workspace, person, conversation, text, gesture);
  if (conversation.kind === 'im' && !workspace.manifest.messagesTab)
    return refused('messages_tab_disabled', 'Sending messages to this app has been turned off.');
  for (const file of files) workspace.files.share(file, conversation.id);
  const message = addMessage(workspace, {
    channel: conversation.id,
    user: person.id,
    is_bot: false,
    files: files.map(({ id }) => id),
    text: asMessage(workspace, text),
    thread_ts: threadOf(workspace, conversation, gesture.thread_ts),
    broadcast: gesture.broadcast,
  });
  if (mentionsApp(message) && !botIsMember(workspace, conversation))
    offerInvitation(workspace, conversation, message);
  return { ok: true };
}

/** @throws RefusedGesture if the person uploaded no such file */
function ownFile({ files }: Workspace, { id: user }: Member, id: string): StoredFile {
  const file = files.find(id);
  if (file?.user === user) return file;
  throw new RefusedGesture('file_not_found', 'This file is no longer available. Choose it again.');
}

/** The thread of the message that a reply answers. @throws RefusedGesture if that message is gone */
function threadOf(workspace: Workspace, { id }: Conversation, ts: string | undefined): string | undefined {
  if (ts === undefined) return undefined;
  const parent = workspace.history.find(id, ts);
  if (parent === undefined || parent.ephemeral_to !== undefined)
    throw new RefusedGesture('thread_not_found', 'The message that this thread belongs to is gone.');
  return parent.thread_ts ?? parent.ts;
}

async function runCommand(
  workspace: Workspace,
  person: Member,
  conversation: Conversation,
  typed: string,
  { session, thread_ts }: Gesture<'send'>,
): Promise<Outcome> {
  const [name = ''] = typed.split(/\s/, 1);
  if (name === '/invite') return inviteTyped(workspace, person, conversation, typed);
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
      text: asCommandText(workspace, typed.slice(name.length).trim(), command.should_escape),
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

/** The part of Slack's own command that is about the app. */
function inviteTyped(
  workspace: Workspace,
  person: Member,
  conversation: Conversation,
  typed: string,
): Outcome {
  const { name } = workspace.manifest;
  return conversation.kind === 'channel' && asMessage(workspace, typed) === `/invite <@${APP.user_id}>`
    ? invite(workspace, person, conversation)
    : refused('invalid_invite', `Here, /invite works only in a channel, and only for @${name}.`);
}

/** Shows the app's answer, or the error for the person. */
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
