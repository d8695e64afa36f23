import { useEffect, useMemo, useState } from 'preact/hooks';

/**
 * @typedef {{ key: string, words: string, detail?: string | undefined, option?: import('../../gestures.ts').ChosenOption }} Item
 * @typedef {{ label?: string | undefined, items: Item[] }} Group
 *
 * @typedef {object} ComboboxProps
 * @property {boolean} multi
 * @property {readonly Item[]} chosen
 * @property {(chosen: Item[]) => void} onChoose
 * @property {(query: string) => Group[] | Promise<Group[]>} load rejects with words for the person
 * @property {boolean} slow asked for elsewhere: waits until typing pauses
 * @property {number} minQuery characters to be typed before anything is loaded
 * @property {number} [most] choices allowed
 * @property {string} placeholder
 * @property {boolean} pending
 * @property {boolean} [clearable]
 * @property {Record<string, string | undefined>} attributes of the input: its id and label
 */

const typingPauseMs = 200;

/** Loads what fits the query, the last one asked for wins. @param {ComboboxProps} props @param {boolean} open @param {string} query */
function useChoices({ load, slow, minQuery }, open, query) {
  const [groups, setGroups] = useState(/** @type {Group[]} */ ([]));
  const [status, setStatus] = useState('');
  useEffect(() => {
    if (!open) return undefined;
    setGroups([]);
    if (query.length < minQuery) {
      setStatus(`Type ${minQuery === 1 ? 'a letter' : `${String(minQuery)} letters`} or more to search`);
      return undefined;
    }
    let gone = false;
    setStatus('Loading…');
    const ask = async () => {
      try {
        const found = await load(query);
        if (gone) return;
        setGroups(found);
        setStatus('Nothing fits');
      } catch (error) {
        if (!gone) setStatus(error instanceof Error ? error.message : 'The options could not be loaded');
      }
    };
    const timer = setTimeout(() => void ask(), slow && query !== '' ? typingPauseMs : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [open, query]);
  return { groups, status };
}

/** What keys do. @param {ComboboxProps} props @param {{ open: boolean, query: string, item: Item | undefined, move: (step: number) => void, show: () => void, hide: () => void, pick: (item: Item) => void, remove: (item: Item) => void }} state */
function keyListener({ multi, chosen }, { open, query, item, move, show, hide, pick, remove }) {
  /** @type {Readonly<Record<string, () => void>>} */
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => (open && item !== undefined ? pick(item) : show()),
    ...(open ? { Escape: hide } : {}),
  };
  return (/** @type {KeyboardEvent} */ event) => {
    const last = chosen.at(-1);
    const backwards = event.key === 'Backspace' && multi && query === '' && last !== undefined;
    const action = backwards ? () => remove(last) : keys[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
}

/** @param {ComboboxProps} props */
export function useComboboxState(props) {
  const { multi, chosen, onChoose, most = Infinity } = props;
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const { groups, status } = useChoices(props, open, query);
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const chosenKeys = useMemo(() => new Set(chosen.map(({ key }) => key)), [chosen]);
  useEffect(() => setActive(0), [items]);

  const show = () => setOpen(true);
  const hide = () => {
    setOpen(false);
    setQuery('');
  };
  const remove = (/** @type {Item} */ item) => onChoose(chosen.filter(({ key }) => key !== item.key));
  const pick = (/** @type {Item} */ item) => {
    if (!multi) {
      onChoose([item]);
      hide();
    } else if (chosenKeys.has(item.key)) remove(item);
    else if (chosen.length < most) onChoose([...chosen, item]);
    setQuery('');
  };
  const move = (/** @type {number} */ step) => {
    if (!open) show();
    else setActive((before) => (items.length === 0 ? 0 : (before + step + items.length) % items.length));
  };
  const type = (/** @type {string} */ typed) => {
    setQuery(typed);
    show();
  };
  const key = keyListener(props, { open, query, item: items[active], move, show, hide, pick, remove });
  const clear = () => onChoose([]);
  return {
    open,
    query,
    groups,
    items,
    active,
    chosenKeys,
    status,
    show,
    hide,
    pick,
    remove,
    clear,
    type,
    key,
  };
}
