import { createHash } from 'node:crypto';

import type { BlockAction, ButtonAction, ViewOutput } from '@slack/bolt';
import type { z } from 'zod';

import type { RunnerContext } from '../../model/ports.ts';
import type { Actor, Caller, Place } from '../../model/values/actor.ts';
import { parseJson } from '../render/text.ts';
import type { AcceptedDelivery, DeliveryRecord } from './inbox.ts';
import * as schemas from './payload-schemas.ts';

/** Who sent a payload, and from where. Handlers get the sender in addition to Bolt's arguments. */
export interface Sender {
  /** In a shared channel, the person's team may differ from the place's team. */
  readonly actor: Actor;
  /** A payload without a channel gets the person's direct messages with the app as its channel, named by the user id. */
  readonly place: Place;
  readonly responseUrl?: string | undefined;
  /** Identifies a button of a message, or a form, together with the person who used it. */
  readonly press?: string | undefined;
  /** The form's metadata. Undefined outside Bellhop's forms. */
  readonly metadata?: schemas.FormMetadata | undefined;
  /** The message whose button was clicked. Undefined in a form. */
  readonly clicked?: ClickedMessage | undefined;
}

interface ClickedMessage {
  readonly ts: string;
  readonly isEphemeral: boolean | undefined;
  readonly hasReplies: boolean;
}

/** The sender as a caller. `accepted` is given if the payload may run a change. */
export const callerOf = (
  { ids }: Pick<RunnerContext, 'ids'>,
  { actor, place, press }: Sender,
  accepted?: AcceptedDelivery,
): Caller => ({
  actor,
  place,
  press,
  correlationId: ids.correlation(),
  recheckDuplicate: accepted?.recheckDuplicate,
});

export interface Click extends Sender {
  readonly body: BlockAction<ButtonAction>;
  readonly action: ButtonAction;
}

export interface SubmittedForm extends Sender {
  readonly view: ViewOutput;
}

export interface HandledPayload {
  /** Slack's type, except for commands and messages to Bellhop. */
  readonly kind:
    | 'command'
    | 'block_actions'
    | 'message_action'
    | 'view_submission'
    | 'block_suggestion'
    | 'event_callback'
    | 'message';
  /** The body as Slack sent it, including fields that no schema names. Bolt's listeners type the body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The payload's inbox record. Undefined for payloads that change nothing. */
  readonly delivery?: DeliveryRecord | undefined;
  /** Undefined if no person sent the payload. */
  readonly sender?: Sender | undefined;
  readonly message?: schemas.PersonMessage | undefined;
  readonly firstInput?: string | undefined;
}

export type Payload =
  | HandledPayload
  | { readonly kind: 'url_verification' | 'ssl_check'; readonly answer?: object | undefined }
  | { readonly kind: 'unknown'; readonly type: string; readonly answer?: undefined }
  | { readonly kind: 'malformed'; readonly problem: string; readonly answer?: undefined };

/**
 * Reads the raw body of a request from Slack. Events are JSON, commands are a form, and interactions are JSON in the form's field
 * `payload`. Never throws.
 */
export function readPayloadBody(contentType: string | undefined, body: Buffer, ownTeam: string): Payload {
  const text = body.toString('utf8');
  if (contentType?.startsWith('application/json')) return readJson(text, ownTeam);
  const form = new URLSearchParams(text);
  const payload = form.getAll('payload').at(-1);
  return payload === undefined ? readPayload(Object.fromEntries(form), ownTeam) : readJson(payload, ownTeam);
}

function readJson(text: string, ownTeam: string): Payload {
  const value = parseJson(text);
  return value === undefined ? { kind: 'malformed', problem: 'not JSON' } : readPayload(value, ownTeam);
}

/** Parses a payload from either transport. Never throws. @param ownTeam the team of payloads that name no team */
export function readPayload(value: unknown, ownTeam: string): Payload {
  if (typeof value !== 'object' || value === null) return { kind: 'malformed', problem: 'not an object' };
  if ('command' in value) return readCommand('command', value, ownTeam);
  if ('ssl_check' in value) return { kind: 'ssl_check' };
  const type = 'type' in value ? value.type : undefined;
  if (typeof type !== 'string') return { kind: 'malformed', problem: 'no type' };
  const read = readers.get(type);
  return read ? read(type, value, ownTeam) : { kind: 'unknown', type: type.slice(0, 60) };
}

type Reader = (type: string, value: object, ownTeam: string) => Payload;

const reader =
  <Body>(schema: z.ZodType<Body>, payload: (body: Body, ownTeam: string) => Payload): Reader =>
  (type, value, ownTeam) => {
    const { data, error } = schema.safeParse(value);
    if (data !== undefined) return payload(data, ownTeam);
    const [issue] = error?.issues ?? [];
    const where = issue?.path.join('.').slice(0, 100) ?? '';
    return { kind: 'malformed', problem: `${type}: ${where} ${issue?.code ?? ''}` };
  };

const readCommand = reader(schemas.slashCommand, (body) => {
  const { team_id: team, user_id: user, channel_id: channel, response_url: responseUrl } = body;
  const { command, text, trigger_id: trigger } = body;
  const sender = { actor: { team, user }, place: { team, channel }, responseUrl };
  const delivery = deliveryOf(
    'command',
    [trigger, user, channel, command, text],
    sender,
    `\`${command}\` command`,
  );
  return { kind: 'command', body, sender, delivery };
});

const readers: ReadonlyMap<string, Reader> = new Map([
  ['block_actions', reader(schemas.blockActions, clickPayload)],
  ['message_action', reader(schemas.messageAction, shortcutPayload)],
  ['view_submission', reader(schemas.viewSubmission, formPayload)],
  [
    'block_suggestion',
    reader(schemas.blockSuggestion, (body, ownTeam) => ({
      kind: 'block_suggestion',
      body,
      sender: viewSender(body, ownTeam),
    })),
  ],
  ['event_callback', reader(schemas.eventCallback, eventPayload)],
  [
    'url_verification',
    reader(schemas.urlVerification, ({ challenge }) => ({
      kind: 'url_verification',
      answer: { challenge },
    })),
  ],
]);

/** The key of a click is the same when the click is delivered again. Another click on the same button has another key. */
function clickPayload(body: z.output<typeof schemas.blockActions>, ownTeam: string): HandledPayload {
  const { user, channel: clickedIn, container, message } = body;
  const [{ action_id: id, value, action_ts: at }] = body.actions;
  const opened = viewSender(body, ownTeam);
  // In a modal, this is the place where the modal was opened.
  const place = clickedIn ? { ...opened.place, channel: clickedIn.id, thread: threadOf(body) } : opened.place;
  const shown = message?.ts ?? container?.message_ts ?? body.view?.id;
  const sender = {
    ...opened,
    place,
    responseUrl: body.response_url ?? opened.responseUrl,
    press: keyOf('press', place.team, place.channel, shown, id, value, user.id),
    clicked:
      container?.message_ts === undefined
        ? undefined
        : {
            ts: container.message_ts,
            isEphemeral: container.is_ephemeral,
            hasReplies: (message?.reply_count ?? 0) > 0,
          },
  };
  const delivery = deliveryOf('click', [body.trigger_id, user.id, id, value, at], sender);
  return { kind: 'block_actions', body, sender, delivery };
}

/** A message with replies names itself as the thread, but a click on that message is in the channel. */
function threadOf({ container, message }: z.output<typeof schemas.blockActions>): string | undefined {
  const thread = message?.thread_ts ?? container?.thread_ts;
  return thread === (message?.ts ?? container?.message_ts) ? undefined : thread;
}

/** The results of commands on a message are shown in the message's thread. */
function shortcutPayload(body: z.output<typeof schemas.messageAction>, ownTeam: string): HandledPayload {
  const { channel, message, trigger_id: trigger, response_url: responseUrl } = body;
  const { actor, team } = actorOf(body, ownTeam);
  const inChannel = { actor, place: { team, channel: channel.id }, responseUrl };
  const parts = [body.callback_id, trigger, actor.user, channel.id, message.ts];
  const thread = message.thread_ts ?? message.ts;
  return {
    kind: 'message_action',
    body,
    sender: { ...inChannel, place: { ...inChannel.place, thread } },
    delivery: deliveryOf('shortcut', parts, inChannel),
  };
}

/** A form that is submitted twice, changed or not, has the same key until the form is redrawn. */
function formPayload(body: z.output<typeof schemas.viewSubmission>, ownTeam: string): HandledPayload {
  const { view, user } = body;
  const sender = { ...viewSender(body, ownTeam), press: keyOf('press', view.id, user.id) };
  const firstInput = view.blocks.find(
    ({ type, block_id: id }) => type === 'input' && id !== undefined,
  )?.block_id;
  const delivery = deliveryOf('form', [view.id, view.hash, user.id], sender);
  return { kind: 'view_submission', body, sender, delivery, firstInput };
}

function eventPayload(body: z.output<typeof schemas.eventCallback>, ownTeam: string): HandledPayload {
  const message = schemas.personMessage.safeParse(body.event).data;
  const { user } = body.event;
  const team = body.team_id ?? body.enterprise_id ?? ownTeam;
  if (message) return messagePayload(body, message, team, ownTeam);
  return {
    kind: 'event_callback',
    body,
    delivery: { kind: 'event', key: keyOf('event', body.event_id) },
    sender: typeof user === 'string' ? { actor: { team, user }, place: { team, channel: user } } : undefined,
  };
}

/** All events about a message have one key: a mention, a direct message, an edit. */
function messagePayload(
  body: z.output<typeof schemas.eventCallback>,
  message: schemas.PersonMessage,
  eventTeam: string,
  ownTeam: string,
): HandledPayload {
  const { user, channel, ts, thread_ts: thread } = message;
  // In a shared channel, the event may be from either team. The message names its author's team.
  const teams = [message.user_team, message.source_team, message.team].filter((one) => one !== undefined);
  const team = teams.find((one) => one !== ownTeam) ?? teams[0] ?? eventTeam;
  const sender = { actor: { team, user }, place: { team: ownTeam, channel, thread } };
  return { kind: 'message', body, message, delivery: deliveryOf('message', [channel, ts], sender), sender };
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

type Interaction = Pick<z.output<typeof schemas.blockActions>, 'user' | 'team' | 'enterprise' | 'view'>;

/**
 * If the app is installed for a whole organization, Slack may name the organization and no workspace. The
 * organization is not one of our workspaces.
 */
function actorOf({ user, team: workspace, enterprise }: Interaction, ownTeam: string) {
  const team = workspace?.id ?? enterprise?.id ?? ownTeam;
  return { actor: { team: user.team_id ?? team, user: user.id }, team };
}

/** The person and team come from Slack, the channel and thread from the form's metadata. */
function viewSender(body: Interaction, ownTeam: string): Sender {
  const { user, view } = body;
  const { actor, team } = actorOf(body, ownTeam);
  const metadata = view && schemas.readFormMetadata(view.private_metadata);
  const { channel, thread } = metadata?.place ?? { channel: user.id };
  return { actor, place: { team, channel, thread }, responseUrl: metadata?.responseUrl, metadata };
}

/** Only the hash is stored, because people may type secrets. */
const keyOf = (...parts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
