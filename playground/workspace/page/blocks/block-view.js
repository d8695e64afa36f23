import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { useSurface } from '../contexts.js';
import { BlockElement } from '../elements/block-element.js';
import { plainWords } from '../text/mrkdwn-view.js';
import { innerBlocks } from './block-types.js';
import { ChartBlock } from './chart-block.js';
import { DataTableBlock } from './data-table-block.js';
import { CardBlock, CarouselBlock, Collapsible, VideoBlock } from './group-blocks.js';
import { ImageBlock } from './image-block.js';
import { MarkdownBlock } from './markdown-block.js';
import { PlanBlock, TaskCardBlock } from './plan-block.js';
import { RichText } from './rich-text.js';
import { TableBlock } from './table-block.js';
import {
  ActionsBlock,
  AlertBlock,
  ContextActionsBlock,
  ContextBlock,
  HeaderBlock,
  SectionBlock,
} from './text-blocks.js';

/** @typedef {import('./block-types.js').PageBlock} PageBlock */

function Divider() {
  return html`<hr class="block-divider" />`;
}

/** @param {{ block: import('@slack/types').ContainerBlock }} props */
function ContainerBlock({ block }) {
  return html`<${Collapsible} block=${block}><${BlockList} blocks=${innerBlocks(block)} /><//>`;
}

/** Elements that consist of several controls: their label is a legend. */
const grouped = new Set(['checkboxes', 'radio_buttons']);

/** @param {{ block: import('@slack/types').InputBlock & { block_id: string } }} props */
function InputBlock({ block }) {
  const id = useId();
  const { errors } = useSurface();
  const error = errors[block.block_id];
  const label = plainWords(block.label);
  const described =
    [block.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const words = html`${label}${block.optional === true && html` <span class="quiet">(optional)</span>`}`;
  return html`<div class=${error === undefined ? 'block-input' : 'block-input has-error'}>
    ${
      grouped.has(block.element.type)
        ? html`<div class="input-label" id=${`${id}-label`}>${words}</div>`
        : html`<label class="input-label" for=${id}>${words}</label>`
    }
    <${BlockElement}
      element=${block.element}
      blockId=${block.block_id}
      name=${label}
      field=${{ id, described, invalid: error !== undefined, dispatches: block.dispatch_action === true, optional: block.optional === true }}
    />
    ${block.hint && html`<div class="input-hint" id=${`${id}-hint`}>${plainWords(block.hint)}</div>`}
    ${error && html`<div class="input-error" id=${`${id}-error`} role="alert">${error}</div>`}
  </div>`;
}

const views = /** @type {const} */ ({
  actions: ActionsBlock,
  alert: AlertBlock,
  card: CardBlock,
  carousel: CarouselBlock,
  container: ContainerBlock,
  context: ContextBlock,
  context_actions: ContextActionsBlock,
  data_table: DataTableBlock,
  data_visualization: ChartBlock,
  divider: Divider,
  header: HeaderBlock,
  image: ImageBlock,
  input: InputBlock,
  markdown: MarkdownBlock,
  plan: PlanBlock,
  rich_text: RichText,
  section: SectionBlock,
  table: TableBlock,
  task_card: TaskCardBlock,
  video: VideoBlock,
});

/** @param {PageBlock} block */
function blockView(block) {
  if (!Object.hasOwn(views, block.type)) {
    return html`<div class="block-unknown" key=${block.block_id}>
      A block of type “${block.type}” is not drawn here.
    </div>`;
  }
  return html`<div class="block" data-block=${block.type} key=${block.block_id}>
    <${views[block.type]} block=${block} />
  </div>`;
}

/** Blocks, one below the other. @param {{ blocks: readonly PageBlock[] }} props */
export function BlockList({ blocks }) {
  return html`<div class="blocks">${blocks.map(blockView)}</div>`;
}
