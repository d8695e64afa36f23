import { z } from 'zod';

import { place } from '../../model/values/actor.ts';
import { limits } from '../render/limits.ts';
import { parseJson } from '../render/text.ts';

const id = z.string().min(1).max(255);
/** A message's timestamp: `1763700000.000100`. */
const timestamp = z.string().min(1).max(64);
const enterprise = z.looseObject({ id }).nullish();
/** The workspace; null if the app is installed for a whole organization. */
const team = z.looseObject({ id }).nullish();
/** `team_id` is the person's own team, which in a shared channel may not be this workspace. */
const user = z.looseObject({ id, team_id: id.optional() });

export const slashCommand = z.looseObject({
  command: z.string().regex(/^\/\S{1,64}$/u),
  text: z.string().default(''),
  team_id: id,
  user_id: id,
  channel_id: id,
  trigger_id: id,
  response_url: z.string().max(2_000),
});

/** Slack's limit, on which the parser relies. */
const entered = z.string().max(limits.inputLength);
const option = z.looseObject({ value: entered });
const element = z.looseObject({
  type: z.string(),
  value: entered.nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).max(limits.options).nullish(),
});

/** Entered values, by block_id, then action_id. Bolt types them for the forms. */
const viewState = z.looseObject({
  values: z.record(z.string(), z.record(z.string(), element)),
});

const view = z.looseObject({
  id,
  type: z.string(),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  hash: z.string().optional(),
  state: viewState.default({ values: {} }),
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

export const blockActions = z.looseObject({
  ...interactive,
  trigger_id: id,
  response_url: z.string().max(2_000).optional(),
  channel: z.looseObject({ id }).optional(),
  container: z
    .looseObject({
      type: z.string(),
      message_ts: z.string().optional(),
      thread_ts: timestamp.optional(),
      is_ephemeral: z.boolean().optional(),
    })
    .optional(),
  message: z
    .looseObject({
      ts: z.string().optional(),
      thread_ts: timestamp.optional(),
      reply_count: z.number().optional(),
    })
    .optional(),
  view: view.optional(),
  actions: z.tuple([action], action).refine((actions) => actions.length <= 25),
});

/** A message shortcut. The message's content is not parsed further. */
export const messageAction = z.looseObject({
  ...interactive,
  callback_id: id,
  trigger_id: id,
  response_url: z.string().max(2_000).optional(),
  channel: z.looseObject({ id }),
  message: z.looseObject({
    ts: timestamp,
    thread_ts: timestamp.optional(),
    reply_count: z.number().optional(),
  }),
});

export const viewSubmission = z.looseObject({
  ...interactive,
  trigger_id: id.optional(),
  view,
});

export const blockSuggestion = z.looseObject({
  ...interactive,
  action_id: id,
  block_id: z.string().max(255).default(''),
  value: z.string().max(4_000).default(''),
  view: view.optional(),
});

export const eventCallback = z.looseObject({
  team_id: id.nullish(),
  enterprise_id: id.nullish(),
  event_id: id,
  event: z.looseObject({
    type: z.string().min(1),
    user: z.union([z.string(), z.looseObject({ id })]).optional(),
  }),
});

/** An element of a `rich_text_section`. Unreadable ones have no text. */
const richElement = z
  .looseObject({
    type: z.string(),
    text: z.string().optional(),
    url: z.string().optional(),
    user_id: z.string().optional(),
    channel_id: z.string().optional(),
    name: z.string().optional(),
    style: z.looseObject({ code: z.boolean().optional(), strike: z.boolean().optional() }).optional(),
  })
  .catch({ type: 'unreadable' });
export type RichElement = z.output<typeof richElement>;

/** A block of a person's message: `rich_text`, whose parts are sections, lists, quotes and code. */
const writtenBlock = z.looseObject({
  type: z.string(),
  elements: z
    .array(z.looseObject({ type: z.string(), elements: z.array(richElement).optional() }))
    .optional(),
});
/** Members of edits and of messages by bots and apps, which people's messages do not have. */
const absent = z.null().optional();

/** A message to Bellhop by a person: one that mentions it, or one in its direct messages with them. */
export const personMessage = z
  .looseObject({
    type: z.enum(['app_mention', 'message']),
    channel: id,
    channel_type: z.string().optional(),
    user: id,
    /** The person's own team, in a shared channel. */
    team: id.optional(),
    user_team: id.optional(),
    source_team: id.optional(),
    ts: timestamp.regex(/^\d+\.\d+$/u),
    thread_ts: timestamp.optional(),
    text: z.string(),
    blocks: z.array(writtenBlock).max(limits.messageBlocks).optional(),
    /** Set for a message with a file, and for a reply that is also shown in the channel. */
    subtype: z.enum(['file_share', 'thread_broadcast']).nullish(),
    bot_id: absent,
    bot_profile: absent,
    app_id: absent,
    edited: absent,
  })
  .refine(({ type, channel_type: kind }) => type === 'app_mention' || kind === 'im');
export type PersonMessage = z.output<typeof personMessage>;

export const urlVerification = z.looseObject({
  challenge: z.string().max(1_000),
});

/** Where a form was opened. */
const opened = {
  place,
  /** For private answers: the URL of the payload, or of the private list that the form was opened from. */
  responseUrl: z.string().max(1_000).optional(),
};

/** Metadata of an operation's form. */
const operationForm = z.object({
  ...opened,
  operation: z.string().max(100),
  /** The earlier request that the form is filled in from. */
  source: z.string().max(64).optional(),
  /** The break-glass reason that was given with the command that opened the form. */
  breakGlass: z.string().max(500).optional(),
  /** Whether the URL belongs to a command. */
  ofCommand: z.boolean().optional(),
  /** Whether its card starts the thread. */
  opensThread: z.boolean().optional(),
});
export type OperationFormMetadata = Readonly<z.output<typeof operationForm>>;

/** Metadata of the choice in “Run on this…”. */
const choiceForm = z.object({
  ...opened,
  /** The targets found in the message, in order. */
  targets: z.array(z.string().max(150)).max(10),
  opensThread: z.boolean().optional(),
});
export type ChoiceFormMetadata = Readonly<z.output<typeof choiceForm>>;

/** Metadata of a form about one request. */
const requestForm = z.object({ ...opened, requestId: z.string().max(64) });

/**
 * Kept in a form's `private_metadata`. It passes through the client, so it is only a hint and is checked like typed
 * input.
 */
const formMetadata = z.union([operationForm, choiceForm, requestForm]);
export type FormMetadata = Readonly<z.output<typeof formMetadata>>;

/** The text for `private_metadata`; optional parts are dropped if they do not fit. */
export function writeFormMetadata(metadata: FormMetadata): string {
  const whole = JSON.stringify(metadata);
  if (whole.length <= limits.privateMetadata) return whole;
  return JSON.stringify({ ...metadata, responseUrl: undefined });
}

/** Undefined if it is not ours. */
export const readFormMetadata = (text: string): FormMetadata | undefined =>
  formMetadata.safeParse(parseJson(text)).data;
