const kept = 50;

/** @param {string} as */
function storageKey(as) {
  return `bellhop-sent-${as}`;
}

/**
 * What a person sent from this tab, newest last.
 * @param {string} as
 * @returns {string[]}
 */
export function sentLines(as) {
  const stored = sessionStorage.getItem(storageKey(as));
  /** @type {unknown} */
  const lines = stored === null ? [] : JSON.parse(stored);
  return Array.isArray(lines) ? lines.map(String) : [];
}

/** @param {string} as @param {string} line */
export function rememberSent(as, line) {
  const lines = [...sentLines(as).filter((each) => each !== line), line].slice(-kept);
  sessionStorage.setItem(storageKey(as), JSON.stringify(lines));
}
