import type { Context } from 'hono';
import { z } from 'zod';
import { APP, TEAM, type Conversation } from '../conversations/directory.ts';
import { mimetypeOf } from '../conversations/file-store.ts';
import { LIMITS } from '../limits.ts';
import { addMessage } from '../conversations/messages.ts';
import { slackFile } from '../conversations/slack-objects.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { sendFile } from '../page-api/send-file.ts';
import { json } from './arguments.ts';
import { mayCall } from './call.ts';
import { writableConversation } from './chat.ts';
import { method, MethodError } from './method.ts';

/** Accepts the bytes that are sent to an upload URL. @returns Slack's HTTP status and text */
export function receiveUpload(
  workspace: Workspace,
  secret: string,
  bytes: Uint8Array,
): { status: 200 | 400 | 404; text: string } {
  const upload = workspace.uploads.get(secret);
  if (upload === undefined || upload.bytes !== undefined) return { status: 404, text: 'not found' };
  if (bytes.length !== upload.length)
    return { status: 400, text: `expected ${upload.length} bytes, got ${bytes.length}` };
  upload.bytes = bytes;
  return { status: 200, text: `OK - ${bytes.length}` };
}

const getUploadUrl = method({
  name: 'files.getUploadURLExternal',
  token: 'bot',
  scopes: ['files:write'],
  input: z.object({
    filename: z.string().min(1),
    length: z.coerce.number().int().min(1),
    alt_txt: z.string().optional(),
  }),
  run(workspace, { filename, length }) {
    if (length > LIMITS.fileBytes) throw new MethodError('file_too_large');
    const id = workspace.ids.next('F0');
    const secret = workspace.ids.secret();
    workspace.uploads.set(secret, { id, name: filename, length });
    return { file_id: id, upload_url: `${workspace.origin}/upload/v1/${secret}` };
  },
});

/**
 * `chat:write.public` is for messages: the app can share a file only in channels that it is in. @throws MethodError as
 * Slack does
 */
function ownConversation(workspace: Workspace, channel: string): Conversation {
  const conversation = writableConversation(workspace, channel);
  if (!botIsMember(workspace, conversation)) throw new MethodError('not_in_channel');
  return conversation;
}

const completedFiles = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1);

const completeUpload = method({
  name: 'files.completeUploadExternal',
  token: 'bot',
  scopes: ['files:write'],
  input: z.object({
    files: json.pipe(completedFiles),
    channel_id: z.string().optional(),
    initial_comment: z.string().optional(),
    thread_ts: z.string().optional(),
  }),
  run(workspace, { files, channel_id, initial_comment, thread_ts }) {
    const conversation = channel_id === undefined ? undefined : ownConversation(workspace, channel_id);
    const { uploads } = workspace;
    const found = files.map((file) => {
      const entry = [...uploads].find(([, { id, bytes }]) => id === file.id && bytes !== undefined);
      if (entry === undefined) throw new MethodError('file_not_found');
      return { secret: entry[0], upload: entry[1], title: file.title ?? entry[1].name };
    });
    for (const { secret, upload, title } of found) {
      const { id, name, bytes = new Uint8Array() } = upload;
      const channels = conversation === undefined ? [] : [conversation.id];
      const completed_at = workspace.clock.now();
      workspace.files.save(
        {
          id,
          name,
          title,
          mimetype: mimetypeOf(name),
          size: bytes.length,
          user: APP.user_id,
          completed_at,
          channels,
        },
        bytes,
      );
      uploads.delete(secret);
    }
    if (conversation !== undefined)
      addMessage(workspace, {
        channel: conversation.id,
        user: APP.user_id,
        is_bot: true,
        text: initial_comment ?? '',
        files: files.map(({ id }) => id),
        thread_ts,
      });
    return { files: found.map(({ upload: { id }, title }) => ({ id, title })) };
  },
});

const fileInfo = method({
  name: 'files.info',
  token: 'bot',
  scopes: ['files:read'],
  input: z.object({ file: z.string() }),
  run(workspace, { file }) {
    const found = slackFile(workspace, file);
    if (found === undefined) throw new MethodError('file_not_found');
    return { file: found, comments: [] };
  },
});

/** `url_private`, for tokens that may call `files.info`. Slack redirects anyone else to the login. */
export function sendPrivateFile(workspace: Workspace, c: Context): Response {
  if (!mayCall(workspace, c, fileInfo)) return c.redirect(`/?redir=${encodeURIComponent(c.req.path)}`);
  return sendFile(workspace, c, (c.req.param('file') ?? '').replace(`${TEAM.id}-`, ''));
}

export const fileMethods = [getUploadUrl, completeUpload, fileInfo];
