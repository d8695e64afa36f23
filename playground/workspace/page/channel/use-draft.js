import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { tabStorage } from '../storage.js';

/**
 * A person's draft in a place, kept in this tab until it is sent, even if the place is closed or left.
 * @param {string} place a channel, or a thread in it
 * @returns {[draft: string, keep: (draft: string) => void]}
 */
export function useDraft(place) {
  const { session } = useShell();
  const key = `bellhop-draft-${session.as} ${place}`;
  const [draft, setDraft] = useState(() => tabStorage.getItem(key) ?? '');
  const keep = (/** @type {string} */ text) => {
    setDraft(text);
    if (text === '') tabStorage.removeItem(key);
    else tabStorage.setItem(key, text);
  };
  return [draft, keep];
}
