import type { Context } from 'hono';
import type { Workspace } from '../workspace.ts';

/** Types that a browser may show in the page; everything else is saved. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'text/plain']);

/** Answers the bytes of a file. */
export function sendFile({ files }: Workspace, c: Context, id: string): Response {
  const file = files.find(id);
  const bytes = files.bytes(id);
  if (file === undefined || bytes === undefined) return c.json({ message: 'There is no such file.' }, 404);
  const shown = SHOWN.has(file.mimetype);
  return c.body(new Uint8Array(bytes), 200, {
    'content-type': shown ? file.mimetype : 'application/octet-stream',
    'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'cache-control': 'private, max-age=31536000, immutable',
  });
}
