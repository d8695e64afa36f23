import type { Context } from '../model/ports.ts';
import { canonical, type AuditDraft } from '../model/records/audit.ts';
import type { SuggestContext } from './suggest.ts';
import { hourMs, notYet } from './suggestion-bounds.ts';

const minuteMs = 60_000;

type AgentReads = Pick<SuggestContext, 'admitRead' | 'store'>;

/**
 * Bounds the reads of each agent on this replica. The first of equal reads is recorded at once; those of the next
 * minute share one more entry, which counts them.
 */
export function createAgentReads({ store, clock, log, backgroundTasks }: Context): AgentReads {
  const times = new Map<string, readonly number[]>();
  const repeats = new Map<string, { count: number; last: AuditDraft }>();

  const recordRepeats = async (key: string): Promise<void> => {
    const { count, last } = repeats.get(key) ?? {};
    repeats.delete(key);
    if (last === undefined || count === undefined || count === 0) return;
    await store.record([{ ...last, count }]).catch((error: unknown) => {
      log.error({ err: error, event: 'read', count }, 'audit entry not recorded');
    });
  };
  const recordAll = (): void => {
    for (const key of repeats.keys()) backgroundTasks.add(recordRepeats(key), 'repeated reads of agents');
  };
  backgroundTasks.beforeDrain(recordAll);

  const isRepeat = (draft: AuditDraft): boolean => {
    if (draft.event !== 'read') return false;
    const { at: _at, correlationId: _id, ...equal } = draft;
    const key = canonical(equal);
    const known = repeats.get(key);
    if (known) {
      known.count += 1;
      known.last = draft;
      return true;
    }
    repeats.set(key, { count: 0, last: draft });
    const stop = clock.every(minuteMs, () => {
      stop();
      backgroundTasks.add(recordRepeats(key), 'repeated reads of an agent');
    });
    return false;
  };

  return {
    admitRead({ name, reads }) {
      const now = clock.now();
      const lately = (times.get(name) ?? []).filter((at) => at <= now && at > now - hourMs);
      const [first = now] = lately;
      if (lately.length >= reads) {
        const text = `You made ${lately.length} reads in the last hour; the limit is ${reads} (“reads”).`;
        throw notYet(text, first + hourMs, now, 'Nothing was read.');
      }
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
