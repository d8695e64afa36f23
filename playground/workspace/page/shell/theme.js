import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { browserStorage } from '../storage.js';

/** @typedef {'light' | 'dark'} Theme */

const storageKey = 'bellhop-theme';

/** @returns {Theme} */
function preferredTheme() {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** @returns {Theme | undefined} */
function storedTheme() {
  const stored = browserStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}

/**
 * The theme: the operating system's, until the reader chooses another one here.
 * @returns {[Theme, () => void]} the theme, and a function that switches it
 */
export function useTheme() {
  const [chosen, setChosen] = useState(storedTheme);
  const [preferred, setPreferred] = useState(preferredTheme);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setPreferred(preferredTheme());
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  useLayoutEffect(() => {
    if (chosen === undefined) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  }, [chosen]);
  const theme = chosen ?? preferred;
  const turn = () => {
    const next = theme === 'dark' ? 'light' : 'dark';
    browserStorage.setItem(storageKey, next);
    setChosen(next);
  };
  return [theme, turn];
}
