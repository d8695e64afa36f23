import { z } from 'zod';
import { APP } from '../conversations/directory.ts';
import { checkContent } from '../conversations/message-content.ts';
import { addMessage, changeMessage, deleteMessage } from '../conversations/messages.ts';
import type { ResponseTarget } from '../views/response-urls.ts';
import type { Workspace } from '../workspace.ts';

/** The body that an app sends to a response_url, or as its answer to a slash command. */
export const responseSchema = z.looseObject({
  text: z.string().optional(),
  markdown_text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
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

/** Carries out a response: replaces or deletes the clicked message, or posts a new one. */
export function respond(workspace: Workspace, target: ResponseTarget, response: ResponseBody): Responded {
  const meant = target.original_ts ?? target.answer_ts;
  const original = meant === undefined ? undefined : workspace.history.find(target.channel, meant);
  if (response.delete_original) {
    if (original === undefined) return refuse('message_not_found');
    deleteMessage(workspace, original);
    return { ok: true };
  }
  const content = checkContent(workspace, response);
  if (!content.ok) return content;
  const { text, blocks, attachments } = content;
  if (response.replace_original) {
    if (original === undefined) return refuse('message_not_found');
    changeMessage(workspace, original, { text, blocks, attachments });
    return { ok: true };
  }
  const added = addMessage(workspace, {
    channel: target.channel,
    user: APP.user_id,
    is_bot: true,
    text,
    blocks,
    attachments,
    thread_ts: response.thread_ts,
    ephemeral_to: response.response_type === 'ephemeral' ? target.user : undefined,
  });
  if (target.original_ts === undefined) target.answer_ts = added.ts;
  return { ok: true };
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

/** An acknowledgement like `{}` posts nothing. */
function says({ text, markdown_text, blocks, attachments, delete_original }: ResponseBody): boolean {
  return [text, markdown_text, blocks, attachments].some((part) => part !== undefined) || delete_original;
}
