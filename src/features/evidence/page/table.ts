import type { Mark } from '../pack/content.ts';
import type { PackRow } from '../pack/csv.ts';
import type { Manifest } from '../pack/manifest.ts';
import { pageButton, element } from './dom.ts';

/** Longer tables are shown in pages, because a browser takes seconds to lay out many thousands of rows. */
const mostRows = 2000;
const pageLength = 1000;

export interface MarkedRow extends PackRow {
  readonly mark?: Mark | undefined;
}

const marks: Readonly<Record<Mark, string>> = {
  altered: 'altered in changes.csv: this is what its entries say',
  missing: 'missing or out of place in changes.csv: this is what its entries say',
  invented: 'not in the entries of this pack',
  unverified: 'not verified',
};

export const isProved = ({ mark }: MarkedRow): boolean => mark !== 'invented' && mark !== 'unverified';

/** For an unknown outcome, also how a person settled it. */
function outcomeOf({ outcome, settled_by: settled }: PackRow): string {
  const [, by, day] = /^(.*) at (\S+)T\S+$/u.exec(settled) ?? [];
  if (by === undefined) return outcome;
  return `unknown; ${by} said on ${day} that it ${outcome === 'failed' ? 'did not run' : 'ran'}`;
}

export const outcomeKind = ({ outcome, settled_by: by }: PackRow): string =>
  by === '' ? outcome : 'unknown, settled';

const shown: Readonly<Record<string, (row: PackRow) => string>> = {
  'Requested (UTC)': ({ at }) => at.replace('T', ' ').slice(0, 19),
  Change: ({ operation, target }) => `${operation} ${target}`,
  Requester: ({ requester }) => requester,
  'Approved by': ({ approvers, break_glass: glass }) =>
    [approvers, ...(glass === '' ? [] : [`break-glass: ${glass}`])].filter((one) => one !== '').join('; ') ||
    'no approval',
  Outcome: outcomeOf,
  Rule: ({ rule }) => rule,
  Reason: ({ reason }) => reason,
  Reviewer: ({ reviewer }) => reviewer,
};

/** A kind of changes that an auditor looks at first. */
export interface Unusual {
  readonly title: string;
  readonly is: (row: MarkedRow) => boolean;
}

export const fields = ['person', 'target', 'rule', 'outcome', 'day'] as const;
export type PageField = (typeof fields)[number];

export type Filter = Partial<Record<PageField, string>> & { unusual?: Unusual | undefined };

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.trim().toLowerCase());

const isWanted = (
  row: PackRow,
  { person = '', target = '', rule = '', outcome = '', day = '', unusual }: Filter,
): boolean =>
  has(row.target, target) &&
  (person === '' ||
    [row.requester, row.approvers, row.reviewer, row.settled_by].some((who) => has(who, person))) &&
  (rule === '' || row.rule === rule) &&
  (outcome === '' || outcomeKind(row) === outcome) &&
  row.at.startsWith(day) &&
  (unusual?.is(row) ?? true);

const filterText = ({ unusual, ...typed }: Filter): string =>
  [...Object.entries(typed), ['unusual', unusual?.title ?? '']]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

interface Shown {
  readonly filter: Filter;
  readonly timeline: (row: PackRow) => Promise<HTMLElement>;
  /** By id, as the maker of the pack wrote them. */
  readonly names: Manifest['names'];
}

export function createTable(rows: readonly MarkedRow[], { filter, ...shownWith }: Shown) {
  const count = element('p', { role: 'status' });
  const body = element('tbody', { role: 'rowgroup' });
  const pages = element('p', { class: 'pages' });
  let [column, isUp, page]: [string, boolean, number] = ['Requested (UTC)', true, 0];

  const headers = Object.keys(shown).map((name) => {
    const sort = (): void => {
      isUp = column === name ? !isUp : true;
      column = name;
      turn(0);
    };
    return { name, cell: element('th', { role: 'columnheader', scope: 'col' }, pageButton(name, sort)) };
  });
  const draw = (): void => {
    const read = shown[column] ?? (({ at }: PackRow) => at);
    const found = rows.filter((row) => isWanted(row, filter));
    const keyed = found.map((row) => ({ row, key: read(row) }));
    keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0) * (isUp ? 1 : -1));
    const last = found.length > mostRows ? Math.ceil(found.length / pageLength) - 1 : 0;
    page = Math.max(0, Math.min(page, last));
    const visible = last === 0 ? keyed : keyed.slice(page * pageLength, (page + 1) * pageLength);
    for (const { name, cell } of headers)
      cell.setAttribute('aria-sort', name === column ? (isUp ? 'ascending' : 'descending') : 'none');
    const narrowed = filterText(filter);
    count.textContent = [
      `${found.length} of ${rows.length} changes`,
      narrowed && ` (${narrowed})`,
      found.length === 0 ? '. No change matches. Press Show all to see all changes.' : '',
    ].join('');
    body.replaceChildren(...visible.map(({ row }) => rowOf(row, shownWith)));
    const turning = [
      pageButton('Previous page', () => turn(page - 1)),
      ` Page ${page + 1} of ${last + 1} `,
      pageButton('Next page', () => turn(page + 1)),
    ];
    pages.replaceChildren(...(last === 0 ? [] : turning));
  };
  const turn = (to: number): void => {
    page = to;
    draw();
  };
  draw();
  const table = element(
    'table',
    { role: 'table', 'aria-labelledby': 'changes-title' },
    element(
      'thead',
      { role: 'rowgroup' },
      element('tr', { role: 'row' }, ...headers.map(({ cell }) => cell)),
    ),
    body,
  );
  return { parts: [count, table, pages], refresh: () => turn(0) };
}

function rowOf(row: MarkedRow, { timeline, names }: Omit<Shown, 'filter'>): HTMLElement {
  const tr = element('tr', { role: 'row', class: row.mark ? 'altered' : '' });
  let opened: HTMLElement | undefined;
  const toggle = (): void => {
    const wasOpen = opened !== undefined;
    opener.setAttribute('aria-expanded', String(!wasOpen));
    opened?.remove();
    opened = wasOpen ? undefined : element('tr', { role: 'row' });
    if (!opened) return;
    const cell = element(
      'td',
      { role: 'cell', class: 'whole', colspan: String(Object.keys(shown).length) },
      'Reading…',
    );
    opened.append(cell);
    tr.after(opened);
    timeline(row).then(
      (made) => cell.replaceChildren(made),
      () => cell.replaceChildren('The entries of this change could not be read.'),
    );
  };
  const opener = pageButton(`${row.operation} ${row.target}`, toggle, { 'aria-expanded': 'false' });
  for (const [name, read] of Object.entries(shown))
    tr.append(
      element(
        'td',
        { role: 'cell', 'data-name': name },
        ...(name === 'Change' ? [opener] : [element('span', {}, ...apart(read(row), names))]),
      ),
    );
  if (row.mark) tr.querySelector('td')?.append(' ', element('strong', { class: 'tag bad' }, marks[row.mark]));
  return tr;
}

/** Marks unproved names, so that they look different from the ids before them. */
function apart(text: string, names: Manifest['names']): readonly (string | HTMLElement)[] {
  for (const [id, name] of Object.entries(names)) {
    const [before, ...rest] = text.split(`${id} (${name})`);
    if (rest.length === 0) continue;
    const claimed = () => element('span', { class: 'claimed' }, `(${name})`);
    return [before ?? '', ...rest.flatMap((part) => [`${id} `, claimed(), part])].flatMap((part) =>
      typeof part === 'string' ? apart(part, names) : part,
    );
  }
  return [text];
}
