import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';

/**
 * @typedef {{ key: string, words: string, detail?: string | undefined, option?: import('../blocks/block-types.js').ChosenOption }} Item
 * @typedef {{ label?: string | undefined, items: Item[] }} Group
 *
 * @typedef {object} ComboboxProps
 * @property {boolean} multi
 * @property {readonly Item[]} chosen
 * @property {(chosen: Item[]) => void} onChoose
 * @property {| { kind: 'list', find: (query: string) => Group[] }
 *   | { kind: 'remote', load: (query: string) => Promise<Group[]>, minQuery: number }} source a list at hand, or
 *   one loaded once so many characters are typed; load rejects with words for the person
 * @property {number} [most] choices allowed
 * @property {string} placeholder
 * @property {boolean} pending
 * @property {boolean} [clearable]
 * @property {Record<string, string | undefined>} attributes of the input: its id and label
 */

const typingPauseMs = 200;

/** Loads what fits the query; the last query wins. @param {ComboboxProps['source']} source @param {boolean} open @param {string} query */
function useLoadedGroups(source, open, query) {
  const [groups, setGroups] = useState(/** @type {Group[]} */ ([]));
  const [status, setStatus] = useState('Loading…');
  useEffect(() => {
    if (!open || source.kind === 'list') return undefined;
    setGroups([]);
    const least = source.minQuery;
    if (query.length < least) {
      setStatus(`Type ${least === 1 ? 'a letter' : `${String(least)} letters`} or more to search`);
      return undefined;
    }
    let gone = false;
    setStatus('Loading…');
    const load = async () => {
      try {
        const found = await source.load(query);
        if (gone) return;
        setGroups(found);
        setStatus('No matches');
      } catch (error) {
        if (!gone) setStatus(error instanceof Error ? error.message : 'The options could not be loaded');
      }
    };
    const timer = setTimeout(() => void load(), query === '' ? 0 : typingPauseMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [open, query]);
  return { groups, status };
}

/** The available choices. @param {ComboboxProps['source']} source @param {boolean} open @param {string} query */
function useChoices(source, open, query) {
  const loaded = useLoadedGroups(source, open, query);
  const listed = useMemo(() => (source.kind === 'list' && open ? source.find(query) : []), [open, query]);
  return source.kind === 'list' ? { groups: listed, status: 'No matches' } : loaded;
}

/** Handles keys. @param {ComboboxProps} props @param {{ open: boolean, query: string, item: Item | undefined, move: (step: number) => void, show: () => void, hide: () => void, pick: (item: Item) => void, remove: (item: Item) => void }} state */
function keyListener({ multi, chosen }, { open, query, item, move, show, hide, pick, remove }) {
  /** @type {Readonly<Record<string, (() => void) | undefined>>} */
  const keys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => (open && item !== undefined ? pick(item) : show()),
    Escape: open ? hide : undefined,
  };
  return (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing) return;
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
  const { groups, status } = useChoices(props.source, open, query);
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const chosenKeys = useMemo(() => new Set(chosen.map(({ key }) => key)), [chosen]);
  useLayoutEffect(() => setActive(0), [items]);

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
