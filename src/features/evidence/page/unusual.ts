import type { Row } from '../pack/changes.ts';
import type { Manifest } from '../pack/manifest.ts';

export interface Unusual {
  readonly title: string;
  readonly is: (row: Row) => boolean;
}

const ran: ReadonlySet<string> = new Set([
  'running',
  'succeeded',
  'failed',
  'unknown',
  'paused',
  'stopped',
  'done',
]);

const approvedBySomeone = ({ approvers }: Row): boolean =>
  approvers.split('; ').some((one) => one !== '' && !one.startsWith('denied by '));

/** The kinds of changes that an auditor looks at first. */
export function unusualIn(rules: Manifest['rules']): readonly Unusual[] {
  const known = rules && new Set(rules.names);
  return [
    { title: 'by break-glass', is: ({ break_glass: glass }) => glass !== '' },
    {
      title: 'by break-glass, review not closed',
      is: (row) => row.break_glass !== '' && row.reviewer === '',
    },
    { title: 'without a second person', is: (row) => ran.has(row.outcome) && !approvedBySomeone(row) },
    { title: 'with an unknown outcome', is: ({ outcome }) => outcome === 'unknown' },
    { title: 'settled after an unknown outcome', is: ({ settled_by: by }) => by !== '' },
    ...(known
      ? [
          {
            title: "under a rule that is not in bellhop.yaml as of the pack's making (unproved)",
            is: ({ rule }: Row) => !known.has(rule),
          },
        ]
      : []),
  ];
}
