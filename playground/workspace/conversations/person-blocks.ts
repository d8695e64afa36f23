import { parseMrkdwn, type Inline } from '../page/text/mrkdwn.js';
import type { DrawnBlock } from '../protocol.ts';

type Style = 'bold' | 'italic' | 'strike' | 'code';
/** An element of a rich_text section, as sent in JSON, without undefined members. */
type Element = Readonly<Record<string, unknown>>;

/**
 * A person's text as the rich_text block that Slack's composer makes from it. A mention within code is only text, but
 * one in a quote is a mention. Source: docs.slack.dev/reference/block-kit/blocks/rich-text-block.
 * @param text as the message has it, escaped, with mentions as `<@U…>`
 */
export function personBlocks(text: string, ts: string): DrawnBlock[] {
  const elements = parseMrkdwn(text, { verbatim: true }).map((paragraph) => {
    if (paragraph.kind === 'pre')
      return { type: 'rich_text_preformatted', elements: codeElements(paragraph.children, []) };
    const type = paragraph.kind === 'quote' ? 'rich_text_quote' : 'rich_text_section';
    return { type, elements: joined(paragraph.lines.map((line) => inlineElements(line, []))) };
  });
  const block_id = Number(ts.replace('.', '')).toString(36).slice(-5);
  return [{ type: 'rich_text', block_id, elements }];
}

/** Lines of one section, with the breaks between them. */
function joined(lines: readonly Element[][]): Element[] {
  return lines.flatMap((line, index) => [...(index === 0 ? [] : [{ type: 'text', text: '\n' }]), ...line]);
}

function inlineElements(nodes: readonly Inline[], styles: readonly Style[]): Element[] {
  const style = styleOf(styles);
  return nodes.flatMap((node): Element[] => {
    switch (node.kind) {
      case 'text':
        return [{ type: 'text', text: node.text, style }];
      case 'user':
        return [{ type: 'user', user_id: node.id, style }];
      case 'channel':
        return [{ type: 'channel', channel_id: node.id, style }];
      case 'group':
        return [{ type: 'usergroup', usergroup_id: node.id, style }];
      case 'everyone':
        return [{ type: 'broadcast', range: node.range, style }];
      case 'link':
        return [
          { type: 'link', url: node.url, text: node.label === node.url ? undefined : node.label, style },
        ];
      case 'date':
        return [{ type: 'text', text: node.fallback, style }];
      case 'bold':
      case 'italic':
      case 'strike':
        return inlineElements(node.children, [...styles, node.kind]);
      case 'code':
        return codeElements(node.children, [...styles, 'code']);
    }
  });
}

/** Code contains only text. */
function codeElements(nodes: readonly Inline[], styles: readonly Style[]): Element[] {
  return [{ type: 'text', text: nodes.map(literalText).join(''), style: styleOf(styles) }];
}

function literalText(node: Inline): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'user':
      return `<@${node.id}>`;
    case 'channel':
      return `<#${node.id}>`;
    case 'group':
      return `<!subteam^${node.id}>`;
    case 'everyone':
      return `<!${node.range}>`;
    case 'link':
      return node.url;
    case 'date':
      return node.fallback;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return node.children.map(literalText).join('');
  }
}

function styleOf(styles: readonly Style[]): Partial<Record<Style, true>> | undefined {
  return styles.length === 0 ? undefined : Object.fromEntries(styles.map((style) => [style, true]));
}
