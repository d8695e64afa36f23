import { z } from 'zod';
import { checkBlocks, type NamedBlock } from './blocks/check-blocks.ts';
import { APP } from './directory.ts';
import { LIMITS } from './limits.ts';
import { addMessage, changeMessage, deleteMessage } from './messages.ts';
import type { ResponseTarget } from './response-urls.ts';
import { blockIds, type Workspace } from './workspace.ts';

/** What an app sends to a response_url, or in its answer to a slash command. */
export const responseSchema = z.looseObject({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  response_type: z.enum(['in_channel', 'ephemeral']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  delete_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
});
export type ResponseBody = z.infer<typeof responseSchema>;

export type Responded =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly messages: string[] };

function refuse(error: string, messages: string[] = []): Responded {
  return { ok: false, error, messages };
}

/** Does what a response says: replaces or deletes what was clicked, or says something new. */
export function respond(workspace: Workspace, target: ResponseTarget, response: ResponseBody): Responded {
  const original =
    target.original_ts === undefined ? undefined : workspace.history.find(target.channel, target.original_ts);
  if (response.delete_original) {
    if (original === undefined) return refuse('message_not_found');
    deleteMessage(workspace, original);
    return { ok: true };
  }
  const content = checkContent(workspace, response.text, response.blocks);
  if (!content.ok) return content;
  const { text, blocks } = content;
  if (response.replace_original) {
    if (original === undefined) return refuse('message_not_found');
    changeMessage(workspace, original, { text, blocks });
    return { ok: true };
  }
  const thread = response.thread_ts ?? target.thread_ts;
  addMessage(workspace, {
    channel: target.channel,
    user: APP.user_id,
    is_bot: true,
    text,
    blocks,
    ...(thread === undefined ? {} : { thread_ts: thread }),
    ...(response.response_type === 'ephemeral' ? { ephemeral_to: target.user } : {}),
  });
  return { ok: true };
}

export type CheckedContent =
  | { readonly ok: true; readonly text: string; readonly blocks: NamedBlock[] }
  | (Responded & { ok: false });

/** The text and blocks of a message, refused with Slack's error where Slack would. */
export function checkContent(
  workspace: Workspace,
  text: string | undefined,
  blocks: unknown,
): CheckedContent {
  const said = text ?? '';
  if (said.length > LIMITS.messageText) return { ok: false, error: 'msg_too_long', messages: [] };
  const given = blocks ?? [];
  const checked = checkBlocks(given, {
    surface: 'message',
    at: '/blocks',
    newBlockId: blockIds(workspace),
    hasFile: (id) => workspace.files.find(id) !== undefined,
  });
  if (!checked.ok) return checked;
  if (said.trim() === '' && checked.blocks.length === 0) return { ok: false, error: 'no_text', messages: [] };
  return { ok: true, text: said, blocks: checked.blocks };
}

/** Reads the body of an answer to a command: JSON, plain text, or nothing. */
export function readAnswer(text: string): ResponseBody | undefined {
  if (text.trim() === '') return undefined;
  try {
    const parsed = responseSchema.safeParse(JSON.parse(text));
    if (parsed.success) return says(parsed.data) ? parsed.data : undefined;
  } catch {
    // Not JSON: the text is the answer.
  }
  return responseSchema.parse({ text });
}

/** An acknowledgement like `{}` says nothing. */
function says({ text, blocks, delete_original }: ResponseBody): boolean {
  return text !== undefined || blocks !== undefined || delete_original;
}
