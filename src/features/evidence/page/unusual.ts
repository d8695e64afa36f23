import { counted } from '../../../text/words.ts';
import type { PackRow } from '../pack/csv.ts';
import type { Manifest } from '../pack/manifest.ts';
import { pageButton, element } from './dom.ts';
import { type Filter, isProved, type MarkedRow, type Unusual } from './table.ts';

const hasRun = ({ outcome }: PackRow): boolean =>
  /^(?:running|succeeded|failed|unknown|paused|stopped|done)$/u.test(outcome);

const approvedBySomeone = ({ approvers }: PackRow): boolean =>
  approvers.split('; ').some((one) => one !== '' && !one.startsWith('denied by '));

const personOf = (cell: string): string => cell.split(' ', 1)[0] ?? '';

const approvedBySettler = ({ approvers, settled_by: by }: PackRow): boolean =>
  by !== '' && approvers.split('; ').some((one) => personOf(one) === personOf(by));

function unusualIn(rules: Manifest['rules']): readonly Unusual[] {
  const kinds: readonly (Unusual | undefined)[] = [
    { title: 'by break-glass', is: ({ break_glass: glass }) => glass !== '' },
    {
      title: 'by break-glass, review not closed',
      is: (row) => row.break_glass !== '' && row.reviewer === '',
    },
    { title: 'that ran without an approval', is: (row) => hasRun(row) && !approvedBySomeone(row) },
    { title: 'with an unknown outcome', is: ({ outcome }) => outcome === 'unknown' },
    { title: 'settled after an unknown outcome', is: ({ settled_by: by }) => by !== '' },
    { title: 'settled by a person who approved it', is: approvedBySettler },
    rules && {
      title: 'under a rule that no longer existed when the pack was made (as its maker says)',
      is: ({ rule }: PackRow) => !rules.names.includes(rule),
    },
  ];
  return kinds.filter((kind) => kind !== undefined);
}

export function unusualParts(
  rows: readonly MarkedRow[],
  rules: Manifest['rules'],
  filter: Filter,
  changed: () => void,
) {
  const proved = rows.filter(isProved);
  const kinds = unusualIn(rules).map(({ title, is }) => ({
    title,
    is: (row: MarkedRow) => isProved(row) && is(row),
  }));
  const buttons = kinds.map((kind) => {
    const count = proved.filter(kind.is).length;
    const text = `${count} ${kind.title}`;
    const press = pageButton(text, () => {
      filter.unusual = filter.unusual === kind ? undefined : kind;
      changed();
    });
    return { kind, shown: count === 0 ? text : press, press };
  });
  const list = element('ul', {}, ...buttons.map(({ shown }) => element('li', {}, shown)));
  return {
    parts: [
      element('h2', { id: 'unusual-title' }, 'Unusual changes'),
      ...(proved.length === 0 ? [] : [list]),
      ...notesOf(proved.length, rows.length, rules).map((note) => element('p', { class: 'soft' }, note)),
    ],
    refresh(): void {
      for (const { kind, press } of buttons)
        press.setAttribute('aria-pressed', String(filter.unusual === kind));
    },
  };
}

function notesOf(proved: number, all: number, rules: Manifest['rules']): readonly string[] {
  if (proved === 0) return ['No entry proves any of the changes, so none is counted.'];
  const left = all - proved;
  return [
    ...(left === 0
      ? []
      : [`${counted(left, 'change is', 'changes are')} not counted, because no entry proves them.`]),
    ...(rules ? [] : ['The pack names no rules of the day it was made, so no change is compared with them.']),
  ];
}
