import type { ContextActionsBlock, VideoBlock } from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { blockIdSchema, plainText, textObject } from './composition.ts';
import { buttonSchema, feedbackButtonsSchema, iconButtonSchema, imageElementSchema } from './elements.ts';
import { richTextSchema } from './rich-text.ts';

const block = { block_id: blockIdSchema };
const https = z
  .url()
  .max(LIMITS.imageUrl)
  .refine((url) => url.startsWith('https://'), 'must be a valid https url');

/** Source: docs.slack.dev/reference/block-kit/composition-objects/slack-icon-object. */
const slackIconSchema = z.strictObject({
  type: z.literal('icon'),
  name: z.enum(
    (
      'archive book bookmark bot bug calendar call caret-left caret-right check clipboard code comment compass copy ' +
      'cube download edit email eye-closed eye-open file flag folder gear globe heart help image info key lightbulb ' +
      'link map mobile new-window pin plus refine refresh rocket save screen share sparkle star star-filled tag ' +
      'thumbs-down thumbs-up trash upload user warning'
    ).split(' '),
  ),
});
export type SlackIcon = z.infer<typeof slackIconSchema>;

export const cardSchema = z
  .strictObject({
    type: z.literal('card'),
    ...block,
    hero_image: imageElementSchema.exactOptional(),
    icon: imageElementSchema.exactOptional(),
    slack_icon: slackIconSchema.exactOptional(),
    title: textObject(LIMITS.cardTitle).exactOptional(),
    subtitle: textObject(LIMITS.cardTitle).exactOptional(),
    body: textObject(LIMITS.cardBody).exactOptional(),
    actions: z.array(buttonSchema).max(LIMITS.cardActions).exactOptional(),
  })
  .refine(
    ({ hero_image, title, actions, body }) =>
      [hero_image, title, actions, body].some((part) => part !== undefined),
    'missing required field: hero_image, title, actions or body',
  )
  .refine(
    ({ icon, slack_icon }) => icon === undefined || slack_icon === undefined,
    'must provide only one of icon or slack_icon',
  );

export const carouselSchema = z.strictObject({
  type: z.literal('carousel'),
  ...block,
  elements: z.array(cardSchema).min(1).max(LIMITS.carouselCards),
});

export const contextActionsSchema = z.strictObject({
  type: z.literal('context_actions'),
  ...block,
  elements: z
    .array(z.discriminatedUnion('type', [feedbackButtonsSchema, iconButtonSchema]))
    .min(1)
    .max(LIMITS.contextActions),
}) satisfies z.ZodType<ContextActionsBlock>;

export const videoSchema = z.strictObject({
  type: z.literal('video'),
  ...block,
  video_url: https,
  thumbnail_url: z.url().max(LIMITS.imageUrl),
  alt_text: z.string().min(1).max(LIMITS.imageAlt),
  title: plainText(LIMITS.videoTitle),
  title_url: https.exactOptional(),
  author_name: z.string().max(LIMITS.videoAuthor).exactOptional(),
  provider_name: z.string().exactOptional(),
  provider_icon_url: z.url().exactOptional(),
  description: plainText(LIMITS.videoDescription).exactOptional(),
}) satisfies z.ZodType<VideoBlock>;

/** A container of these blocks. One of its two titles is required. */
export const containerOf = <Child extends z.ZodType>(child: Child) =>
  z
    .strictObject({
      type: z.literal('container'),
      ...block,
      title: plainText(LIMITS.cardTitle).exactOptional(),
      rich_text_title: richTextSchema.exactOptional(),
      subtitle: textObject(LIMITS.cardTitle).exactOptional(),
      child_blocks: z.array(child).min(1).max(LIMITS.containerBlocks),
      width: z.enum(['narrow', 'standard', 'wide', 'full']).exactOptional(),
      icon: imageElementSchema.exactOptional(),
      is_collapsible: z.boolean().exactOptional(),
      default_collapsed: z.boolean().exactOptional(),
      has_header_divider: z.boolean().exactOptional(),
    })
    .refine(
      ({ title, rich_text_title }) => title !== undefined || rich_text_title !== undefined,
      'missing required field: title or rich_text_title',
    );
