import { hash } from 'node:crypto';

import type { z } from 'zod';

import type { Actor, Place } from '../../model/values/actor.ts';
import { parseJson } from '../../text/words.ts';
import type { DeliveryRecord } from './inbox.ts';
import * as schemas from './payload-schemas.ts';

export interface Sender {
  /** With the team that the payload names. In an organization, a person may belong to several workspaces, so Slack is asked later. */
  readonly actor: Actor;
  /** The team is always our own. Without a channel, the channel is the user id: the person's direct messages with the app. */
  readonly place: Place;
  readonly responseUrl?: string | undefined;
  /** Identifies a button of a message, or a form, together with the person who used it. */
  readonly press?: string | undefined;
  /** Undefined in a form. */
  readonly clicked?: { readonly ts: string; readonly isEphemeral: boolean | undefined } | undefined;
}

type ReadBody = z.output<typeof schemas.payload>;
type Body<Type> = Extract<ReadBody, { readonly type: Type }>;

export interface HandledPayload {
  /** Slack's type, except for commands and messages to Bellhop. */
  readonly kind: Exclude<ReadBody['type'], 'url_verification'> | 'message';
  /** As Slack sent it, including fields that no schema names. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Undefined if the payload changes nothing. */
  readonly delivery?: DeliveryRecord | undefined;
  readonly sender: Sender;
  readonly message?: schemas.PersonMessage | undefined;
  readonly firstInput?: string | undefined;
}

/** Answered without any work. `event_callback` is an event that Bellhop does not handle. */
interface AnsweredPayload {
  readonly kind: 'url_verification' | 'ssl_check' | 'event_callback' | 'unknown' | 'malformed';
  readonly answer?: object;
  /** For the log. */
  readonly problem?: string;
}

export type Payload = HandledPayload | AnsweredPayload;

/** Events are JSON, commands are a form, and interactions are JSON in the form's field `payload`. Never throws. */
export function readPayloadBody(contentType: string | undefined, body: Buffer, ownTeam: string): Payload {
  const text = body.toString('utf8');
  if (contentType?.startsWith('application/json')) return readPayload(parseJson(text), ownTeam);
  const form = new URLSearchParams(text);
  const payload = form.getAll('payload').at(-1);
  return readPayload(payload === undefined ? Object.fromEntries(form) : parseJson(payload), ownTeam);
}

/** Never throws. @param ownTeam the team of payloads that name no team */
export function readPayload(value: unknown, ownTeam: string): Payload {
  if (typeof value !== 'object' || value === null) return { kind: 'malformed', problem: 'not a JSON object' };
  const isCommand = 'command' in value;
  if (!isCommand && 'ssl_check' in value) return { kind: 'ssl_check' };
  const sent = isCommand ? { ...value, type: 'command' } : value;
  const { data, error } = schemas.payload.safeParse(sent);
  if (data) return payloadOf(data, ownTeam);
  const type = 'type' in sent && typeof sent.type === 'string' ? sent.type.slice(0, 60) : '';
  const [issue] = error.issues;
  const where = issue?.path.join('.').slice(0, 100);
  if (type !== '' && where === 'type') return { kind: 'unknown', problem: type };
  return { kind: 'malformed', problem: `${type}: ${where} ${issue?.code}` };
}

function payloadOf(body: ReadBody, ownTeam: string): Payload {
  switch (body.type) {
    case 'command':
      return commandPayload(body, ownTeam);
    case 'block_actions':
      return clickPayload(body, ownTeam);
    case 'message_action':
      return shortcutPayload(body, ownTeam);
    case 'view_submission':
      return formPayload(body, ownTeam);
    case 'block_suggestion':
      return { kind: body.type, body, sender: viewSender(body, ownTeam) };
    case 'event_callback':
      return eventPayload(body, ownTeam);
    case 'url_verification':
      return { kind: body.type, answer: { challenge: body.challenge } };
  }
}

function commandPayload(body: Body<'command'>, ownTeam: string): HandledPayload {
  const { team_id: team, user_id: user, channel_id: channel, response_url: responseUrl } = body;
  const { command, text, trigger_id: trigger } = body;
  const sender = { actor: { team, user }, place: { team: ownTeam, channel }, responseUrl };
  const parts = [trigger, user, channel, command, text];
  const delivery = deliveryOf('command', parts, sender, `\`${command}\` command`);
  return { kind: 'command', body, sender, delivery };
}

/** A redelivery of a click has the same key. Another click on the same button has another key. */
function clickPayload(body: Body<'block_actions'>, ownTeam: string): HandledPayload {
  const { user, channel: clickedIn, container, message } = body;
  const { message_ts: ts, is_ephemeral: isEphemeral } = container ?? {};
  const [{ action_id: id, value, action_ts: at }] = body.actions;
  const opened = viewSender(body, ownTeam);
  // For a click in a modal, this is the place where the modal was opened.
  const place = clickedIn ? { ...opened.place, channel: clickedIn.id, thread: threadOf(body) } : opened.place;
  const shown = message?.ts ?? ts ?? body.view?.id;
  const sender = {
    ...opened,
    place,
    responseUrl: body.response_url ?? opened.responseUrl,
    press: keyOf('press', place.team, place.channel, shown, id, value, user.id),
    clicked: ts === undefined ? undefined : { ts, isEphemeral },
  };
  const delivery = deliveryOf('click', [body.trigger_id, user.id, id, value, at], sender);
  return { kind: 'block_actions', body, sender, delivery };
}

/** A message with replies names itself as its thread, but a click on it is in the channel. */
function threadOf({ container, message }: Body<'block_actions'>): string | undefined {
  const thread = message?.thread_ts ?? container?.thread_ts;
  return thread === (message?.ts ?? container?.message_ts) ? undefined : thread;
}

/** Results are shown in the message's thread. */
function shortcutPayload(body: Body<'message_action'>, ownTeam: string): HandledPayload {
  const { channel, message, trigger_id: trigger, response_url: responseUrl } = body;
  const actor = actorOf(body, ownTeam);
  const inChannel = { actor, place: { team: ownTeam, channel: channel.id }, responseUrl };
  const parts = [body.callback_id, trigger, actor.user, channel.id, message.ts];
  const thread = message.thread_ts ?? message.ts;
  return {
    kind: 'message_action',
    body,
    sender: { ...inChannel, place: { ...inChannel.place, thread } },
    delivery: deliveryOf('shortcut', parts, inChannel),
  };
}

/** Submitting the form again, changed or not, has the same key until the form is redrawn. */
function formPayload(body: Body<'view_submission'>, ownTeam: string): HandledPayload {
  const { view, user } = body;
  const sender = { ...viewSender(body, ownTeam), press: keyOf('press', view.id, user.id) };
  const firstInput = view.blocks.find(
    ({ type, block_id: id }) => type === 'input' && id !== undefined,
  )?.block_id;
  const delivery = deliveryOf('form', [view.id, view.hash, user.id], sender);
  return { kind: 'view_submission', body, sender, delivery, firstInput };
}

/** All events about a message have one key: a mention, a direct message, an edit. */
function eventPayload(body: Body<'event_callback'>, ownTeam: string): Payload {
  const eventTeam = body.team_id ?? body.enterprise_id ?? ownTeam;
  const message = schemas.personMessage.safeParse(body.event).data;
  if (message) {
    const { channel, ts, thread_ts: thread } = message;
    // In a shared channel, the event may be from either team, so the message's own teams come first.
    const teams = [message.user_team, message.source_team, message.team].filter(isWorkspace);
    const team = teams.find((one) => one !== ownTeam) ?? teams[0] ?? eventTeam;
    const sender = { actor: { team, user: message.user }, place: { team: ownTeam, channel, thread } };
    const delivery = deliveryOf('message', [channel, ts], sender);
    return { kind: 'message', body, message, delivery, sender };
  }
  const { user } = schemas.homeOpened.safeParse(body.event).data ?? {};
  if (user === undefined) return { kind: body.type };
  const sender = { actor: { team: eventTeam, user }, place: { team: ownTeam, channel: user } };
  const delivery = { kind: 'event', key: keyOf('event', body.event_id) };
  return { kind: body.type, body, delivery, sender };
}

const deliveryOf = (
  kind: string,
  parts: readonly (string | undefined)[],
  { actor, place: { channel, thread }, responseUrl }: Sender,
  what: string = kind,
): DeliveryRecord => ({
  kind,
  key: keyOf(kind, ...parts),
  waiting: { actor, channel, thread, what: `your ${what}`, responseUrl },
});

const origins = schemas.formMetadata(schemas.formOrigin);

type Interaction = Pick<Body<'block_actions'>, 'user' | 'team' | 'enterprise' | 'view'>;

/** Ids that begin with `E` name an organization. */
const isWorkspace = (id: string | undefined): id is string => id?.startsWith('E') === false;

/** If Slack names an organization and no workspace, the team is the organization, which is never our workspace. */
function actorOf({ user, team, enterprise }: Interaction, ownTeam: string): Actor {
  const workspace = [user.team_id, team?.id].find(isWorkspace);
  return { team: workspace ?? user.team_id ?? enterprise?.id ?? ownTeam, user: user.id };
}

/** The channel and the thread come from the form's metadata, the rest from Slack. */
function viewSender(body: Interaction, ownTeam: string): Sender {
  const { user, view } = body;
  const origin = origins.read(view);
  const { channel, thread } = origin?.place ?? { channel: user.id };
  const place = { team: ownTeam, channel, thread };
  return { actor: actorOf(body, ownTeam), place, responseUrl: origin?.responseUrl };
}

/** A hash, because people may type secrets. */
const keyOf = (...parts: readonly (string | undefined)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url');
