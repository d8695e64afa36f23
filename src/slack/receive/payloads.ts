import { createHash } from 'node:crypto';

import type { z } from 'zod';

import type { Actor, Place } from '../../model/actor.ts';
import { parseJson } from '../web-api/parse-json.ts';
import { type FormMetadata, readFormMetadata } from './form-metadata.ts';
import type { DeliveryRecord } from './inbox.ts';
import * as schemas from './payload-schemas.ts';

/** What a person sent: who, from where, and as what the inbox remembers it. */
interface Sent<Kind extends string, Body> {
  readonly kind: Kind;
  /** As Slack sent it; fields that no schema names are kept. */
  readonly body: Body;
  readonly delivery: DeliveryRecord;
  /** In a shared channel the person's own team differs from that of the place. */
  readonly actor: Actor;
  /** For what comes from no channel: the person's conversation with the app, as their user id. */
  readonly place: Place;
  /** Where Slack takes a private reply. */
  readonly responseUrl?: string | undefined;
  /** The same for each press of one button of a message, or of one form, by one person. */
  readonly press?: string | undefined;
}

interface InForm {
  /** What the form remembers; undefined outside a form of ours. */
  readonly metadata: FormMetadata | undefined;
}

export type CommandPayload = Sent<'command', schemas.SlashCommand>;
export type ClickPayload = Sent<'block_actions', schemas.BlockActions> & {
  readonly action: schemas.BlockActions['actions'][0];
} & InForm;
export type ShortcutPayload = Sent<'message_action', schemas.MessageAction>;
export type FormPayload = Sent<'view_submission', schemas.ViewSubmission> & InForm;
export type SuggestionPayload = Omit<Sent<'block_suggestion', schemas.BlockSuggestion>, 'delivery'> & InForm;
export type EventPayload = Pick<
  Sent<'event_callback', schemas.EventCallback>,
  'kind' | 'body' | 'delivery'
> & {
  /** Of an event that one person caused. */
  readonly sender?: { readonly actor: Actor; readonly place: Place } | undefined;
};
export type MessagePayload = Sent<'message', schemas.EventCallback> & {
  readonly message: schemas.PersonMessage;
};
type ClosedFormPayload = Pick<Sent<'view_closed', schemas.ViewClosed>, 'kind' | 'body'>;

/** A payload that goes on to the app; `kind` is its type in Slack, but for a command and what a person wrote to Bellhop. */
export type HandledPayload =
  | CommandPayload
  | ClickPayload
  | ShortcutPayload
  | FormPayload
  | SuggestionPayload
  | EventPayload
  | MessagePayload
  | ClosedFormPayload;

export type Payload =
  | HandledPayload
  | { readonly kind: 'url_verification'; readonly challenge: string }
  | { readonly kind: 'ssl_check' }
  /** Of a type that we have no use for. */
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'malformed'; readonly problem: string };

/**
 * Reads the raw body of a request from Slack: events are JSON, commands a form, interactions JSON in the form's field
 * `payload`. Never throws.
 */
export function readPayloadBody(contentType: string | undefined, body: Buffer, ownTeam: string): Payload {
  const text = body.toString('utf8');
  if (contentType?.startsWith('application/json')) return readJson(text, ownTeam);
  const form = new URLSearchParams(text);
  const payload = [...form.getAll('payload')].at(-1);
  return payload === undefined ? readPayload(Object.fromEntries(form), ownTeam) : readJson(payload, ownTeam);
}

function readJson(text: string, ownTeam: string): Payload {
  const value = parseJson(text);
  return value === undefined ? { kind: 'malformed', problem: 'not JSON' } : readPayload(value, ownTeam);
}

/** Reads a payload as an object, however it arrived. `ownTeam`: for what names no team. Never throws. */
export function readPayload(value: unknown, ownTeam: string): Payload {
  if (typeof value !== 'object' || value === null) return { kind: 'malformed', problem: 'not an object' };
  if ('command' in value) return parse('command', schemas.slashCommand, value, commandPayload);
  if ('ssl_check' in value) return { kind: 'ssl_check' };
  const type = 'type' in value ? value.type : undefined;
  if (typeof type !== 'string') return { kind: 'malformed', problem: 'no type' };
  switch (type) {
    case 'block_actions':
      return parse(type, schemas.blockActions, value, (body) => clickPayload(body, ownTeam));
    case 'message_action':
      return parse(type, schemas.messageAction, value, (body) => shortcutPayload(body, ownTeam));
    case 'view_submission':
      return parse(type, schemas.viewSubmission, value, (body) => formPayload(body, ownTeam));
    case 'view_closed':
      return parse(type, schemas.viewClosed, value, (body) => ({ kind: 'view_closed', body }));
    case 'block_suggestion':
      return parse(type, schemas.blockSuggestion, value, (body) => {
        const { actor, place, metadata } = viewSender(body, ownTeam);
        return { kind: 'block_suggestion', body, actor, place, metadata };
      });
    case 'event_callback':
      return parse(type, schemas.eventCallback, value, (body) => eventPayload(body, ownTeam));
    case 'url_verification':
      return parse(type, schemas.urlVerification, value, ({ challenge }) => ({
        kind: 'url_verification',
        challenge,
      }));
    default:
      return { kind: 'unknown', type: type.slice(0, 60) };
  }
}

function parse<Body>(
  kind: string,
  schema: z.ZodType<Body>,
  value: object,
  payload: (body: Body) => Payload,
): Payload {
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return payload(data);
  const [issue] = error?.issues ?? [];
  const where = issue?.path.join('.').slice(0, 100) ?? '';
  return { kind: 'malformed', problem: `${kind}: ${where} ${issue?.code ?? ''}` };
}

function commandPayload(body: schemas.SlashCommand): CommandPayload {
  const { team_id: team, user_id: user, channel_id: channel, response_url: responseUrl } = body;
  const actor = { team, user };
  const what = `your \`${body.command}\` command`;
  const key = deliveryKey('command', body.trigger_id, user, channel, body.command, body.text);
  const delivery = { kind: 'command', key, waiting: { actor, channel, what, responseUrl } };
  return { kind: 'command', body, delivery, actor, place: { team, channel }, responseUrl };
}

/** The same click delivered again has the same key; another click on the same button has another. */
function clickPayload(body: schemas.BlockActions, ownTeam: string): ClickPayload {
  const { user, channel: clickedIn } = body;
  const [action] = body.actions;
  const sender = viewSender(body, ownTeam);
  const { actor, metadata } = sender;
  // In a modal it is where that was opened.
  const place = clickedIn ? { ...sender.place, channel: clickedIn.id, thread: threadOf(body) } : sender.place;
  const responseUrl = body.response_url ?? sender.responseUrl;
  const key = deliveryKey(
    'click',
    body.trigger_id,
    user.id,
    action.action_id,
    action.value,
    action.action_ts,
  );
  const { channel, thread } = place;
  const waiting = { actor, channel, thread, what: 'your click', responseUrl };
  const shown = body.message?.ts ?? body.container?.message_ts ?? body.view?.id;
  const press = deliveryKey('press', place.team, channel, shown, action.action_id, action.value, user.id);
  return {
    kind: 'block_actions',
    body,
    action,
    delivery: { kind: 'click', key, waiting },
    actor,
    place,
    responseUrl,
    metadata,
    press,
  };
}

/** A message that others reply to names itself as the thread: a click on it is in the channel. */
function threadOf({ container, message }: schemas.BlockActions): string | undefined {
  const thread = message?.thread_ts ?? container?.thread_ts;
  return thread === (message?.ts ?? container?.message_ts) ? undefined : thread;
}

/** What is run on a message is shown in the thread under it, or the one it is in. */
function shortcutPayload(body: schemas.MessageAction, ownTeam: string): ShortcutPayload {
  const { channel, message, trigger_id: trigger, response_url: responseUrl } = body;
  const { actor, team } = senderOf(body, ownTeam);
  const place = { team, channel: channel.id, thread: message.thread_ts ?? message.ts };
  const key = deliveryKey('shortcut', body.callback_id, trigger, actor.user, channel.id, message.ts);
  const waiting = { actor, channel: channel.id, what: 'your shortcut', responseUrl };
  return {
    kind: 'message_action',
    body,
    delivery: { kind: 'shortcut', key, waiting },
    actor,
    place,
    responseUrl,
  };
}

/** A form that is sent twice, unchanged or not, has the same key until it is drawn again. */
function formPayload(body: schemas.ViewSubmission, ownTeam: string): FormPayload {
  const { view, user } = body;
  const { actor, place, responseUrl, metadata } = viewSender(body, ownTeam);
  const key = deliveryKey('form', view.id, view.hash, user.id);
  const { channel, thread } = place;
  const waiting = { actor, channel, thread, what: 'your form', responseUrl };
  return {
    kind: 'view_submission',
    body,
    delivery: { kind: 'form', key, waiting },
    actor,
    place,
    responseUrl,
    metadata,
    press: deliveryKey('press', view.id, user.id),
  };
}

function eventPayload(body: schemas.EventCallback, ownTeam: string): EventPayload | MessagePayload {
  const { user } = body.event;
  const team = body.team_id ?? ownTeam;
  const message = schemas.personMessage.safeParse(body.event).data;
  if (message) return messagePayload(body, message, ownTeam);
  return {
    kind: 'event_callback',
    body,
    delivery: { kind: 'event', key: deliveryKey('event', body.event_id) },
    sender: typeof user === 'string' ? { actor: { team, user }, place: { team, channel: user } } : undefined,
  };
}

/**
 * A message has one key, whichever event tells of it: that it mentions the app, that it was sent to it, that it was edited.
 */
function messagePayload(
  body: schemas.EventCallback,
  message: schemas.PersonMessage,
  ownTeam: string,
): MessagePayload {
  const { user, channel, ts, thread_ts: thread } = message;
  // In a shared channel the event may be of either team, and the message says whose its writer is.
  const teams = [message.user_team, message.source_team, message.team].filter((one) => one !== undefined);
  const actor = { team: teams.find((one) => one !== ownTeam) ?? teams[0] ?? body.team_id ?? ownTeam, user };
  const key = deliveryKey('message', channel, ts);
  const waiting = { actor, channel, thread, what: 'your message' };
  const delivery = { kind: 'message', key, waiting };
  return { kind: 'message', body, message, delivery, actor, place: { team: ownTeam, channel, thread } };
}

type Interaction = Pick<schemas.BlockActions, 'user' | 'team' | 'view'>;

function senderOf({ user, team: workspace }: Interaction, ownTeam: string) {
  const team = workspace?.id ?? ownTeam;
  return { actor: { team: user.team_id ?? team, user: user.id }, team };
}

/** The person is who Slack says; channel and thread are what the form remembers, in the team that Slack says. */
function viewSender(body: Interaction, ownTeam: string) {
  const { actor, team } = senderOf(body, ownTeam);
  const metadata = metadataOf(body);
  const { channel, thread } = metadata?.place ?? { channel: body.user.id };
  const responseUrl = metadata && 'responseUrl' in metadata ? metadata.responseUrl : undefined;
  return { actor, place: { team, channel, thread }, responseUrl, metadata };
}

const metadataOf = ({ view }: Interaction): FormMetadata | undefined =>
  view && readFormMetadata(view.private_metadata);

/** Only the hash is stored, since people type all sorts of things. */
const deliveryKey = (...parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
