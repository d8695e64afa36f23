/**
 * Takes what the server sent for what its own schemas say it is: it has parsed everything that passes
 * through it, the bot's blocks included, and a second copy of those schemas here would only slow the page.
 * @template T
 * @param {unknown} sent
 * @returns {T}
 */
export function fromServer(sent) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above; the only place that trusts
  return /** @type {T} */ (sent);
}
