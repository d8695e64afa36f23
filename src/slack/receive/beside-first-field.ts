import { viewSubmission } from './payloads.ts';

/** The answer to a submitted form that leaves it open with words beside its first field; undefined where it has none. */
export function besideFirstField(submission: unknown, words: string): object | undefined {
  const blocks = viewSubmission.safeParse(submission).data?.view.blocks ?? [];
  const first = blocks.find(({ type, block_id }) => type === 'input' && block_id !== undefined);
  return first?.block_id === undefined
    ? undefined
    : { response_action: 'errors', errors: { [first.block_id]: words } };
}
