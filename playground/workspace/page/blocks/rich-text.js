import { html } from 'htm/preact';
import { emojiGlyph } from '../text/emoji.js';
import {
  ChannelMention,
  DateWords,
  EveryoneMention,
  GroupMention,
  PersonMention,
  SafeLink,
} from '../text/inline-view.js';
import { safeUrl } from '../text/safe-url.js';

/**
 * @typedef {import('@slack/types').RichTextBlock} RichTextBlock
 * @typedef {RichTextBlock['elements'][number]} RichTextPart
 * @typedef {import('@slack/types').RichTextElement} RichTextElement
 */

/** @param {RichTextElement} element */
function words(element) {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link': {
      const url = safeUrl(element.url);
      const label = element.text ?? element.url;
      return url === undefined ? label : html`<${SafeLink} url=${url}>${label}<//>`;
    }
    case 'user':
      return html`<${PersonMention} id=${element.user_id} />`;
    case 'channel':
      return html`<${ChannelMention} id=${element.channel_id} />`;
    case 'usergroup':
      return html`<${GroupMention} id=${element.usergroup_id} />`;
    case 'team':
      return html`<span class="mention">@${element.team_id}</span>`;
    case 'broadcast':
      return html`<${EveryoneMention} range=${element.range} />`;
    case 'emoji':
      return emojiGlyph(element.name) ?? `:${element.name}:`;
    case 'color':
      return html`<span class="color-chip"
        ><i style=${{ background: element.value }}></i>${element.value}</span
      >`;
    case 'date':
      return html`<${DateWords}
        seconds=${element.timestamp}
        template=${element.format}
        fallback=${element.fallback ?? element.format}
        url=${safeUrl(element.url)}
      />`;
  }
}

/** @param {RichTextElement} element */
function styledWords(element) {
  const { style } = element;
  let drawn = words(element);
  if (style?.code === true) drawn = html`<code>${drawn}</code>`;
  if (style?.bold === true) drawn = html`<strong>${drawn}</strong>`;
  if (style?.italic === true) drawn = html`<em>${drawn}</em>`;
  if (style?.strike === true) drawn = html`<s>${drawn}</s>`;
  if (style?.underline === true) drawn = html`<u>${drawn}</u>`;
  return drawn;
}

/** @param {RichTextPart} part */
function partView(part) {
  switch (part.type) {
    case 'rich_text_section':
      return html`<div class="rich-section">${part.elements.map(styledWords)}</div>`;
    case 'rich_text_quote':
      return html`<blockquote>${part.elements.map(styledWords)}</blockquote>`;
    case 'rich_text_preformatted':
      return html`<pre tabindex="0">${part.elements.map(styledWords)}</pre>`;
    case 'rich_text_list': {
      const tag = part.style === 'ordered' ? 'ol' : 'ul';
      const items = part.elements.map((item) => html`<li>${item.elements.map(styledWords)}</li>`);
      return html`<${tag} class=${`indent-${String(part.indent ?? 0)}`}>${items}<//>`;
    }
  }
}

/** @param {{ block: RichTextBlock }} props */
export function RichText({ block }) {
  return html`<div class="rich-text">${block.elements.map(partView)}</div>`;
}
