import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import { withEmoji } from './emoji.js';
import { InlineView } from './inline-view.js';
import { parseMrkdwn } from './mrkdwn.js';
import { unescapeEntities } from './reference.js';

const listMark = /^\s*(?:[•◦▪-]|\d{1,3}[.)])\s/;

/** One line. If it looks like a list item, its wrapped part is indented. @param {{ nodes: import('./mrkdwn.js').Inline[] }} props */
function Line({ nodes }) {
  const [first] = nodes;
  const item = first?.kind === 'text' && listMark.test(first.text);
  return html`<div class=${item ? 'line line-item' : 'line'}><${InlineView} nodes=${nodes} /></div>`;
}

/** @param {import('./mrkdwn.js').Paragraph} paragraph */
function paragraphView(paragraph) {
  if (paragraph.kind === 'pre')
    return html`<pre tabindex="0"><${InlineView} nodes=${paragraph.children} /></pre>`;
  const lines = paragraph.lines.map((nodes) => html`<${Line} nodes=${nodes} />`);
  return paragraph.kind === 'quote' ? html`<blockquote>${lines}</blockquote>` : lines;
}

/**
 * Slack's mrkdwn, drawn.
 * @param {{ text: string, verbatim?: boolean | undefined }} props
 */
export function MrkdwnView({ text, verbatim }) {
  const paragraphs = useMemo(() => parseMrkdwn(text, { verbatim }), [text, verbatim]);
  return html`<div class="mrkdwn">${paragraphs.map(paragraphView)}</div>`;
}

/** The words of a plain_text object. @param {import('@slack/types').PlainTextElement} plain */
export function plainWords({ text, emoji }) {
  return unescapeEntities(emoji === false ? text : withEmoji(text));
}

/** A text object of either kind. @param {{ text: import('@slack/types').TextObject }} props */
export function TextView({ text }) {
  if (text.type === 'mrkdwn') return html`<${MrkdwnView} text=${text.text} verbatim=${text.verbatim} />`;
  return html`<div class="plain">${plainWords(text)}</div>`;
}
