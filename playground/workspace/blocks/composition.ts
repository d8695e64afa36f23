import type {
  ConfirmationDialog,
  DispatchActionConfig,
  MrkdwnElement,
  PlainTextElement,
  PlainTextOption,
  TextObject,
} from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** A `plain_text` object of 1 to `most` characters. */
export function plainText(most: number) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(most),
    emoji: z.boolean().exactOptional(),
  }) satisfies z.ZodType<PlainTextElement>;
}

function mrkdwn(most: number) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(most),
    verbatim: z.boolean().exactOptional(),
  }) satisfies z.ZodType<MrkdwnElement>;
}

/** A text object of either type, 1 to `most` characters. */
export function textObject(most: number = LIMITS.text) {
  return z.discriminatedUnion('type', [plainText(most), mrkdwn(most)]) satisfies z.ZodType<TextObject>;
}

export const actionIdSchema = z.string().min(1).max(LIMITS.actionId).exactOptional();
export const blockIdSchema = z.string().min(1).max(LIMITS.blockId).exactOptional();
export const placeholderSchema = plainText(LIMITS.placeholder).exactOptional();
export const styleSchema = z.enum(['primary', 'danger']).exactOptional();

const value = z.string().min(1).max(LIMITS.optionValue);
const described = { value, description: plainText(LIMITS.optionDescription).exactOptional() };

/** Option of a select. `url` is only for overflow menus. */
export const plainOptionSchema = z.strictObject({
  text: plainText(LIMITS.optionText),
  ...described,
}) satisfies z.ZodType<PlainTextOption>;

export const overflowOptionSchema = z.strictObject({
  text: plainText(LIMITS.optionText),
  ...described,
  url: z.string().max(LIMITS.optionUrl).exactOptional(),
}) satisfies z.ZodType<PlainTextOption>;

/** Slack also accepts mrkdwn here; @slack/types 3.2 has only plain text. */
const choiceDescribed = { value, description: textObject(LIMITS.optionDescription).exactOptional() };

/** Option of checkboxes and radio buttons, where mrkdwn is allowed. */
export const choiceSchema = z.union([
  z.strictObject({ text: plainText(LIMITS.optionText), ...choiceDescribed }),
  z.strictObject({ text: mrkdwn(LIMITS.optionText), ...choiceDescribed }),
]);

export const optionGroupSchema = z.strictObject({
  label: plainText(LIMITS.optionGroupLabel),
  options: z.array(plainOptionSchema).min(1).max(LIMITS.options),
});

export const confirmSchema = z
  .strictObject({
    title: plainText(LIMITS.confirmTitle).exactOptional(),
    text: textObject(LIMITS.confirmText),
    confirm: plainText(LIMITS.confirmButton).exactOptional(),
    deny: plainText(LIMITS.confirmButton).exactOptional(),
    style: styleSchema,
  })
  .exactOptional() satisfies z.ZodType<ConfirmationDialog | undefined>;

export const dispatchConfigSchema = z
  .strictObject({
    trigger_actions_on: z
      .array(z.enum(['on_enter_pressed', 'on_character_entered']))
      .min(1)
      .max(2),
  })
  .exactOptional() satisfies z.ZodType<DispatchActionConfig | undefined>;

const conversationType = z.enum(['im', 'mpim', 'private', 'public']);

export const conversationFilterSchema = z
  .strictObject({
    include: z.tuple([conversationType], conversationType).exactOptional(),
    exclude_external_shared_channels: z.boolean().exactOptional(),
    exclude_bot_users: z.boolean().exactOptional(),
  })
  .refine((filter) => Object.keys(filter).length > 0, 'must provide at least one filter')
  .exactOptional();
