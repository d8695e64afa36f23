import { shownFile } from '../conversations/file-store.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { LIMITS } from '../limits.ts';
import { personOf, refused } from './outcomes.ts';
import type { Workspace } from '../workspace.ts';

/** A person picks a file for a file input. The file is in the answer; the app gets it with the form. */
export async function upload(workspace: Workspace, gesture: Gesture<'upload'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const bytes = Buffer.from(gesture.content_base64, 'base64');
  if (bytes.length > LIMITS.fileBytes)
    return refused('file_too_large', 'Files may have at most 10 MiB here.');
  const file = {
    id: workspace.ids.next('F0'),
    name: gesture.name,
    title: gesture.name,
    mimetype: gesture.mimetype,
    size: bytes.length,
    user: person.id,
    completed_at: workspace.clock.now(),
    channels: [],
  };
  workspace.files.save(file, bytes);
  return { ok: true, file: shownFile(file) };
}
