import { z } from 'zod';

import { drillsSchema, wireEntrySchema } from './drill-protocol.ts';

/**
 * The data that the local workspace's server sends to its page. The person's actions are in `gestures.ts`; the data
 * about drills and the wire log is in `drill-protocol.ts`.
 *
 * GET /_workspace/state?as=U0ALICE&session=<id> → State
 * GET /_workspace/events?as=U0ALICE&session=<id>&after=<event_id of State> → server-sent events
 * GET /_workspace/wire → WireEntry[] (newest last, without payloads)
 * GET /_workspace/wire/<id> → WireDetail
 * GET /_workspace/files/<id>/<name> → the bytes of a file
 * POST /_workspace/<name of a gesture> → Outcome (see `gestures.ts`)
 *
 * `session` names one open page (made by the page, kept while it reloads): modals open in the session that pressed the
 * button. Each event carries an id; a page that reconnects sends `Last-Event-ID`, and gets what it missed or one
 * `reload`, after which it reads the state again.
 */
const personSchema = z.object({
  id: z.string(),
  team_id: z.string(),
  /** Handle, as in @alice. */
  name: z.string(),
  real_name: z.string(),
  /** The person's role here: "responder", "viewer", "lead", "guest", "Other Org". */
  title: z.string(),
  tz: z.string(),
  is_bot: z.boolean(),
  is_restricted: z.boolean(),
  is_stranger: z.boolean(),
});
export type Person = z.infer<typeof personSchema>;

/** A block as the bot sent it: checked by the server, drawn by the page. Always has a block_id. */
export const drawnBlockSchema = z.looseObject({ type: z.string(), block_id: z.string() });
export type DrawnBlock = z.infer<typeof drawnBlockSchema>;

const attachmentText = z.string().max(40_000).optional();

/** A legacy attachment, as far as the page draws it. Source: docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments. */
export const attachmentSchema = z.looseObject({
  /** `good`, `warning`, `danger` or `#rrggbb`. */
  color: z.string().max(40).optional(),
  fallback: attachmentText,
  pretext: attachmentText,
  author_name: attachmentText,
  title: attachmentText,
  title_link: attachmentText,
  text: attachmentText,
  footer: attachmentText,
  fields: z
    .array(z.looseObject({ title: attachmentText, value: attachmentText, short: z.boolean().optional() }))
    .max(100)
    .optional(),
  blocks: z.array(drawnBlockSchema).optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** An emoji that people put on a message, by its name without colons. */
export const reactionSchema = z.object({ name: z.string(), users: z.array(z.string()) });

export const fileSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  mimetype: z.string(),
  size: z.number().int(),
  /** Path on this server, `/_workspace/files/…`. */
  url: z.string(),
});
export type WorkspaceFile = z.infer<typeof fileSchema>;

export const messageSchema = z.object({
  channel: z.string(),
  /** Slack's id of a message within its channel, seconds with six decimals. */
  ts: z.string(),
  /** Set on replies, and on the parent of a thread (then equal to ts). */
  thread_ts: z.string().optional(),
  /** The author: a person, the bot's user or USLACKBOT. */
  user: z.string(),
  is_bot: z.boolean(),
  text: z.string(),
  blocks: z.array(drawnBlockSchema),
  files: z.array(fileSchema),
  attachments: z.array(attachmentSchema),
  edited: z.boolean(),
  /** Only visible to the reader. Gone after a restart. */
  ephemeral: z.boolean(),
  /**
   * The number of replies in the thread of this message. The replies are also listed as messages with its thread_ts.
   */
  reply_count: z.number().int(),
  /** The ts of the newest reply, "" if there is none. */
  latest_reply: z.string(),
  /** The people who replied, in the order of their first reply. */
  reply_users: z.array(z.string()),
  reactions: z.array(reactionSchema),
  /** Whether this is the placeholder of a deleted message with replies. */
  tombstone: z.boolean(),
  /** Whether the reply is also shown in the channel. */
  broadcast: z.boolean(),
});
export type Message = z.infer<typeof messageSchema>;

const channelSchema = z.object({
  id: z.string(),
  /** Without #; for a direct message the name of the app. */
  name: z.string(),
  kind: z.enum(['channel', 'im']),
  topic: z.string(),
  bot_is_member: z.boolean(),
  /** Oldest first, replies included. */
  messages: z.array(messageSchema),
});
export type Channel = z.infer<typeof channelSchema>;

const commandSchema = z.object({
  command: z.string(),
  description: z.string(),
  usage_hint: z.string(),
});
export type Command = z.infer<typeof commandSchema>;

const shortcutSchema = z.object({
  callback_id: z.string(),
  name: z.string(),
  /** `message`: in the menu of a message; `global`: next to the composer. */
  type: z.enum(['message', 'global']),
  description: z.string(),
});
export type Shortcut = z.infer<typeof shortcutSchema>;

const plainTextSchema = z.looseObject({ type: z.literal('plain_text'), text: z.string() });

const viewSchema = z.object({
  id: z.string(),
  type: z.enum(['modal', 'home']),
  callback_id: z.string(),
  hash: z.string(),
  title: plainTextSchema.nullable(),
  submit: plainTextSchema.nullable(),
  close: plainTextSchema.nullable(),
  notify_on_close: z.boolean(),
  clear_on_close: z.boolean(),
  blocks: z.array(drawnBlockSchema),
});
export type DrawnView = z.infer<typeof viewSchema>;

export const stateSchema = z.object({
  /** The notice on the page that this is not Slack. */
  notice: z.string(),
  team: z.object({ id: z.string(), name: z.string() }),
  app: z.object({ id: z.string(), name: z.string(), bot_user_id: z.string() }),
  as: z.string(),
  people: z.array(personSchema),
  usergroups: z.array(z.object({ id: z.string(), handle: z.string(), name: z.string() })),
  channels: z.array(channelSchema),
  commands: z.array(commandSchema),
  /** The app's shortcuts, in the order of its manifest. */
  shortcuts: z.array(shortcutSchema),
  home: viewSchema.nullable(),
  /** Modals of this session, the bottom one first. */
  modals: z.array(viewSchema),
  drills: drillsSchema,
  /** Passed as `after` when the events are opened. */
  event_id: z.string(),
});
export type State = z.infer<typeof stateSchema>;

/** Server-sent events: `event:` is `type`, `data:` is the whole object. */
export const workspaceEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), message: messageSchema }),
  z.object({ type: z.literal('message-changed'), message: messageSchema }),
  z.object({ type: z.literal('message-deleted'), channel: z.string(), ts: z.string() }),
  /** A message only this person sees; also in `channels` of the state until a restart. */
  z.object({ type: z.literal('ephemeral'), message: messageSchema }),
  z.object({ type: z.literal('channel'), channel: channelSchema.omit({ messages: true }) }),
  z.object({ type: z.literal('view-opened'), view: viewSchema }),
  z.object({ type: z.literal('view-pushed'), view: viewSchema }),
  /** Inputs whose block_id and action_id stay keep what the person entered. */
  z.object({ type: z.literal('view-updated'), view: viewSchema }),
  z.object({ type: z.literal('view-closed'), view_ids: z.array(z.string()) }),
  z.object({ type: z.literal('view-errors'), view_id: z.string(), errors: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('home'), view: viewSchema }),
  z.object({
    type: z.literal('toast'),
    /** `operation_timeout`, `dispatch_failed`, `invalid_response` … */
    error: z.string(),
    text: z.string(),
    /** The view whose submission failed, if it was one: the page says "trouble connecting" in it. */
    view_id: z.string().optional(),
  }),
  z.object({ type: z.literal('drills'), drills: drillsSchema }),
  z.object({ type: z.literal('wire'), entry: wireEntrySchema }),
  /** Too much was missed, or the workspace restarted: read the state again. */
  z.object({ type: z.literal('reload') }),
]);
export type WorkspaceEvent = z.infer<typeof workspaceEventSchema>;
