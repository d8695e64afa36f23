import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Icon } from '../shell/icons.js';
import { SafeLink } from '../text/inline-view.js';
import { plainWords } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';

/**
 * @typedef {import('@slack/types').ImageElement} ImageElement
 * @typedef {Pick<ImageElement, 'alt_text'> & ({ image_url: string } | { slack_file: { id: string } | { url: string } })} Image
 */

/** The URL of a picture. For a file of the workspace, that is the page's own URL, which needs no app token. @param {Image} image */
function addressOf(image) {
  if ('image_url' in image) return image.image_url;
  return 'url' in image.slack_file
    ? image.slack_file.url.replace(/\/files-pri\/\w+-(\w+)\/.*$/, '/_workspace/files/$1/picture')
    : `/_workspace/files/${image.slack_file.id}/picture`;
}

/** Whether the URL belongs to this workspace. No other is fetched, because nothing leaves this machine. @param {string} address */
function isLocal(address) {
  return URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin;
}

/**
 * A picture, or its words if it may not or cannot be fetched.
 * @param {{ image: Image, small?: boolean }} props
 */
export function Picture({ image, small = false }) {
  const [broken, setBroken] = useState(false);
  const address = addressOf(image);
  if (isLocal(address) && !broken) {
    return html`<img
      class=${small ? 'picture picture-small' : 'picture'}
      src=${address}
      alt=${image.alt_text}
      loading="lazy"
      onError=${() => setBroken(true)}
    />`;
  }
  const url = safeUrl(address);
  return html`<${PictureWords} words=${image.alt_text} small=${small}>
    ${url && !small && html`<${SafeLink} url=${url}>open elsewhere<//>`}
  <//>`;
}

/**
 * The placeholder of a missing picture: its words, as a hint if there is little room.
 * @param {{ words: string, small: boolean, children?: import('preact').ComponentChildren }} props
 */
export function PictureWords({ words, small, children }) {
  return html`<span class=${small ? 'picture-words picture-small' : 'picture-words'}>
    <span role="img" aria-label=${words} title=${words}
      ><${Icon} name="picture" /> ${small ? '' : words}</span
    >
    ${children}
  </span>`;
}

/** @param {{ block: import('@slack/types').ImageBlock }} props */
export function ImageBlock({ block }) {
  return html`<figure class="block-image">
    ${block.title && html`<figcaption>${plainWords(block.title)}</figcaption>`}
    <${Picture} image=${block} />
  </figure>`;
}
