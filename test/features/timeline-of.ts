import type { OwnEvent } from '../../src/model/audit-event.ts';
import type { AuditEntry } from '../../src/model/records/audit.ts';
import { markdown, timelineText } from '../../src/operations/self/timeline.ts';

/** The lines of `/bellhop timeline`, oldest first, without times. @param entries in any order */
export const timelineOf = (
  entries: readonly AuditEntry[],
  events: readonly OwnEvent[] = [],
): readonly string[] =>
  timelineText(
    {
      entries,
      events: new Map(events.map((event) => [event.name, event])),
      links: new Map(),
      since: 0,
      until: 1,
      zone: 'UTC',
      names: new Map(),
      inventory: { regions: {}, instances: {}, containers: {}, targets: {} },
    },
    markdown,
  ).match(/(?<=^- \S+ ).*$/gmu) ?? [];
