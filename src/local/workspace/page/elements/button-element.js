import { html } from 'htm/preact';
import { plainWords } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';
import { useElement } from './use-element.js';

/**
 * A button as the bot asked for it. While the bot has not acknowledged it shows that the click arrived; it can
 * be pressed again all the same, because what a second click does is for the bot to decide.
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
