import type { MultiSelect, Overflow, Select } from '@slack/types';
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import {
  actionIdSchema,
  confirmSchema,
  conversationFilterSchema,
  optionGroupSchema,
  overflowOptionSchema,
  placeholderSchema,
  plainOptionSchema,
} from './composition.ts';

const base = {
  action_id: actionIdSchema,
  confirm: confirmSchema,
  focus_on_load: z.boolean().exactOptional(),
  placeholder: placeholderSchema,
};
const multi = { ...base, max_selected_items: z.number().int().min(1).exactOptional() };
const options = {
  options: z.array(plainOptionSchema).min(1).max(LIMITS.options).exactOptional(),
  option_groups: z.array(optionGroupSchema).min(1).max(LIMITS.optionGroups).exactOptional(),
};
const queried = { min_query_length: z.number().int().min(0).exactOptional() };
const conversations = {
  default_to_current_conversation: z.boolean().exactOptional(),
  filter: conversationFilterSchema,
};
const responds = { response_url_enabled: z.boolean().exactOptional() };
const initialOptions = z.array(plainOptionSchema).min(1).max(LIMITS.options).exactOptional();
const initialIds = z.array(z.string()).exactOptional();
const initialId = z.string().exactOptional();

/** One of options and option_groups, not both. */
function hasOneSource(select: { options?: unknown; option_groups?: unknown }): boolean {
  return (select.options === undefined) !== (select.option_groups === undefined);
}
const ONE_SOURCE = 'must provide exactly one of options or option_groups';

export const selectSchemas = [
  z
    .strictObject({
      type: z.literal('static_select'),
      ...base,
      ...options,
      initial_option: plainOptionSchema.exactOptional(),
    })
    .refine(hasOneSource, ONE_SOURCE),
  z.strictObject({
    type: z.literal('external_select'),
    ...base,
    ...queried,
    initial_option: plainOptionSchema.exactOptional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...base, initial_user: initialId }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...base,
    ...responds,
    ...conversations,
    initial_conversation: initialId,
  }),
  z.strictObject({ type: z.literal('channels_select'), ...base, ...responds, initial_channel: initialId }),
] as const satisfies readonly z.ZodType<Select>[];

export const multiSelectSchemas = [
  z
    .strictObject({
      type: z.literal('multi_static_select'),
      ...multi,
      ...options,
      initial_options: initialOptions,
    })
    .refine(hasOneSource, ONE_SOURCE),
  z.strictObject({
    type: z.literal('multi_external_select'),
    ...multi,
    ...queried,
    initial_options: initialOptions,
  }),
  z.strictObject({ type: z.literal('multi_users_select'), ...multi, initial_users: initialIds }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...multi,
    ...conversations,
    initial_conversations: initialIds,
  }),
  z.strictObject({ type: z.literal('multi_channels_select'), ...multi, initial_channels: initialIds }),
] as const satisfies readonly z.ZodType<MultiSelect>[];

export const overflowSchema = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionIdSchema,
  confirm: confirmSchema,
  options: z.array(overflowOptionSchema).min(1).max(LIMITS.overflowOptions),
}) satisfies z.ZodType<Overflow>;
