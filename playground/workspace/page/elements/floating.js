import { useLayoutEffect } from 'preact/hooks';

const gap = 4;
const margin = 8;
const tallest = 320;

/** @param {HTMLElement} anchor @param {HTMLElement} panel */
function place(anchor, panel) {
  const around = anchor.getBoundingClientRect();
  const below = innerHeight - around.bottom - margin;
  const above = around.top - margin;
  const upwards = below < Math.min(panel.scrollHeight, tallest) && above > below;
  const width = Math.min(Math.max(around.width, panel.offsetWidth), innerWidth - 2 * margin);
  panel.style.maxHeight = `${String(Math.min(tallest, upwards ? above : below) - gap)}px`;
  panel.style.left = `${String(Math.max(margin, Math.min(around.left, innerWidth - width - margin)))}px`;
  panel.style.minWidth = `${String(around.width)}px`;
  panel.style.top = upwards ? 'auto' : `${String(around.bottom + gap)}px`;
  panel.style.bottom = upwards ? `${String(innerHeight - around.top + gap)}px` : 'auto';
}

/**
 * Shows a panel (`popover="manual"`) next to its anchor and above dialogs, while it is open.
 * @param {import('preact').RefObject<HTMLElement | null>} anchor
 * @param {import('preact').RefObject<HTMLElement | null>} panel
 * @param {boolean} open
 * @param {unknown} content what changes its size
 */
export function useFloating(anchor, panel, open, content) {
  useLayoutEffect(() => {
    const [from, shown] = [anchor.current, panel.current];
    if (!open || from === null || shown === null) return undefined;
    if (!shown.matches(':popover-open')) shown.showPopover();
    const follow = () => place(from, shown);
    follow();
    addEventListener('resize', follow);
    document.addEventListener('scroll', follow, true);
    return () => {
      removeEventListener('resize', follow);
      document.removeEventListener('scroll', follow, true);
    };
  }, [open, content]);
}
