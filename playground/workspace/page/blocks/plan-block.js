import { html } from 'htm/preact';
import { fromServer } from '../from-server.js';
import { SafeLink } from '../text/inline-view.js';
import { safeUrl } from '../text/safe-url.js';
import { RichText } from './rich-text.js';

/** @typedef {import('@slack/types').TaskCardBlock} TaskCard */

const statuses = /** @type {const} */ ({
  pending: { mark: '○', word: 'Pending' },
  in_progress: { mark: '◐', word: 'In progress' },
  complete: { mark: '✓', word: 'Complete' },
  error: { mark: '✕', word: 'Error' },
});

/** @param {{ sources: NonNullable<TaskCard['sources']> }} props */
function Sources({ sources }) {
  return html`<div class="task-sources">
    ${sources.map(({ url, text }) => {
      const safe = safeUrl(url);
      return safe === undefined ? html`<span>${text}</span>` : html`<${SafeLink} url=${safe}>${text}<//>`;
    })}
  </div>`;
}

/** @param {{ block: TaskCard }} props */
export function TaskCardBlock({ block }) {
  const { mark, word } = statuses[block.status];
  return html`<div class=${`task-card task-${block.status}`}>
    <span class="task-mark" role="img" aria-label=${word}>${mark}</span>
    <div class="task-words">
      <div class="task-title">${block.title}</div>
      ${block.details && html`<${RichText} block=${block.details} />`}
      ${block.output && html`<div class="task-output"><${RichText} block=${block.output} /></div>`}
      ${block.sources && html`<${Sources} sources=${block.sources} />`}
    </div>
  </div>`;
}

/** @param {{ block: import('@slack/types').PlanBlock }} props */
export function PlanBlock({ block }) {
  /** @type {TaskCard[]} */
  const tasks = fromServer(block.tasks ?? []);
  const done = tasks.filter(({ status }) => status === 'complete').length;
  return html`<section class="block-plan" aria-label=${block.title}>
    <div class="plan-title">${block.title} <span class="quiet">${done} of ${tasks.length} done</span></div>
    <ol class="plan-tasks">
      ${tasks.map((task) => html`<li><${TaskCardBlock} block=${task} /></li>`)}
    </ol>
  </section>`;
}
