import type { Context } from '../../model/ports.ts';
import { canonical, type AuditDraft } from '../../model/records/audit.ts';
import type { SuggestContext } from './suggestions/suggest.ts';
import { boundHour } from './suggestions/suggestion-bounds.ts';

const minuteMs = 60_000;

type AgentReads = Pick<SuggestContext, 'admitRead' | 'store'>;

/**
 * Bounds the reads of each agent on this replica. The first of several equal reads is recorded at once. The others of
 * the same minute share one more entry, which counts them.
 */
export function createAgentReads({ store, clock, log, backgroundTasks }: Context): AgentReads {
  const times = new Map<string, readonly number[]>();
  /** The newest of each set of equal reads. `count` is how many repeats are not recorded yet. */
  const repeats = new Map<string, AuditDraft & { readonly count: number }>();

  const recordRepeats = (): void => {
    const drafts = [...repeats.values()].filter(({ count }) => count > 0);
    repeats.clear();
    if (drafts.length === 0) return;
    const recorded = store.record(drafts).catch((error: unknown) => {
      log.error({ err: error, event: 'read', count: drafts.length }, 'audit entry not recorded');
    });
    backgroundTasks.add(recorded, 'repeated reads of agents');
  };
  clock.every(minuteMs, recordRepeats);
  backgroundTasks.beforeDrain(recordRepeats);

  const isRepeat = (draft: AuditDraft): boolean => {
    if (draft.event !== 'read') return false;
    const { at: _at, correlationId: _id, ...equal } = draft;
    const key = canonical(equal);
    const known = repeats.get(key);
    repeats.set(key, { ...draft, count: known ? known.count + 1 : 0 });
    return known !== undefined;
  };

  return {
    admitRead({ name, reads }) {
      const now = clock.now();
      const past = (times.get(name) ?? []).filter((at) => at <= now);
      const lately = boundHour('reads', past, reads, now);
      times.set(name, [...lately, now]);
    },
    store: {
      ...store,
      async record(drafts) {
        const kept = drafts.filter((draft) => !isRepeat(draft));
        if (kept.length > 0) await store.record(kept);
      },
    },
  };
}
