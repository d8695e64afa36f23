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
 * Esc leaves what lies over the page, wherever the keyboard is: a dialog lets it go to the page's own body.
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

/** Gives the keyboard back, when what is drawn goes away, to where it was before. */
export function useFocusReturn() {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [],
  );
}
