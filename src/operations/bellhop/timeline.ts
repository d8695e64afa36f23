import { z } from 'zod';

import type { AuditEntry, AuditEvent } from '../../model/audit.ts';
import { operation, type ReadContext } from '../../model/operation.ts';
import { durationText } from '../../command/grammar/times.ts';
import { itemCount } from '../parts/report-parts.ts';
import { bellhopTarget } from '../parts/targets.ts';
import { markdownTimeline } from './markdown-timeline.ts';

/** Steps that say nothing which another entry beside them does not say. */
const leftOut: ReadonlySet<AuditEvent> = new Set<AuditEvent>([
  'started',
  'invalid',
  'ignored click',
  'policy loaded',
  'policy rejected',
]);

const pageLength = 500;
const mostPages = 20;
const mostEntries = 500;
const mostLinks = 50;
const mostNames = 50;

export const timeline = operation({
  name: 'bellhop.timeline',
  summary: "Write this channel's actions as a Markdown timeline.",
  risk: 'read',
  input: z.strictObject({
    last: durationText.prefault('4h').describe('How far back, such as 4h or 7d.').meta({ placeholder: '4h' }),
  }),
  examples: ['/bellhop timeline --last 4h'],
  target: () => bellhopTarget,
  async run({ last }, context: ReadContext<typeof bellhopTarget>) {
    const since = context.now - last;
    const { entries, whole } = await actionsHere(context, since);
    const ids = [...new Set(entries.flatMap(({ requestId }) => requestId ?? []))];
    const links = new Map<string, string>();
    for (const id of ids.slice(-mostLinks)) {
      const link = await context.bellhop.linkTo(id);
      if (link !== undefined) links.set(id, link);
    }
    const { person, now, inventory } = context;
    const names = await namesIn(context, entries);
    const text = markdownTimeline({
      entries,
      links,
      names,
      inventory,
      since,
      until: now,
      zone: person.timeZone,
    });
    return { count: entries.length, whole, text, unlinked: ids.length - links.size };
  },
  report: ({ count, whole, text, unlinked }) => ({
    title: 'Timeline',
    headline: `${itemCount(count, 'action', 'actions')} in this channel.`,
    document: { fileName: 'timeline.md', text },
    notes: [
      ...(whole
        ? []
        : ['There is more than fits: these are the newest. Ask for a shorter time with --last.']),
      ...(unlinked > 0
        ? [`${itemCount(unlinked, 'request has', 'requests have')} no link to a message.`]
        : []),
    ],
  }),
});

/** What the people of the entries are called, by user id: what is pasted elsewhere must not need Slack to be read. */
async function namesIn({ bellhop }: ReadContext<typeof bellhopTarget>, entries: readonly AuditEntry[]) {
  const names = new Map<string, string>();
  const people = new Map(entries.flatMap(({ actor }) => (actor ? [[actor.user, actor] as const] : [])));
  for (const actor of [...people.values()].slice(-mostNames)) {
    const name = await bellhop.nameOf(actor);
    if (name !== undefined) names.set(actor.user, name);
  }
  return names;
}

/** The channel's entries, oldest first; the newest where there are too many. */
async function actionsHere({ bellhop, actor, place }: ReadContext<typeof bellhopTarget>, since: number) {
  const here: AuditEntry[] = [];
  let before: number | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const entries = await bellhop.audit({ actor, place }, { since, limit: pageLength, before });
    here.push(
      ...entries.filter(
        (entry) =>
          !leftOut.has(entry.event) &&
          entry.place?.team === place.team &&
          entry.place.channel === place.channel,
      ),
    );
    before = entries.at(-1)?.seq;
    const over = here.length > mostEntries;
    if (entries.length < pageLength || over)
      return { entries: here.slice(0, mostEntries).toReversed(), whole: !over };
  }
  return { entries: here.toReversed(), whole: false };
}
