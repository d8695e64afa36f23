import { useEffect, useState } from 'preact/hooks';

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
