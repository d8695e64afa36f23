import { z } from 'zod';
import { checkBlocks, nativeTables, refuseTables, type NamedBlock } from '../blocks/check-blocks.ts';
import { slackIssue, slackIssues } from '../blocks/slack-issue.ts';
import { LIMITS } from '../limits.ts';
import { attachmentSchema, type Attachment } from '../protocol.ts';
import { blockIds, type Workspace } from '../workspace.ts';

/** The content of an app's message. */
export interface GivenContent {
  readonly text?: string | undefined;
  readonly markdown_text?: string | undefined;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

interface Content {
  readonly text: string;
  readonly blocks: NamedBlock[];
  readonly attachments: Attachment[];
}

export interface RefusedContent {
  readonly ok: false;
  readonly error: string;
  readonly messages: string[];
}

export type CheckedContent = ({ readonly ok: true } & Content) | RefusedContent;

const refuse = (error: string, messages: string[] = []): RefusedContent => ({ ok: false, error, messages });

/**
 * The content of a message, refused with Slack's error where Slack would.
 * @param maxText characters of text: chat.update takes fewer than chat.postMessage
 */
export function checkContent(
  workspace: Workspace,
  { text = '', markdown_text, blocks: givenBlocks, attachments: givenAttachments }: GivenContent,
  maxText: number = LIMITS.messageText,
): CheckedContent {
  if (text.length > maxText) return refuse('msg_too_long');
  if (markdown_text !== undefined) {
    if (text !== '' || isGiven(givenBlocks)) return refuse('markdown_text_conflict');
    if (markdown_text.length > LIMITS.markdown) return refuse('msg_too_long');
  }
  const hasMarkdown = markdown_text !== undefined && markdown_text.trim() !== '';
  const given = hasMarkdown ? [{ type: 'markdown', text: markdown_text }] : (givenBlocks ?? []);
  const blocks = blocksOf(workspace, given, '/blocks');
  if (!blocks.ok) return blocks;
  const attached = attachmentsOf(workspace, givenAttachments);
  if (!attached.ok) return attached;
  const { attachments, tables } = attached;
  if (nativeTables(blocks.blocks) + tables > LIMITS.tablesPerMessage) return refuseTables('/attachments');
  if (text.trim() === '' && blocks.blocks.length === 0 && attachments.length === 0) return refuse('no_text');
  return { ok: true, text: text === '' ? (markdown_text ?? '') : text, blocks: blocks.blocks, attachments };
}

const isGiven = (blocks: unknown): boolean =>
  blocks !== undefined && !(Array.isArray(blocks) && blocks.length === 0);

const blocksOf = (workspace: Workspace, blocks: unknown, at: string) =>
  checkBlocks(blocks, {
    surface: 'message',
    at,
    newBlockId: blockIds(workspace),
    hasFile: (id) => workspace.files.find(id) !== undefined,
  });

const attachmentsSchema = z
  .array(attachmentSchema.extend({ blocks: z.unknown().optional() }))
  .max(LIMITS.attachments)
  .default([]);

function attachmentsOf(
  workspace: Workspace,
  input: unknown,
): { readonly ok: true; readonly attachments: Attachment[]; readonly tables: number } | RefusedContent {
  const parsed = attachmentsSchema.safeParse(input ?? undefined);
  if (!parsed.success) {
    const tooMany = parsed.error.issues.some(({ code, path }) => code === 'too_big' && path.length === 0);
    if (tooMany) return refuse('too_many_attachments');
    return refuse('invalid_attachments', slackIssues(parsed.error.issues, '/attachments', input));
  }
  const attachments: Attachment[] = [];
  let tables = 0;
  for (const [index, { blocks, ...rest }] of parsed.data.entries()) {
    const at = `/attachments/${index}/blocks`;
    const checked = blocksOf(workspace, blocks ?? [], at);
    if (!checked.ok) return refuse('invalid_attachments', checked.messages);
    if (blocks === undefined && !saysSomething(rest))
      return refuse('invalid_attachments', [
        slackIssue(`/attachments/${index}`, [], 'missing required field: fallback or text'),
      ]);
    tables += nativeTables(checked.blocks);
    attachments.push(blocks === undefined ? rest : { ...rest, blocks: checked.blocks });
  }
  return { ok: true, attachments, tables };
}

const saysSomething = ({ fallback, pretext, title, text, fields }: Attachment): boolean =>
  [fallback, pretext, title, text].some((part) => part !== undefined && part !== '') ||
  (fields ?? []).length > 0;
