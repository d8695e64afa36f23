import { z } from 'zod';

import { place } from '../../model/values/actor.ts';
import { limits } from '../render/limits.ts';
import { parseJson } from '../../text/words.ts';

const id = z.string().min(1).max(255);
/** Slack omits an absent member or sends null. */
const maybe = <T>(schema: z.ZodType<T>) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
/** A message's timestamp, such as `1763700000.000100`. */
const timestamp = z.string().min(1).max(64);
const enterprise = z.looseObject({ id }).nullish();
/** Null if the app is installed for a whole organization. */
const team = z.looseObject({ id }).nullish();
/** In a shared channel, the person's own `team_id` may differ from this workspace. */
const user = z.looseObject({ id, team_id: maybe(id) });

const responseUrl = z.string().max(2_000);
const channel = z.looseObject({ id, name: z.string().max(255).optional().catch(undefined) });
/** The content is not parsed. */
const message = z.looseObject({
  ts: maybe(z.string()),
  thread_ts: maybe(timestamp),
  reply_count: maybe(z.number()),
});

const slashCommand = z.looseObject({
  type: z.literal('command'),
  command: z.string().regex(/^\/\S{1,64}$/u),
  text: z.string().default(''),
  team_id: id,
  user_id: id,
  channel_id: id,
  trigger_id: id,
  response_url: responseUrl,
});

/** The parser relies on Slack's limit. */
const entered = z.string().max(limits.inputLength);
const option = z.looseObject({ value: entered });
const element = z.looseObject({
  type: z.string(),
  value: entered.nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).max(limits.options).nullish(),
});

/** By block_id, then by action_id. */
const entries = z.record(z.string(), z.record(z.string(), element));

const view = z.looseObject({
  id,
  type: z.string(),
  callback_id: z.string().max(255).default(''),
  private_metadata: z.string().default(''),
  hash: z.string().optional(),
  state: z.looseObject({ values: entries }).default({ values: {} }),
  blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() })).default([]),
});

const interactive = { user, team, enterprise };

const action = z.looseObject({
  type: z.string(),
  action_id: id,
  block_id: z.string().max(255).default(''),
  value: z.string().max(4_000).optional(),
  action_ts: z.string().optional(),
});

const blockActions = z.looseObject({
  type: z.literal('block_actions'),
  ...interactive,
  trigger_id: id,
  response_url: maybe(responseUrl),
  channel: maybe(channel),
  container: maybe(
    z.looseObject({
      type: z.string(),
      message_ts: maybe(z.string()),
      thread_ts: maybe(timestamp),
      is_ephemeral: maybe(z.boolean()),
    }),
  ),
  message: maybe(message),
  view: maybe(view),
  actions: z.tuple([action], action).refine((actions) => actions.length <= 25),
});

const messageAction = z.looseObject({
  type: z.literal('message_action'),
  ...interactive,
  callback_id: id,
  trigger_id: id,
  response_url: responseUrl.optional(),
  channel,
  message: message.extend({ ts: timestamp }),
});

const viewSubmission = z.looseObject({
  type: z.literal('view_submission'),
  ...interactive,
  trigger_id: id.optional(),
  view,
});

const blockSuggestion = z.looseObject({
  type: z.literal('block_suggestion'),
  ...interactive,
  action_id: id,
  block_id: z.string().max(255).default(''),
  value: z.string().max(4_000).default(''),
  view: view.optional(),
});

const eventCallback = z.looseObject({
  type: z.literal('event_callback'),
  team_id: id.nullish(),
  enterprise_id: id.nullish(),
  event_id: id,
  event: z.looseObject({ type: z.string().min(1) }),
});

export const homeOpened = z.looseObject({ type: z.literal('app_home_opened'), user: id });

/** An unreadable element has no text. */
const richElement = z
  .looseObject({
    type: z.string(),
    text: z.string().optional(),
    url: z.string().optional(),
    user_id: z.string().optional(),
    channel_id: z.string().optional(),
    usergroup_id: z.string().optional(),
    team_id: z.string().optional(),
    name: z.string().optional(),
    value: z.string().optional(),
    range: z.string().optional(),
    fallback: z.string().optional(),
    timestamp: z.number().optional(),
    style: z.looseObject({ code: z.boolean().optional(), strike: z.boolean().optional() }).optional(),
  })
  .catch({ type: 'unreadable' });
export type RichElement = z.output<typeof richElement>;

/** The elements of a `rich_text` block are sections, lists, quotes and code. */
const writtenBlock = z.looseObject({
  type: z.string(),
  elements: z
    .array(z.looseObject({ type: z.string(), elements: z.array(richElement).optional() }))
    .optional(),
});
/** Only in edits and in messages by bots and apps. */
const absent = z.null().optional();

/** A person's message that mentions Bellhop, or is in their direct messages with it. */
export const personMessage = z
  .looseObject({
    type: z.enum(['app_mention', 'message']),
    channel: id,
    channel_type: maybe(z.string()),
    user: id,
    /** In a shared channel, the person's own team. */
    team: maybe(id),
    user_team: maybe(id),
    source_team: maybe(id),
    ts: timestamp.regex(/^\d+\.\d+$/u),
    thread_ts: maybe(timestamp),
    text: z.string(),
    blocks: maybe(z.array(writtenBlock).max(limits.messageBlocks)),
    /** Set for a message with a file, and for a reply that is also shown in the channel. */
    subtype: z.enum(['file_share', 'thread_broadcast']).nullish(),
    bot_id: absent,
    bot_profile: absent,
    app_id: absent,
    edited: absent,
  })
  .refine(({ type, channel_type: kind }) => type === 'app_mention' || kind === 'im');
export type PersonMessage = z.output<typeof personMessage>;

const urlVerification = z.looseObject({
  type: z.literal('url_verification'),
  challenge: z.string().max(1_000),
});

/** Every payload that Bellhop uses. A command has no type of its own. */
export const payload = z.discriminatedUnion('type', [
  slashCommand,
  blockActions,
  messageAction,
  viewSubmission,
  blockSuggestion,
  eventCallback,
  urlVerification,
]);

/** The place where a form was opened. It passes through the client, so it is only a hint and is checked like typed input. Each form extends it. */
export const formOrigin = z.object({
  place,
  /** From the payload, or from the private list in which the form was opened. */
  responseUrl: z.string().max(1_000).optional(),
});

type FormOrigin = z.output<typeof formOrigin>;

/** Writes and reads `private_metadata`. */
export const formMetadata = <Metadata extends FormOrigin>(schema: z.ZodType<Metadata>) => ({
  /** Undefined if the data does not fit the schema. */
  read: (opened: { readonly private_metadata: string } | undefined): Metadata | undefined =>
    schema.safeParse(parseJson(opened?.private_metadata ?? '')).data,
  /** Omits the URL if the data would be too long with it. */
  write(metadata: Metadata): string {
    const whole = JSON.stringify(metadata);
    if (whole.length <= limits.privateMetadata) return whole;
    return JSON.stringify({ ...metadata, responseUrl: undefined });
  },
});
