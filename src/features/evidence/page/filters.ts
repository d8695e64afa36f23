import type { PackRow } from '../pack/changes.ts';
import { pageButton, element } from './dom.ts';
import { type Filter, noFilter, outcomeKind } from './table.ts';

const mostSuggestions = 500;

type Field = 'person' | 'target' | 'rule' | 'outcome' | 'day';

const label = (text: string, ...fields: readonly HTMLElement[]): HTMLElement =>
  element('label', {}, text, ...fields);

const option = (value: string): HTMLElement => element('option', { value }, value);

/** A field with suggestions. */
const typed = (id: Field, text: string, known: readonly string[]): HTMLElement =>
  label(
    text,
    element('input', { id, list: `${id}-list`, autocomplete: 'off' }),
    element('datalist', { id: `${id}-list` }, ...known.slice(0, mostSuggestions).map(option)),
  );

const chosen = (id: Field, text: string, known: readonly string[]): HTMLElement =>
  label(text, element('select', { id }, element('option', { value: '' }, 'All'), ...known.map(option)));

/** The fields that narrow the table. @param changed called after each change of the filter */
export function filterForm(rows: readonly PackRow[], filter: Filter, changed: () => void): HTMLElement {
  const values = (read: (row: PackRow) => string): readonly string[] =>
    [...new Set(rows.map(read))].filter((one) => one !== '').toSorted();
  const form = element(
    'form',
    { class: 'filters', 'aria-label': 'Filters' },
    typed(
      'person',
      'Person',
      values(({ requester }) => requester),
    ),
    typed(
      'target',
      'Target',
      values(({ target }) => target),
    ),
    chosen(
      'rule',
      'Rule',
      values(({ rule }) => rule),
    ),
    chosen('outcome', 'Outcome', values(outcomeKind)),
    label('Day', element('input', { id: 'day', type: 'date' })),
  );
  const valueOf = (id: Field): string => {
    const field = form.elements.namedItem(id);
    return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : '';
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    for (const id of ['person', 'target', 'rule', 'outcome', 'day'] as const) filter[id] = valueOf(id);
    changed();
  });
  const clear = (): void => {
    form.reset();
    Object.assign(filter, noFilter());
    changed();
  };
  form.append(pageButton('Show all', clear));
  return form;
}
