import { html } from 'htm/preact';
import { BlockElement } from '../elements/block-element.js';
import { SafeLink } from '../text/inline-view.js';
import { TextView, plainWords } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';
import { innerBlocks } from './block-types.js';
import { Picture, PictureWords } from './image-block.js';
import { RichText } from './rich-text.js';

/** @typedef {import('@slack/types').CardBlock & { slack_icon?: import('../../blocks/groups.ts').SlackIcon }} Card */

/** @param {{ block: Card }} props */
export function CardBlock({ block }) {
  const { hero_image: hero, icon, slack_icon: slackIcon, title, subtitle, body, actions = [] } = block;
  return html`<section class="block-card">
    ${hero && html`<div class="card-hero"><${Picture} image=${hero} /></div>`}
    ${
      (icon || slackIcon || title || subtitle) &&
      html`<div class="card-head">
        ${icon && html`<${Picture} image=${icon} small=${true} />`}
        ${slackIcon && html`<${PictureWords} words=${slackIcon.name} small=${true} />`}
        <div class="card-titles">
          ${title && html`<div class="card-title"><${TextView} text=${title} /></div>`}
          ${subtitle && html`<div class="card-subtitle"><${TextView} text=${subtitle} /></div>`}
        </div>
      </div>`
    }
    ${body && html`<${TextView} text=${body} />`}
    ${
      actions.length > 0 &&
      html`<div class="block-actions">
        ${actions.map((element) => html`<${BlockElement} element=${element} blockId=${block.block_id ?? ''} />`)}
      </div>`
    }
  </section>`;
}

/** Cards side by side; those that do not fit are reached by scrolling. @param {{ block: import('@slack/types').CarouselBlock }} props */
export function CarouselBlock({ block }) {
  return html`<div class="block-carousel" tabindex="0" role="group" aria-label="Cards">
    ${innerBlocks(block).map((card) => card.type === 'card' && html`<${CardBlock} key=${card.block_id} block=${card} />`)}
  </div>`;
}

/** @typedef {import('@slack/types').ContainerBlock} Container */

/** @param {{ block: Container }} props */
function Heading({ block }) {
  const { icon, title, rich_text_title: rich, subtitle } = block;
  return html`<span class="card-head">
    ${icon && html`<${Picture} image=${icon} small=${true} />`}
    <span class="card-titles">
      <span class="card-title"
        >${rich ? html`<${RichText} block=${rich} />` : title && plainWords(title)}</span
      >
      ${subtitle && html`<span class="card-subtitle"><${TextView} text=${subtitle} /></span>`}
    </span>
  </span>`;
}

/**
 * The frame of a container around its blocks.
 * @param {{ block: Container, children?: import('preact').ComponentChildren }} props
 */
export function Collapsible({ block, children }) {
  const width = `block-container width-${block.width ?? 'standard'}`;
  if (block.is_collapsible) {
    return html`<details class=${width} open=${block.default_collapsed !== true}>
      <summary><${Heading} block=${block} /></summary>
      ${children}
    </details>`;
  }
  return html`<section class=${width}>
    <div class=${block.has_header_divider ? 'container-head has-divider' : 'container-head'}>
      <${Heading} block=${block} />
    </div>
    ${children}
  </section>`;
}

/** A video is named and linked, not played: nothing is fetched from elsewhere. @param {{ block: import('@slack/types').VideoBlock }} props */
export function VideoBlock({ block }) {
  const { title, title_url: titleUrl, author_name: author, provider_name: provider, description } = block;
  const url = safeUrl(titleUrl ?? block.video_url);
  const by = [provider, author].filter(Boolean).join(' · ');
  return html`<figure class="block-video">
    <figcaption>
      <div class="card-title">
        ${url === undefined ? plainWords(title) : html`<${SafeLink} url=${url}>${plainWords(title)}<//>`}
      </div>
      ${by !== '' && html`<div class="card-subtitle">${by}</div>`}
      ${description && html`<div>${plainWords(description)}</div>`}
    </figcaption>
    <${Picture} image=${{ image_url: block.thumbnail_url, alt_text: block.alt_text }} />
  </figure>`;
}
