import type { PackRow } from '../pack/csv.ts';
import { pageButton, element } from './dom.ts';
import { type PageField, fields, type Filter, outcomeKind } from './table.ts';

const mostSuggestions = 500;

const label = (text: string, ...parts: readonly HTMLElement[]): HTMLElement =>
  element('label', {}, text, ...parts);

const option = (value: string): HTMLElement => element('option', { value }, value);

const typed = (id: PageField, text: string, known: readonly string[]): HTMLElement =>
  label(
    text,
    element('input', { id, list: `${id}-list`, autocomplete: 'off' }),
    element('datalist', { id: `${id}-list` }, ...known.slice(0, mostSuggestions).map(option)),
  );

const chosen = (id: PageField, text: string, known: readonly string[]): HTMLElement =>
  label(text, element('select', { id }, element('option', { value: '' }, 'All'), ...known.map(option)));

const sorted = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((one) => one !== '').toSorted();

/** @param changed called after each change of the filter */
export function filterForm(rows: readonly PackRow[], filter: Filter, changed: () => void): HTMLElement {
  const valuesOf = (column: 'requester' | 'target' | 'rule'): readonly string[] =>
    sorted(rows.map((row) => row[column]));
  const form = element(
    'form',
    { class: 'filters', 'aria-label': 'Filters' },
    typed('person', 'Person', valuesOf('requester')),
    typed('target', 'Target', valuesOf('target')),
    chosen('rule', 'Rule', valuesOf('rule')),
    chosen('outcome', 'Outcome', sorted(rows.map(outcomeKind))),
    label('Day', element('input', { id: 'day', type: 'date' })),
  );
  const valueOf = (id: PageField): string => {
    const field = form.elements.namedItem(id);
    return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : '';
  };
  const read = (): void => {
    for (const id of fields) filter[id] = valueOf(id);
    changed();
  };
  const clear = (): void => {
    form.reset();
    filter.unusual = undefined;
    read();
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', read);
  form.append(pageButton('Show all', clear));
  return form;
}
