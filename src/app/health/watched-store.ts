import type { After, Made } from '../../model/after.ts';
import type { AuditDraft } from '../../model/records/audit.ts';
import type { OfferChange } from '../../model/records/offer.ts';
import type { Request } from '../../model/records/request.ts';
import type { Store } from '../../store/store.ts';
import { traceOutcome, traceStore } from '../process/tracing.ts';
import type { Observer } from './observer.ts';

interface Watcher extends Pick<Observer['store'], 'afterCall' | 'happened'> {
  /** Called when committed entries wait to be sealed. */
  staged(): void;
  /** Called when committed work is due immediately and has no owner. */
  due(): void;
  readonly dueAfter: After;
}

export function watchStore(store: Store, watcher: Watcher): Store {
  const timed = timing(store, watcher);
  const { happened, recorded } = reporting(watcher);
  return {
    ...timed,
    async record(drafts) {
      // A read or a denial was answered, even if its entry can't be recorded.
      drafts.forEach(happened);
      await timed.record(drafts);
      if (drafts.length > 0) watcher.staged();
    },
    async advance(step) {
      const row = await timed.advance(step);
      if (row) {
        recorded([...(step.replaces?.audit ?? []), ...step.audit]);
        if (step.replaces || isNow(watcher, row, step)) watcher.due();
      }
      return row;
    },
    async endIfSetBack(...given) {
      const found = await timed.endIfSetBack(...given);
      recorded(found?.audit ?? []);
      return found;
    },
    async propose(proposal) {
      const proposed = await timed.propose(proposal);
      if (!proposed.conflict) {
        const { supersedes, request, ends, audit } = proposal;
        recorded([...(supersedes?.audit ?? []), ...audit]);
        const wakes = isNow(watcher, request, proposal) || isNow(watcher, proposed.superseded, supersedes);
        if (ends || wakes) watcher.due();
      }
      return proposed;
    },
    async makeOffer(draft) {
      const decided = await timed.makeOffer(draft);
      recorded(decided.step?.audit ?? []);
      if (decided.step) watcher.due();
      return decided;
    },
    async endOffer(ending) {
      const ended = await timed.endOffer(ending);
      if (ended) {
        recorded(ending.audit);
        watcher.due();
      }
      return ended;
    },
    async foldOffer(received) {
      let audit: readonly AuditDraft[] = [];
      const entries = (change: OfferChange) => (audit = received.entries(change));
      const decided = await timed.foldOffer({ ...received, entries });
      if (decided.kind === 'nothing') return decided;
      recorded(audit);
      watcher.due();
      return decided;
    },
    ...others(timed, watcher, recorded),
  };
}

const others = (
  timed: Store,
  watcher: Watcher,
  recorded: (drafts: readonly AuditDraft[]) => void,
): Pick<Store, 'changeLasting' | 'closeReview' | 'countDue'> => ({
  async changeLasting(...given) {
    const change = await timed.changeLasting(...given);
    recorded(change.audit);
    return change;
  },
  async closeReview(closing) {
    const closed = await timed.closeReview(closing);
    if (closed) {
      recorded(closing.audit);
      watcher.due();
    }
    return closed;
  },
  async countDue(...given) {
    const count = await timed.countDue(...given);
    if (count > 1) watcher.due();
    return count;
  },
});

const isNow = ({ dueAfter }: Watcher, row: Request | undefined, made: Made | undefined): boolean =>
  row !== undefined &&
  made !== undefined &&
  dueAfter(row, made).some(({ at, owned }) => !owned && at !== undefined && at <= made.at);

/** `happened` reports entries for metrics and traces. `recorded` also reports that entries wait to be sealed. */
function reporting(watcher: Watcher) {
  const happened = (draft: AuditDraft): void => {
    watcher.happened(draft);
    traceOutcome(draft);
  };
  const recorded = (drafts: readonly AuditDraft[]): void => {
    drafts.forEach(happened);
    if (drafts.length > 0) watcher.staged();
  };
  return { happened, recorded };
}

function timing(store: Store, { afterCall }: Watcher): Store {
  return new Proxy(store, {
    get(target, name, receiver): unknown {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        const began = performance.now();
        let ok = false;
        try {
          const answer = await traceStore(String(name), async (): Promise<unknown> =>
            Reflect.apply(method, target, given),
          );
          ok = true;
          return answer;
        } finally {
          afterCall(String(name), ok, performance.now() - began);
        }
      };
    },
  });
}
