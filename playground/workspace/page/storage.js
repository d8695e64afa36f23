/** The browser's storage, or the page's memory if the browser blocks storage. @param {'localStorage' | 'sessionStorage'} name */
function openStorage(name) {
  try {
    const storage = window[name];
    storage.getItem('');
    return storage;
  } catch {
    /** @type {Map<string, string>} */
    const kept = new Map();
    return {
      getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ text) => void kept.set(key, text),
      removeItem: (/** @type {string} */ key) => void kept.delete(key),
    };
  }
}

export const tabStorage = openStorage('sessionStorage');
export const browserStorage = openStorage('localStorage');
