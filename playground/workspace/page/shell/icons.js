import { html } from 'htm/preact';

/**
 * Pictures of the page's own: drawn, so that they look the same on a machine without a font of emoji.
 * @type {Readonly<Record<'bell' | 'eye' | 'picture' | 'file', string>>}
 */
const paths = {
  bell: 'M12 4.2a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2ZM4.6 16a7.4 7.4 0 0 1 14.8 0ZM3 17.4h18v2.4H3Z',
  eye: 'M12 6c4.6 0 8 3.7 9.4 6-1.4 2.3-4.8 6-9.4 6s-8-3.7-9.4-6C4 9.7 7.4 6 12 6Zm0 2.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2Zm0 1.8a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z',
  picture:
    'M4 5h16v14H4Zm2 2v8.2l3.6-3.6 2.7 2.7 3.3-3.9L18 13.2V7ZM9 8.2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
  file: 'M6 3h8l4 4v14H6Zm2 2v14h8V8h-3V5Z',
};

/** @param {{ name: keyof typeof paths }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path fill="currentColor" fill-rule="evenodd" d=${paths[name]} />
  </svg>`;
}
