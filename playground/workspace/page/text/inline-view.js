import { html } from 'htm/preact';
import { useDirectory } from '../contexts.js';
import { formatSlackDate } from './slack-date.js';

/**
 * @typedef {import('./mrkdwn.js').Inline} Inline
 * @typedef {import('preact').VNode} VNode
 */

/**
 * A link that opens in a new tab and sends no referrer.
 * @param {{ url: string, children?: import('preact').ComponentChildren }} props url: passed by safeUrl
 */
export function SafeLink({ url, children }) {
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${children}</a>`;
}

/** @param {{ children?: import('preact').ComponentChildren, own?: boolean }} props own: it means the reader */
function Mention({ children, own = false }) {
  return html`<span class=${own ? 'mention mention-own' : 'mention'}>${children}</span>`;
}

/** @param {{ id: string, label?: string | undefined }} props */
export function PersonMention({ id, label }) {
  const { people, as } = useDirectory();
  const person = people.find((each) => each.id === id);
  return html`<${Mention} own=${id === as}>@${person?.real_name ?? label ?? id}<//>`;
}

/** @param {{ id: string, label?: string | undefined }} props */
export function ChannelMention({ id, label }) {
  const { channels } = useDirectory();
  const channel = channels.find((each) => each.id === id);
  if (channel === undefined) return html`<${Mention}>#${label ?? id}<//>`;
  return html`<a class="mention" href=${`#${id}`}>#${channel.name}</a>`;
}

/** @param {{ id: string, label?: string | undefined }} props */
export function GroupMention({ id, label }) {
  const { usergroups } = useDirectory();
  const group = usergroups.find((each) => each.id === id);
  return html`<${Mention}>@${(group?.handle ?? label ?? id).replace(/^@/, '')}<//>`;
}

/** @param {{ range: string }} props */
export function EveryoneMention({ range }) {
  return html`<${Mention} own=${true}>@${range}<//>`;
}

/** @param {{ seconds: number, template: string, fallback: string, url?: string | undefined }} props */
export function DateWords({ seconds, template, fallback, url }) {
  const words = formatSlackDate(seconds, template, new Date());
  if (words === undefined) return html`<span>${fallback}</span>`;
  const time = html`<time datetime=${new Date(seconds * 1000).toISOString()} title=${fallback}
    >${words}</time
  >`;
  return url === undefined ? time : html`<${SafeLink} url=${url}>${time}<//>`;
}

const tags = /** @type {const} */ ({ bold: 'strong', italic: 'em', strike: 's', code: 'code' });

/** @param {Inline} node */
function inlineNode(node) {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'link':
      return html`<${SafeLink} url=${node.url}>${node.label}<//>`;
    case 'user':
      return html`<${PersonMention} id=${node.id} label=${node.label} />`;
    case 'channel':
      return html`<${ChannelMention} id=${node.id} label=${node.label} />`;
    case 'group':
      return html`<${GroupMention} id=${node.id} label=${node.label} />`;
    case 'everyone':
      return html`<${EveryoneMention} range=${node.range} />`;
    case 'date':
      return html`<${DateWords} ...${node} />`;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return html`<${tags[node.kind]}><${InlineView} nodes=${node.children} /><//>`;
  }
}

/** @param {{ nodes: readonly Inline[] }} props */
export function InlineView({ nodes }) {
  return html`${nodes.map((node) => inlineNode(node))}`;
}
