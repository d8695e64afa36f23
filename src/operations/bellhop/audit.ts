import { z } from 'zod';

import type { AuditEntry } from '../../core/audit/audit.ts';
import { operation, type ReadContext } from '../../core/model/operation.ts';
import type { Cell } from '../../core/model/report.ts';
import { durationText } from '../../core/grammar/duration.ts';
import { itemCount } from '../report-text.ts';
import { bellhopTarget } from './bellhop-target.ts';

const most = 200;

export const audit = operation({
  name: 'bellhop.audit',
  summary: 'Show who did what, newest first.',
  risk: 'read',
  input: z.strictObject({
    target: z
      .string()
      .trim()
      .min(1)
      .max(200, 'that is too long for a target')
      .optional()
      .describe('Only what was about this target.')
      .meta({ placeholder: 'web-1' }),
    actor: z
      .string()
      .trim()
      .regex(/^@?(?:T[A-Z0-9]+\/)?[UW][A-Z0-9]+$/u, 'is a person: pick them after typing @')
      .optional()
      .describe('Only what this person did.')
      .meta({ placeholder: '@alice' }),
    request: z
      .string()
      .trim()
      .min(1)
      .max(64, 'that is too long for a request')
      .optional()
      .describe('Only what belongs to this request.')
      .meta({ placeholder: 'r-…' }),
    last: durationText
      .prefault('24h')
      .describe('How far back, such as 4h or 7d.')
      .meta({ placeholder: '4h' }),
  }),
  examples: ['/bellhop audit --last 4h', '/bellhop audit --target web-1 --actor @alice'],
  target: () => bellhopTarget,
  async run(
    { target, actor, request, last },
    { bellhop, now, actor: asker }: ReadContext<typeof bellhopTarget>,
  ) {
    const [user = '', team = asker.team] = (actor ?? '').replace('@', '').split('/').toReversed();
    return bellhop.audit({
      since: now - last,
      limit: most,
      ...(target === undefined ? {} : { targetName: target }),
      ...(request === undefined ? {} : { requestId: request }),
      ...(actor === undefined ? {} : { actor: { team, user } }),
    });
  },
  report: (entries) => ({
    title: 'Audit',
    headline: itemCount(entries.length, 'entry', 'entries'),
    tables: entries.length === 0 ? [] : [{ caption: 'Newest first', columns, rows: entries.map(shownRow) }],
    notes:
      entries.length < most
        ? []
        : [`These are the newest ${most}. Narrow it with --target, --actor or --last.`],
    csv: { fileName: 'audit.csv', columns: columns.map(({ label }) => label), rows: entries.map(csvRow) },
  }),
});

const columns = ['#', 'Time', 'Who', 'What', 'Operation', 'Target', 'Rule', 'Outcome', 'Request', 'Why'].map(
  (label, at) => (at === 0 ? { label, numeric: true } : { label }),
);

const shownRow = (entry: AuditEntry): Cell[] => [
  entry.seq,
  { at: entry.at },
  entry.actor ? { person: entry.actor.user } : 'Bellhop',
  ...rest(entry),
];

/** For machines: moments in UTC, people by id. */
const csvRow = (entry: AuditEntry): (string | number)[] => [
  entry.seq,
  new Date(entry.at).toISOString(),
  entry.actor?.user ?? 'Bellhop',
  ...rest(entry),
];

const rest = (entry: AuditEntry): string[] => [
  entry.event,
  entry.operation ?? '',
  entry.target?.name ?? '',
  entry.rule ?? '',
  entry.outcome ?? '',
  entry.requestId ?? '',
  entry.reason ?? entry.note ?? '',
];
