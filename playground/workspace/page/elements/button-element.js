import { html } from 'htm/preact';
import { plainWords } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';
import { useElement } from './use-element.js';

/**
 * A button as the bot defined it. Until the bot acknowledges a click, the button shows that the click arrived. It can
 * be clicked again, because the bot decides what a second click does.
 * @param {import('./use-element.js').ElementProps<import('@slack/types').Button | import('@slack/types').WorkflowButton>} props
 */
export function ButtonElement({ element, blockId }) {
  const { pending, send } = useElement({ element, blockId });
  const url = element.type === 'button' ? safeUrl(element.url) : undefined;
  const words = plainWords(element.text);
  const look = ['button', element.style && `button-${element.style}`, pending && 'is-pending']
    .filter(Boolean)
    .join(' ');
  const press = () => void send({ type: 'button' });
  if (url !== undefined) {
    return html`<a class=${look} href=${url} target="_blank" rel="noopener noreferrer" onClick=${press}>
      ${words}<span class="button-out" aria-hidden="true">↗</span>
    </a>`;
  }
  return html`<button
    type="button"
    class=${look}
    aria-label=${element.accessibility_label}
    aria-busy=${pending ? 'true' : undefined}
    onClick=${press}
  >
    ${words}
  </button>`;
}

/** Two buttons, for positive and negative feedback. @param {import('./use-element.js').ElementProps<import('@slack/types').FeedbackButtons>} props */
export function FeedbackButtons({ element, blockId }) {
  const { pending, send } = useElement({ element, blockId });
  const look = pending ? 'button button-small is-pending' : 'button button-small';
  return html`<span class="feedback-buttons" role="group" aria-label="Feedback">
    ${[element.positive_button, element.negative_button].map(
      ({ text, value, accessibility_label: label }) =>
        html`<button
          type="button"
          class=${look}
          aria-label=${label}
          aria-busy=${pending ? 'true' : undefined}
          onClick=${() => void send({ type: 'feedback_buttons', value })}
        >
          ${plainWords(text)}
        </button>`,
    )}
  </span>`;
}

/** @type {Readonly<Record<string, string>>} */
const icons = { trash: '🗑' };

/** A button that is an icon in Slack; here with its words. @param {import('./use-element.js').ElementProps<import('@slack/types').IconButton>} props */
export function IconButton({ element, blockId }) {
  const { pending, send } = useElement({ element, blockId });
  return html`<button
    type="button"
    class=${pending ? 'button button-small is-pending' : 'button button-small'}
    aria-label=${element.accessibility_label}
    aria-busy=${pending ? 'true' : undefined}
    onClick=${() => void send({ type: 'icon_button' })}
  >
    <span aria-hidden="true">${icons[element.icon] ?? '◦'}</span> ${plainWords(element.text)}
  </button>`;
}
