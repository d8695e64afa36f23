import { safeUrl } from './safe-url.js';

/**
 * @typedef {| { kind: 'link', url: string, label: string }
 *   | { kind: 'user' | 'channel' | 'group', id: string, label?: string | undefined }
 *   | { kind: 'everyone', range: string }
 *   | { kind: 'date', seconds: number, template: string, url?: string | undefined, fallback: string }
 *   | { kind: 'text', text: string }} Reference
 */

/** Undoes the three escapes of mrkdwn, once. @param {string} text */
export function unescapeEntities(text) {
  return text.replaceAll(/&(amp|lt|gt);/g, (_, name) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'));
}

/**
 * The text between `<` and `>`: a link, a mention, a date. A link that could run something is left as
 * the words it shows.
 * @param {string} source without the angle brackets
 * @returns {Reference | undefined} undefined for anything else, which is plain text
 */
export function parseReference(source) {
  const bar = source.indexOf('|');
  const target = bar === -1 ? source : source.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeEntities(source.slice(bar + 1));
  const named = { label: label === '' ? undefined : label };
  if (/^@[UW]\w+$/.test(target)) return { kind: 'user', id: target.slice(1), ...named };
  if (/^#[CG]\w+$/.test(target)) return { kind: 'channel', id: target.slice(1), ...named };
  if (target.startsWith('!')) return special(target.slice(1), label);
  return link(unescapeEntities(target), label);
}

/** @param {string} target @param {string | undefined} label @returns {Reference | undefined} */
function special(target, label) {
  const [name = '', ...rest] = target.split('^');
  if (['here', 'channel', 'everyone'].includes(name)) return { kind: 'everyone', range: name };
  if (name === 'subteam' && rest[0] !== undefined) {
    return { kind: 'group', id: rest[0], label };
  }
  const [seconds = '', template = '', address] = rest;
  if (name === 'date' && /^\d+$/.test(seconds)) {
    const url = safeUrl(address === undefined ? undefined : unescapeEntities(address));
    const fallback = label ?? template;
    return {
      kind: 'date',
      seconds: Number(seconds),
      template,
      fallback,
      url,
    };
  }
  return label === undefined ? undefined : { kind: 'text', text: label };
}

/** @param {string} address @param {string | undefined} label @returns {Reference | undefined} */
function link(address, label) {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) return undefined;
  const url = safeUrl(address);
  const shown = label ?? address.replace(/^mailto:/, '');
  return url === undefined ? { kind: 'text', text: shown } : { kind: 'link', url, label: shown };
}
