/**
 * Casts the server's data to the types of its own schemas. The server has parsed everything that passes
 * through it, including the bot's blocks. A second copy of those schemas here would only slow the page.
 * @template T
 * @param {unknown} sent
 * @returns {T}
 */
export function fromServer(sent) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above; the only place that trusts
  return /** @type {T} */ (sent);
}
