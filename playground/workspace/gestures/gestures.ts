import { z } from 'zod';
import { ALERT_NAMES } from '../drills/alertmanager-payload.ts';
import { scheduleDrillSchema, serviceFaultSchema, slackDrillsSchema } from '../drill-protocol.ts';
import { LIMITS } from '../limits.ts';
import { fileSchema } from '../protocol.ts';

/**
 * A person's actions on the page, as JSON bodies of `POST /_workspace/<name>`, each answered with an Outcome. The
 * answer says only whether the gesture arrived and was acknowledged; changes on the screen come as events.
 */
const who = { as: z.string(), session: z.string().min(1).max(100) };

/** An option of a select, checkbox, radio or overflow, exactly as in the block or in the answer to `options`. */
const optionSchema = z.looseObject({
  text: z.looseObject({ type: z.enum(['plain_text', 'mrkdwn']), text: z.string() }),
  value: z.string().optional(),
});

const one = { selected_option: optionSchema.nullable() };
const many = { selected_options: z.array(optionSchema) };
const typed = { value: z.string().nullable() };
const ids = z.array(z.string());

/** The value of an element in Slack's own shape, as in `view.state.values[block_id][action_id]`. */
const elementValueSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('button') }),
  z.object({ type: z.literal('icon_button') }),
  z.object({ type: z.literal('feedback_buttons'), value: z.string() }),
  z.object({ type: z.literal('overflow'), ...one }),
  z.object({ type: z.literal('radio_buttons'), ...one }),
  z.object({ type: z.literal('static_select'), ...one }),
  z.object({ type: z.literal('external_select'), ...one }),
  z.object({ type: z.literal('checkboxes'), ...many }),
  z.object({ type: z.literal('multi_static_select'), ...many }),
  z.object({ type: z.literal('multi_external_select'), ...many }),
  z.object({ type: z.literal('users_select'), selected_user: z.string().nullable() }),
  z.object({ type: z.literal('channels_select'), selected_channel: z.string().nullable() }),
  z.object({ type: z.literal('conversations_select'), selected_conversation: z.string().nullable() }),
  z.object({ type: z.literal('multi_users_select'), selected_users: ids }),
  z.object({ type: z.literal('multi_channels_select'), selected_channels: ids }),
  z.object({ type: z.literal('multi_conversations_select'), selected_conversations: ids }),
  /** YYYY-MM-DD */
  z.object({ type: z.literal('datepicker'), selected_date: z.iso.date().nullable() }),
  /** HH:mm */
  z.object({ type: z.literal('timepicker'), selected_time: z.iso.time({ precision: -1 }).nullable() }),
  /** Epoch seconds. */
  z.object({ type: z.literal('datetimepicker'), selected_date_time: z.number().int().nullable() }),
  z.object({ type: z.literal('plain_text_input'), ...typed }),
  z.object({ type: z.literal('number_input'), ...typed }),
  z.object({ type: z.literal('url_text_input'), ...typed }),
  z.object({ type: z.literal('email_text_input'), ...typed }),
  z.object({
    type: z.literal('rich_text_input'),
    rich_text_value: z.looseObject({ type: z.literal('rich_text') }).nullable(),
  }),
  z.object({ type: z.literal('file_input'), files: z.array(fileSchema) }),
]);
export type ElementValue = z.infer<typeof elementValueSchema>;

/** Values by block_id, then action_id. An absent element has its initial value. */
const stateValuesSchema = z.record(z.string(), z.record(z.string(), elementValueSchema));
export type StateValues = z.infer<typeof stateValuesSchema>;

const place = z.object({ channel: z.string(), ts: z.string() });

/** The message or view that has the element. */
const containerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), ...place.shape }),
  z.object({ type: z.literal('view'), view_id: z.string() }),
]);
export type Container = z.infer<typeof containerSchema>;

const element = { container: containerSchema, block_id: z.string(), action_id: z.string() };

const alertStatus = z.enum(['firing', 'resolved']);

export const gestures = {
  /**
   * A message, or a slash command if the text starts with `/`. `@Bellhop` in the text is a mention, and so is `<@U…>`.
   * `broadcast`: a reply in a thread that is shown in the channel too. `files`: ids of what the person uploaded, which
   * goes with a message, not with a command. Errors: `unknown_command`, `file_not_found`, `not_in_threads`, `thread_not_found`, `operation_timeout`, `dispatch_failed`, `no_text`.
   */
  send: z.object({
    ...who,
    channel: z.string(),
    text: z.string().max(40_000),
    thread_ts: z.string().optional(),
    broadcast: z.boolean().default(false),
    files: ids.max(LIMITS.files).default([]),
  }),
  /** A click, a choice, Enter in an input that dispatches. `values` are all current inputs of the container. */
  action: z.object({ ...who, ...element, value: elementValueSchema, values: stateValuesSchema.default({}) }),
  /** A shortcut of the app: on a message, from its menu, or a global one, next to the composer. */
  shortcut: z.object({ ...who, callback_id: z.string(), message: place.optional() }),
  /** The person changes their own message. Errors: `message_not_found`, `cant_update_message`, `no_text`. */
  edit: z.object({ ...who, ...place.shape, text: z.string().max(40_000) }),
  /** The person deletes their own message. */
  delete: z.object({ ...who, ...place.shape }),
  /** The person puts an emoji on a message, or takes theirs off. `name` without colons. */
  react: z.object({ ...who, ...place.shape, name: z.string().max(100) }),
  /** Requests the options of an external select that fit the typed text. */
  options: z.object({ ...who, ...element, value: z.string() }),
  /** Errors: `view_errors` (an event has them), `operation_timeout`, `dispatch_failed`, `not_found`. */
  submit: z.object({ ...who, view_id: z.string(), values: stateValuesSchema }),
  /** The Cancel button closes one view (`all: false`), the X all of them. */
  close: z.object({ ...who, view_id: z.string(), all: z.boolean() }),
  /** The person opens the Home tab. */
  home: z.object(who),
  /** Uploads a file, for a file_input or to be sent; the file is in the answer. At most 10 MiB. */
  upload: z.object({
    ...who,
    name: z.string().min(1).max(255),
    mimetype: z.string(),
    content_base64: z.base64(),
  }),
  /** Sets or, with null, takes away the fault of an endpoint of the local service, or of `all`. */
  'service-fault': z.object({
    ...who,
    endpoint: z.string().regex(/^\w{1,60}$/),
    fault: serviceFaultSchema.nullable(),
  }),
  'slack-drills': z.object({ ...who, drills: slackDrillsSchema.partial() }),
  /** The person on call in the calendar at `/schedule.ics`, and whether the calendar answers. */
  schedule: z.object({ ...who, schedule: scheduleDrillSchema }),
  /** An alert fires, or ends. Errors: `hook_failed`, with what the app answered. */
  alert: z.object({
    ...who,
    alertname: z.enum(ALERT_NAMES),
    instance: z.string().min(1).max(253),
    status: alertStatus,
  }),
  /** An alert fires about an instance, and an agent suggests to reboot it. `drills` events report the progress. Errors: `agent_failed`, with what the app answered. */
  agent: z.object({ ...who, instance: z.string().min(1).max(200) }),
  /** Very many alerts at once. Its progress comes as `drills` events. */
  'alert-storm': z.object({ ...who, status: alertStatus }),
  /** Someone else presses Approve as an approver. The progress comes as `drills` events. */
  'stolen-session': z.object(who),
  /** All drills off, of the service and of Slack. */
  'clear-drills': z.object(who),
  'clear-wire': z.object(who),
} as const;
export type GestureName = keyof typeof gestures;
export type Gesture<Name extends GestureName> = z.infer<(typeof gestures)[Name]>;
/** As the page sends it: fields with a default are optional. */
export type GestureInput<Name extends GestureName> = z.input<(typeof gestures)[Name]>;

/**
 * HTTP 200 for every gesture that was understood; 400 for a body that does not fit the schema, 403 for a foreign
 * origin.
 */
const outcomeSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    options: z.array(optionSchema).optional(),
    option_groups: z
      .array(
        z.object({
          label: z.looseObject({ type: z.string(), text: z.string() }),
          options: z.array(optionSchema),
        }),
      )
      .optional(),
    file: fileSchema.optional(),
  }),
  z.object({ ok: z.literal(false), error: z.string(), message: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;
