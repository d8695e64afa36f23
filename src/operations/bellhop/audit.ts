import { z } from 'zod';

import type { AuditEntry } from '../../model/audit.ts';
import { listedActor } from '../../model/actor.ts';
import { type ReadContext, operation } from '../../model/operation.ts';
import type { Inventory } from '../../model/target.ts';
import type { Cell } from '../../model/report.ts';
import { durationText } from '../../command/grammar/times.ts';
import { itemCount, lineTable, texts } from '../parts/report-parts.ts';
import { bellhopTarget } from '../../command/targets.ts';
import { personText } from '../parts/input.ts';
import { onCallAnswerText } from '../../model/on-call.ts';
import { nameOfId } from '../../command/inventory.ts';

const most = 200;

export const showAudit = operation({
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
    actor: personText.optional().describe('Only what this person did.').meta({ placeholder: '@alice' }),
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
    { bellhop, now, actor: asker, place, inventory }: ReadContext<typeof bellhopTarget>,
  ) {
    const entries = await bellhop.audit(
      { actor: asker, place },
      {
        since: now - last,
        limit: most,
        targetName: target,
        requestId: request,
        actor: actor === undefined ? undefined : listedActor(actor, asker.team),
      },
    );
    return { entries, inventory };
  },
  report: ({ entries, inventory }) => ({
    title: 'Audit',
    headline: itemCount(entries.length, 'entry', 'entries'),
    tables: lineTable(
      'Newest first',
      texts('Outcome', 'Why', 'What', 'Who', 'Where', 'Time', 'Rule'),
      entries.map((entry) => shownRow(entry, inventory)),
    ),
    notes:
      entries.length < most
        ? []
        : [`These are the newest ${most}. Narrow it with --target, --actor or --last.`],
    csv: { fileName: 'audit.csv', columns: csvColumns, rows: entries.map(csvRow) },
  }),
});

function shownRow(entry: AuditEntry, inventory: Inventory): Cell[] {
  const why = entry.reason ?? entry.note ?? '';
  return [
    outcomeOf(entry),
    why === '' ? '' : `“${why}”`,
    commandOf(entry, inventory),
    entry.actor ? { person: entry.actor.user } : 'Bellhop',
    channelOf(entry),
    { at: entry.at },
    entry.rule ?? '',
  ];
}

/** The conversation of two has no name. */
function channelOf({ place }: AuditEntry): Cell {
  if (place === undefined) return '';
  return place.channel.startsWith('D') ? 'in private' : { channel: place.channel };
}

const whyOf = ({ reason, note, onCall = [] }: AuditEntry): string =>
  [reason ?? note ?? [], ...onCall.map(onCallAnswerText)].flat().join('; ');

const csvColumns = ['#', 'Time', 'Who', 'What', 'Operation', 'Target', 'Rule', 'Outcome', 'Request', 'Why'];

/** For machines: moments in UTC, people by id. */
const csvRow = (entry: AuditEntry): (string | number)[] => [
  entry.seq,
  new Date(entry.at).toISOString(),
  entry.actor?.user ?? 'Bellhop',
  entry.event,
  entry.operation ?? '',
  entry.target?.name ?? '',
  entry.rule ?? '',
  entry.outcome ?? '',
  entry.requestId ?? '',
  whyOf(entry),
];

/** What came of it, in a word: `succeeded`, `denied`, `read failed`. */
export function outcomeOf({ event, outcome }: AuditEntry): string {
  if (event === 'ended' || event === 'settled') return outcome ?? event;
  return event === 'read' && outcome === 'failed' ? 'read failed' : event;
}

/** `cloud reboot web-1`, under the name that the target has in the inventory now. Empty where nothing was asked for. */
export function commandOf({ operation: name, target }: AuditEntry, inventory: Inventory): string {
  if (name === undefined) return '';
  const words = name.replace('.', ' ');
  if (target === undefined || target.kind === 'bellhop') return words;
  const id = target.kind === 'instance' ? target.key.split('/').at(-1) : undefined;
  const listed = id === undefined ? undefined : nameOfId(inventory, id);
  return `${words} ${listed ?? target.name}`;
}
