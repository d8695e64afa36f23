const followed = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address of a link if following it can run nothing: http, https or mailto; undefined otherwise.
 * @param {string | undefined} address
 * @returns {string | undefined}
 */
export function safeUrl(address) {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return followed.has(url.protocol) ? url.href : undefined;
}
