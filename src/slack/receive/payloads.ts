import { createHash } from 'node:crypto';

import type { BlockAction, ButtonAction, ViewOutput } from '@slack/bolt';
import type { z } from 'zod';

import type { Actor, Place } from '../../model/actor.ts';
import { parseJson } from '../render/text.ts';
import { type FormMetadata, readFormMetadata } from './form-metadata.ts';
import type { DeliveryRecord } from './inbox.ts';
import * as schemas from './payload-schemas.ts';

/** Who sent a payload, and from where. Handlers get it beside Bolt's own arguments. */
export interface Sender {
  /** In a shared channel the person's own team differs from that of the place. */
  readonly actor: Actor;
  /** Without a channel: the person's direct messages with the app, as their user id. */
  readonly place: Place;
  /** Slack's URL for private replies. */
  readonly responseUrl?: string | undefined;
  /** Identifies a button of a message, or a form, together with the person who used it. */
  readonly press?: string | undefined;
  /** The form's metadata; undefined outside our forms. */
  readonly metadata?: FormMetadata | undefined;
  /** The message whose button was clicked; undefined in a form. */
  readonly clicked?: ClickedMessage | undefined;
}

interface ClickedMessage {
  readonly ts: string;
  readonly isEphemeral: boolean | undefined;
  readonly hasReplies: boolean;
}

export interface Click extends Sender {
  readonly body: BlockAction<ButtonAction>;
  readonly action: ButtonAction;
}

export interface SubmittedForm extends Sender {
  readonly view: ViewOutput;
}

/** A payload for the app, its shape checked. */
export interface HandledPayload {
  /** Slack's type, except for commands and messages to Bellhop. */
  readonly kind:
    | 'command'
    | 'block_actions'
    | 'message_action'
    | 'view_submission'
    | 'view_closed'
    | 'block_suggestion'
    | 'event_callback'
    | 'message';
  /** As Slack sent it; fields that no schema names are kept. Bolt's listeners type it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Its inbox record; undefined for payloads that change nothing. */
  readonly delivery?: DeliveryRecord | undefined;
  /** Undefined if no person sent it. */
  readonly sender?: Sender | undefined;
  /** A person's message to Bellhop. */
  readonly message?: schemas.PersonMessage | undefined;
  /** The first block of a form that can show an error. */
  readonly firstInput?: string | undefined;
}

export type Payload =
  | HandledPayload
  | { readonly kind: 'url_verification'; readonly challenge: string }
  | { readonly kind: 'ssl_check' }
  /** A type that is not used. */
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

/** Parses a payload from either transport. `ownTeam`: for payloads that name no team. Never throws. */
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
      return parse(type, schemas.blockSuggestion, value, (body) => ({
        kind: 'block_suggestion',
        body,
        sender: viewSender(body, ownTeam),
      }));
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

function commandPayload(body: z.output<typeof schemas.slashCommand>): HandledPayload {
  const { team_id: team, user_id: user, channel_id: channel, response_url: responseUrl } = body;
  const sender = { actor: { team, user }, place: { team, channel }, responseUrl };
  const key = deliveryKey('command', body.trigger_id, user, channel, body.command, body.text);
  return {
    kind: 'command',
    body,
    sender,
    delivery: deliveryOf('command', key, sender, `\`${body.command}\` command`),
  };
}

/** The same click delivered again has the same key; another click on the same button has another. */
function clickPayload(body: z.output<typeof schemas.blockActions>, ownTeam: string): HandledPayload {
  const { user, channel: clickedIn, container, message } = body;
  const [{ action_id: id, value, action_ts: at }] = body.actions;
  const opened = viewSender(body, ownTeam);
  // In a modal, the place where that was opened.
  const place = clickedIn ? { ...opened.place, channel: clickedIn.id, thread: threadOf(body) } : opened.place;
  const shown = message?.ts ?? container?.message_ts ?? body.view?.id;
  const sender = {
    ...opened,
    place,
    responseUrl: body.response_url ?? opened.responseUrl,
    press: deliveryKey('press', place.team, place.channel, shown, id, value, user.id),
    clicked:
      container?.message_ts === undefined
        ? undefined
        : {
            ts: container.message_ts,
            isEphemeral: container.is_ephemeral,
            hasReplies: (message?.reply_count ?? 0) > 0,
          },
  };
  const key = deliveryKey('click', body.trigger_id, user.id, id, value, at);
  return { kind: 'block_actions', body, sender, delivery: deliveryOf('click', key, sender) };
}

/** A message with replies names itself as the thread; a click on it is in the channel. */
function threadOf({ container, message }: z.output<typeof schemas.blockActions>): string | undefined {
  const thread = message?.thread_ts ?? container?.thread_ts;
  return thread === (message?.ts ?? container?.message_ts) ? undefined : thread;
}

/** Commands on a message are shown in the thread under it, or in the one it is in. */
function shortcutPayload(body: z.output<typeof schemas.messageAction>, ownTeam: string): HandledPayload {
  const { channel, message, trigger_id: trigger, response_url: responseUrl } = body;
  const { actor, team } = senderOf(body, ownTeam);
  const sender = {
    actor,
    place: { team, channel: channel.id, thread: message.thread_ts ?? message.ts },
    responseUrl,
  };
  const key = deliveryKey('shortcut', body.callback_id, trigger, actor.user, channel.id, message.ts);
  const waiting = { actor, channel: channel.id, what: 'your shortcut', responseUrl };
  return { kind: 'message_action', body, sender, delivery: { kind: 'shortcut', key, waiting } };
}

/** A form that is submitted twice, changed or not, has the same key until it is redrawn. */
function formPayload(body: z.output<typeof schemas.viewSubmission>, ownTeam: string): HandledPayload {
  const { view, user } = body;
  const sender = { ...viewSender(body, ownTeam), press: deliveryKey('press', view.id, user.id) };
  const delivery = deliveryOf('form', deliveryKey('form', view.id, view.hash, user.id), sender);
  const firstInput = view.blocks.find(
    ({ type, block_id: id }) => type === 'input' && id !== undefined,
  )?.block_id;
  return { kind: 'view_submission', body, sender, delivery, firstInput };
}

function eventPayload(body: z.output<typeof schemas.eventCallback>, ownTeam: string): HandledPayload {
  const { user } = body.event;
  const team = body.team_id ?? body.enterprise_id ?? ownTeam;
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
 * A message has one key for all events about it: a mention, a direct message, an edit.
 */
function messagePayload(
  body: z.output<typeof schemas.eventCallback>,
  message: schemas.PersonMessage,
  ownTeam: string,
): HandledPayload {
  const { user, channel, ts, thread_ts: thread } = message;
  // In a shared channel the event may be from either team; the message names its author's team.
  const teams = [message.user_team, message.source_team, message.team].filter((one) => one !== undefined);
  const actor = {
    team: teams.find((one) => one !== ownTeam) ?? teams[0] ?? body.team_id ?? body.enterprise_id ?? ownTeam,
    user,
  };
  const sender = { actor, place: { team: ownTeam, channel, thread } };
  const delivery = deliveryOf('message', deliveryKey('message', channel, ts), sender);
  return { kind: 'message', body, message, delivery, sender };
}

/** Its sender waits at the place it was sent from. */
const deliveryOf = (
  kind: string,
  key: string,
  { actor, place: { channel, thread }, responseUrl }: Sender,
  what: string = kind,
): DeliveryRecord => ({ kind, key, waiting: { actor, channel, thread, what: `your ${what}`, responseUrl } });

type Interaction = Pick<z.output<typeof schemas.blockActions>, 'user' | 'team' | 'enterprise' | 'view'>;

/** Slack names the organisation and no workspace if the app is installed for all of it. That is not a workspace of ours. */
function senderOf({ user, team: workspace, enterprise }: Interaction, ownTeam: string) {
  const team = workspace?.id ?? enterprise?.id ?? ownTeam;
  return { actor: { team: user.team_id ?? team, user: user.id }, team };
}

/** Person and team come from Slack; channel and thread from the form's metadata. */
function viewSender(body: Interaction, ownTeam: string): Sender {
  const { actor, team } = senderOf(body, ownTeam);
  const metadata = metadataOf(body);
  const { channel, thread } = metadata?.place ?? { channel: body.user.id };
  const responseUrl = metadata && 'responseUrl' in metadata ? metadata.responseUrl : undefined;
  return { actor, place: { team, channel, thread }, responseUrl, metadata };
}

const metadataOf = ({ view }: Interaction): FormMetadata | undefined =>
  view && readFormMetadata(view.private_metadata);

/** Only the hash is stored, because people may type secrets. */
const deliveryKey = (...parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
