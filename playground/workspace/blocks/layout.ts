import type {
  AlertBlock,
  DividerBlock,
  HeaderBlock,
  MarkdownBlock,
  PlanBlock,
  TaskCardBlock,
} from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { dataVisualizationSchema } from './charts.ts';
import { blockIdSchema, plainText, textObject } from './composition.ts';
import {
  buttonSchema,
  checkboxesSchema,
  datepickerSchema,
  datetimepickerSchema,
  emailInputSchema,
  fileInputSchema,
  hasOnePicture,
  imageElementSchema,
  numberInputSchema,
  ONE_PICTURE,
  pictureFields,
  plainTextInputSchema,
  radioButtonsSchema,
  richTextInputSchema,
  timepickerSchema,
  urlInputSchema,
} from './elements.ts';
import { cardSchema, carouselSchema, containerOf, contextActionsSchema, videoSchema } from './groups.ts';
import { richTextSchema } from './rich-text.ts';
import { multiSelectSchemas, overflowSchema, selectSchemas } from './selects.ts';
import { dataTableSchema, tableSchema } from './tables.ts';

const block = { block_id: blockIdSchema };
const pickers = [
  datepickerSchema,
  timepickerSchema,
  checkboxesSchema,
  radioButtonsSchema,
  ...selectSchemas,
  ...multiSelectSchemas,
] as const;

const actionsSchema = z.strictObject({
  type: z.literal('actions'),
  ...block,
  elements: z
    .array(
      z.discriminatedUnion('type', [
        buttonSchema,
        overflowSchema,
        datetimepickerSchema,
        richTextInputSchema,
        ...pickers,
      ]),
    )
    .min(1)
    .max(LIMITS.actionsElements),
});

const sectionSchema = z
  .strictObject({
    type: z.literal('section'),
    ...block,
    text: textObject().exactOptional(),
    fields: z.array(textObject(LIMITS.sectionField)).min(1).max(LIMITS.sectionFields).exactOptional(),
    accessory: z
      .discriminatedUnion('type', [buttonSchema, overflowSchema, imageElementSchema, ...pickers])
      .exactOptional(),
    expand: z.boolean().exactOptional(),
  })
  .refine(
    (section) => section.text !== undefined || section.fields !== undefined,
    'missing required field: text or fields',
  );

const inputSchema = z.strictObject({
  type: z.literal('input'),
  ...block,
  label: plainText(LIMITS.inputLabel),
  hint: plainText(LIMITS.inputHint).exactOptional(),
  optional: z.boolean().exactOptional(),
  dispatch_action: z.boolean().exactOptional(),
  element: z.discriminatedUnion('type', [
    plainTextInputSchema,
    numberInputSchema,
    urlInputSchema,
    emailInputSchema,
    richTextInputSchema,
    fileInputSchema,
    datetimepickerSchema,
    ...pickers,
  ]),
});

const imageSchema = z
  .strictObject({
    type: z.literal('image'),
    ...block,
    alt_text: z.string().max(LIMITS.imageAlt),
    title: plainText(LIMITS.imageTitle).exactOptional(),
    ...pictureFields,
  })
  .refine(hasOnePicture, ONE_PICTURE);

const taskCardSchema = z.strictObject({
  type: z.literal('task_card'),
  ...block,
  task_id: z.string().min(1),
  title: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
  details: richTextSchema.exactOptional(),
  output: richTextSchema.exactOptional(),
  sources: z
    .array(z.strictObject({ type: z.literal('url'), url: z.string(), text: z.string() }))
    .exactOptional(),
}) satisfies z.ZodType<TaskCardBlock>;

const contextSchema = z.strictObject({
  type: z.literal('context'),
  ...block,
  elements: z
    .array(z.discriminatedUnion('type', [textObject(), imageElementSchema]))
    .min(1)
    .max(LIMITS.contextElements),
});

const dividerSchema = z.strictObject({
  type: z.literal('divider'),
  ...block,
}) satisfies z.ZodType<DividerBlock>;

const headerSchema = z.strictObject({
  type: z.literal('header'),
  ...block,
  text: plainText(LIMITS.header),
}) satisfies z.ZodType<HeaderBlock>;

/** The blocks that a container may also have. */
const childSchemas = [
  actionsSchema,
  contextSchema,
  dividerSchema,
  headerSchema,
  imageSchema,
  inputSchema,
  richTextSchema,
  sectionSchema,
  tableSchema,
  videoSchema,
] as const;

/** Every block that the workspace accepts, with Slack's limits. */
export const blockSchema = z.discriminatedUnion('type', [
  ...childSchemas,
  z.strictObject({
    type: z.literal('alert'),
    ...block,
    text: textObject(),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).exactOptional(),
  }) satisfies z.ZodType<AlertBlock>,
  cardSchema,
  carouselSchema,
  containerOf(z.discriminatedUnion('type', childSchemas)),
  contextActionsSchema,
  dataTableSchema,
  dataVisualizationSchema,
  z.strictObject({
    type: z.literal('markdown'),
    ...block,
    text: z.string().min(1).max(LIMITS.markdown),
  }) satisfies z.ZodType<MarkdownBlock>,
  z.strictObject({
    type: z.literal('plan'),
    ...block,
    title: z.string().min(1),
    tasks: z.array(taskCardSchema).exactOptional(),
  }) satisfies z.ZodType<PlanBlock>,
  taskCardSchema,
]);
export type AcceptedBlock = z.infer<typeof blockSchema>;
