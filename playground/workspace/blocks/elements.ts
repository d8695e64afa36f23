import type {
  Button,
  Datepicker,
  DateTimepicker,
  EmailInput,
  FeedbackButtons,
  FileInput,
  IconButton,
  NumberInput,
  PlainTextInput,
  RichTextInput,
  Timepicker,
  URLInput,
} from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import {
  actionIdSchema,
  choiceSchema,
  confirmSchema,
  dispatchConfigSchema,
  placeholderSchema,
  plainText,
  styleSchema,
} from './composition.ts';
import { richTextSchema } from './rich-text.ts';

const action = { action_id: actionIdSchema };
const focusable = { focus_on_load: z.boolean().exactOptional() };
const typed = {
  ...action,
  ...focusable,
  dispatch_action_config: dispatchConfigSchema,
  placeholder: placeholderSchema,
};
const picked = { ...action, ...focusable, confirm: confirmSchema };
const choices = z.array(choiceSchema).min(1).max(LIMITS.choices);
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a valid number');

export const buttonSchema = z.strictObject({
  type: z.literal('button'),
  ...action,
  confirm: confirmSchema,
  text: plainText(LIMITS.buttonText),
  value: z.string().max(LIMITS.buttonValue).exactOptional(),
  url: z.url().max(LIMITS.buttonUrl).exactOptional(),
  style: styleSchema,
  accessibility_label: z.string().max(LIMITS.accessibilityLabel).exactOptional(),
}) satisfies z.ZodType<Button>;

const slackFile = z.union([z.strictObject({ id: z.string() }), z.strictObject({ url: z.string() })]);
/**
 * Exactly one of `image_url` and `slack_file`; checked by `hasOnePicture`, because a discriminated union accepts only
 * one schema per `type`.
 */
export const pictureFields = {
  image_url: z.url().max(LIMITS.imageUrl).exactOptional(),
  slack_file: slackFile.exactOptional(),
  /** Members that Slack adds to a picture in a message, and accepts when the message is sent back. */
  image_width: z.number().nullable().exactOptional(),
  image_height: z.number().nullable().exactOptional(),
  image_bytes: z.number().nullable().exactOptional(),
  is_animated: z.boolean().nullable().exactOptional(),
  rotation: z.number().nullable().exactOptional(),
  fallback: z.string().nullable().exactOptional(),
};
export const ONE_PICTURE = 'must provide exactly one of image_url or slack_file';
export function hasOnePicture(image: { image_url?: unknown; slack_file?: unknown }): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined);
}

export const imageElementSchema = z
  .strictObject({ type: z.literal('image'), alt_text: z.string().max(LIMITS.imageAlt), ...pictureFields })
  .refine(hasOnePicture, ONE_PICTURE);

const feedbackButton = z.strictObject({
  text: plainText(LIMITS.buttonText),
  value: z.string().min(1).max(LIMITS.buttonValue),
  accessibility_label: z.string().max(LIMITS.accessibilityLabel).exactOptional(),
});

export const feedbackButtonsSchema = z.strictObject({
  type: z.literal('feedback_buttons'),
  ...action,
  positive_button: feedbackButton,
  negative_button: feedbackButton,
}) satisfies z.ZodType<FeedbackButtons>;

export const iconButtonSchema = z.strictObject({
  type: z.literal('icon_button'),
  ...action,
  confirm: confirmSchema,
  icon: z.string().min(1),
  text: plainText(LIMITS.buttonText),
  accessibility_label: z.string().max(LIMITS.accessibilityLabel).exactOptional(),
  value: z.string().max(LIMITS.buttonValue).exactOptional(),
  visible_to_user_ids: z.array(z.string()).exactOptional(),
}) satisfies z.ZodType<IconButton>;

export const checkboxesSchema = z.strictObject({
  type: z.literal('checkboxes'),
  ...picked,
  options: choices,
  initial_options: choices.exactOptional(),
});

export const radioButtonsSchema = z.strictObject({
  type: z.literal('radio_buttons'),
  ...picked,
  options: choices,
  initial_option: choiceSchema.exactOptional(),
});

export const datepickerSchema = z.strictObject({
  type: z.literal('datepicker'),
  ...picked,
  placeholder: placeholderSchema,
  initial_date: z.iso.date().exactOptional(),
}) satisfies z.ZodType<Datepicker>;

export const timepickerSchema = z.strictObject({
  type: z.literal('timepicker'),
  ...picked,
  placeholder: placeholderSchema,
  initial_time: z.iso.time({ precision: -1 }).exactOptional(),
  timezone: z.string().exactOptional(),
}) satisfies z.ZodType<Timepicker>;

export const datetimepickerSchema = z.strictObject({
  type: z.literal('datetimepicker'),
  ...picked,
  initial_date_time: z.number().int().min(1_000_000_000).max(9_999_999_999).exactOptional(),
}) satisfies z.ZodType<DateTimepicker>;

export const plainTextInputSchema = z.strictObject({
  type: z.literal('plain_text_input'),
  ...typed,
  initial_value: z.string().max(LIMITS.inputMaxLength).exactOptional(),
  multiline: z.boolean().exactOptional(),
  min_length: z.number().int().min(0).max(LIMITS.inputMaxLength).exactOptional(),
  max_length: z.number().int().min(1).max(LIMITS.inputMaxLength).exactOptional(),
}) satisfies z.ZodType<PlainTextInput>;

export const numberInputSchema = z.strictObject({
  type: z.literal('number_input'),
  ...typed,
  is_decimal_allowed: z.boolean(),
  initial_value: decimal.exactOptional(),
  min_value: decimal.exactOptional(),
  max_value: decimal.exactOptional(),
}) satisfies z.ZodType<NumberInput>;

export const urlInputSchema = z.strictObject({
  type: z.literal('url_text_input'),
  ...typed,
  initial_value: z.string().exactOptional(),
}) satisfies z.ZodType<URLInput>;

export const emailInputSchema = z.strictObject({
  type: z.literal('email_text_input'),
  ...typed,
  initial_value: z.string().exactOptional(),
}) satisfies z.ZodType<EmailInput>;

export const richTextInputSchema = z.strictObject({
  type: z.literal('rich_text_input'),
  ...typed,
  initial_value: richTextSchema.exactOptional(),
}) satisfies z.ZodType<RichTextInput>;

export const fileInputSchema = z.strictObject({
  type: z.literal('file_input'),
  ...action,
  filetypes: z.array(z.string()).min(1).exactOptional(),
  max_files: z.number().int().min(1).max(LIMITS.files).exactOptional(),
}) satisfies z.ZodType<FileInput>;
