import { html } from 'htm/preact';
import { fromServer } from '../from-server.js';
import { plainWords } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';
import { MenuButton } from './menu-button.js';
import { useElement } from './use-element.js';

/** @typedef {import('@slack/types').Overflow} Overflow */

/** The three dots with more to do behind them. @param {import('./use-element.js').ElementProps<Overflow>} props */
export function OverflowMenu({ element, blockId }) {
  const { pending, send } = useElement({ element, blockId });
  const items = element.options.map((option, index) => ({
    key: String(index),
    text: plainWords(option.text),
    detail: option.description && plainWords(option.description),
    onPick: () => {
      const url = safeUrl(option.url);
      if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
      void send({ type: 'overflow', selected_option: fromServer(option) });
    },
  }));
  return html`<${MenuButton} label="More actions" pending=${pending} items=${items}>⋯<//>`;
}
