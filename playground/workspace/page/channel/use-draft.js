import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';

/**
 * A person's draft in a place, kept in this tab until it is sent, even if the place is closed or left.
 * @param {string} place a channel, or a thread in it
 * @returns {[draft: string, keep: (draft: string) => void]}
 */
export function useDraft(place) {
  const { session } = useShell();
  const key = `bellhop-draft-${session.as} ${place}`;
  const [draft, setDraft] = useState(() => sessionStorage.getItem(key) ?? '');
  const keep = (/** @type {string} */ text) => {
    setDraft(text);
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  };
  return [draft, keep];
}
