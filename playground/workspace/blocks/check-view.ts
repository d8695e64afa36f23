import { z } from 'zod';
import { LIMITS, type Surface } from '../limits.ts';
import { allBlocks } from './block-elements.ts';
import { checkBlocks, type NamedBlock } from './check-blocks.ts';
import { plainText } from './composition.ts';
import { slackIssue, slackIssues } from './slack-issue.ts';

const base = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(LIMITS.privateMetadata).exactOptional(),
  callback_id: z.string().max(LIMITS.callbackId).exactOptional(),
  external_id: z.string().max(LIMITS.externalId).exactOptional(),
};
const modalButton = plainText(LIMITS.modalButton).nullish();

const viewSchemas = {
  modal: z.strictObject({
    type: z.literal('modal'),
    ...base,
    title: plainText(LIMITS.modalTitle),
    submit: modalButton,
    close: modalButton,
    clear_on_close: z.boolean().exactOptional(),
    notify_on_close: z.boolean().exactOptional(),
    submit_disabled: z.boolean().exactOptional(),
  }),
  home: z.strictObject({ type: z.literal('home'), ...base }),
} as const;

export interface CheckedView {
  readonly type: 'modal' | 'home';
  readonly blocks: NamedBlock[];
  readonly private_metadata: string;
  readonly callback_id: string;
  readonly external_id: string;
  readonly title: { type: 'plain_text'; text: string } | null;
  readonly submit: { type: 'plain_text'; text: string } | null;
  readonly close: { type: 'plain_text'; text: string } | null;
  readonly clear_on_close: boolean;
  readonly notify_on_close: boolean;
}

export type ViewCheck =
  | { readonly ok: true; readonly view: CheckedView }
  | {
      readonly ok: false;
      readonly error: 'invalid_arguments' | 'view_too_large';
      readonly messages: string[];
    };

interface CheckViewOptions {
  readonly type: 'modal' | 'home';
  readonly newBlockId: () => string;
  readonly hasFile: (id: string) => boolean;
}

function refuse(messages: string[]): ViewCheck {
  return { ok: false, error: 'invalid_arguments', messages };
}

/** Checks a modal or Home view as views.open, views.push, views.update and views.publish do. */
export function checkView(input: unknown, { type, newBlockId, hasFile }: CheckViewOptions): ViewCheck {
  const parsed = viewSchemas[type].safeParse(input);
  if (!parsed.success) return refuse(slackIssues(parsed.error.issues, '/view', input));
  if (JSON.stringify(input).length > LIMITS.viewBytes)
    return { ok: false, error: 'view_too_large', messages: [] };
  const surface: Surface = type;
  const checked = checkBlocks(parsed.data.blocks, { surface, at: '/view/blocks', newBlockId, hasFile });
  if (!checked.ok) return refuse(checked.messages);
  const view: CheckedView = {
    private_metadata: '',
    callback_id: '',
    external_id: '',
    clear_on_close: false,
    notify_on_close: false,
    title: null,
    ...parsed.data,
    submit: ('submit' in parsed.data ? parsed.data.submit : null) ?? null,
    close: ('close' in parsed.data ? parsed.data.close : null) ?? null,
    blocks: checked.blocks,
  };
  if (
    type === 'modal' &&
    view.submit === null &&
    allBlocks(view.blocks).some((block) => block.type === 'input')
  )
    return refuse([slackIssue('/view', [], 'missing required field: submit')]);
  return { ok: true, view };
}
