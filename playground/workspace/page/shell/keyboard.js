import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * The layers over the page, the topmost last.
 * @type {import('preact').RefObject<() => void>[]}
 */
const waiting = [];

/** @param {KeyboardEvent} event */
function leaveTopmost(event) {
  const top = waiting.at(-1);
  if (event.key !== 'Escape' || event.defaultPrevented || top === undefined) return;
  event.preventDefault();
  top.current();
}

/**
 * Esc closes the topmost layer, even while the focus is outside of it, as a dialog can pass the focus to the page's body.
 * @param {() => void} leave
 */
export function useEscape(leave) {
  const latest = useRef(leave);
  latest.current = leave;
  useLayoutEffect(() => {
    if (waiting.length === 0) document.addEventListener('keydown', leaveTopmost);
    waiting.push(latest);
    return () => {
      waiting.splice(waiting.indexOf(latest), 1);
      if (waiting.length === 0) document.removeEventListener('keydown', leaveTopmost);
    };
  }, []);
}

/** Returns the focus to its previous element when this component is removed. */
export function useFocusReturn() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [],
  );
}
