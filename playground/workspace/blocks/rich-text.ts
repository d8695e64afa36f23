import type { RichTextBlock, RichTextElement } from '@slack/types';
import { z } from 'zod';
import { blockIdSchema } from './composition.ts';

/** `highlight`, `client_highlight` and `unlink` are not in @slack/types 3.2; Slack accepts and sends them. */
const style = z
  .strictObject({
    bold: z.boolean().exactOptional(),
    italic: z.boolean().exactOptional(),
    strike: z.boolean().exactOptional(),
    code: z.boolean().exactOptional(),
    underline: z.boolean().exactOptional(),
    highlight: z.boolean().exactOptional(),
    client_highlight: z.boolean().exactOptional(),
    unlink: z.boolean().exactOptional(),
  })
  .exactOptional();

const textSchema = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style });
const linkSchema = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1),
  text: z.string().exactOptional(),
  unsafe: z.boolean().exactOptional(),
  style,
});

const inlineSchema = z.discriminatedUnion('type', [
  textSchema,
  linkSchema,
  z.strictObject({ type: z.literal('user'), user_id: z.string(), style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string(), style }),
  z.strictObject({ type: z.literal('team'), team_id: z.string(), style }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('color'), value: z.string(), style }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string(),
    unicode: z.string().exactOptional(),
    skin_tone: z.number().int().min(1).max(6).exactOptional(),
    url: z.string().exactOptional(),
    style,
  }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.number().int(),
    format: z.string().min(1),
    url: z.string().exactOptional(),
    fallback: z.string().exactOptional(),
    style,
  }),
]) satisfies z.ZodType<RichTextElement>;

const border = z.literal([0, 1]).exactOptional();
const sectionSchema = z.strictObject({
  type: z.literal('rich_text_section'),
  elements: z.array(inlineSchema),
});

/** A rich_text block: sections, lists up to indent 8, quotes, preformatted text. */
export const richTextSchema = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockIdSchema,
  elements: z
    .array(
      z.discriminatedUnion('type', [
        sectionSchema,
        z.strictObject({
          type: z.literal('rich_text_list'),
          style: z.enum(['bullet', 'ordered']),
          elements: z.array(sectionSchema).min(1),
          indent: z.number().int().min(0).max(8).exactOptional(),
          offset: z.number().int().min(0).exactOptional(),
          border,
        }),
        z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inlineSchema), border }),
        z.strictObject({
          type: z.literal('rich_text_preformatted'),
          elements: z.array(z.discriminatedUnion('type', [textSchema, linkSchema])),
          border,
        }),
      ]),
    )
    .min(1),
}) satisfies z.ZodType<RichTextBlock>;
