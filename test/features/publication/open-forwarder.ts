import { onTestFinished } from 'vitest';

import { events } from '../../../src/features/index.ts';
import { createForwarder } from '../../../src/features/publication/forward.ts';
import type { ForwardResult } from '../../../src/features/publication/forward-batch.ts';
import type { AuditDraft } from '../../../src/model/records/audit.ts';
import type { Forwarding } from '../../../src/features/publication/forward.ts';
import type { ForwardSettings } from '../../../src/features/publication/section.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { dueQueue } from '../../due/due-queue.ts';
import { keys, sealAll } from '../../store/contract/opened.ts';
import { aDraft } from '../../store/sample-request.ts';
import { startCollector } from '../../collector.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openStore } from '../../store/open-store.ts';

/** Replicas that forward, with a shared clock. */
export function openForwarders(url: string, settings: Partial<ForwardSettings> = {}) {
  const clock = createDrivenClock();
  const logged: { readonly level: string; readonly message: string; readonly details: object }[] = [];
  const write = (level: string) => (details: object, message: string) => {
    logged.push({ level, message, details });
  };
  const stage = {
    clock,
    logged,
    messages: (): readonly string[] => logged.map(({ level, message }) => `${level}: ${message}`),
    settings: { url, token: 'secret:siem', from: 1, contentType: 'application/x-ndjson', ...settings } as
      | ForwardSettings
      | undefined,
    token: (): string => 's3cret-of-the-siem',
    results: [] as ForwardResult[],
    seen: 'unknown' as Forwarding | 'off' | 'unknown',
    recordIn: async (store: Store, drafts: readonly AuditDraft[]): Promise<void> => {
      await store.record(drafts);
      await sealAll(store, clock.now(), keys, stage.replica(store).dueWhenSealed());
    },
    replica: (store: Store) => {
      const log = { info: write('info'), warn: write('warn'), error: write('error') };
      const forwarder = createForwarder({
        store,
        rulebook: () => ({
          sections: { publication: { publish: [], witnesses: [], forward: stage.settings } },
        }),
        resolveSecret: () => stage.token(),
        clock,
        log,
        events,
        onSeen: (seen) => {
          stage.seen = seen;
        },
        onBatch: (result) => stage.results.push(result),
      });
      const queue = dueQueue(store, clock, [forwarder.handler], { log });
      return {
        ...forwarder,
        /** Sends all entries that can be sent now. */
        round: async (): Promise<void> => {
          await forwarder.look();
          for (let sent = -1; sent < stage.results.length;) {
            sent = stage.results.length;
            await queue.work();
          }
          await forwarder.look();
        },
      };
    },
  };
  return stage;
}

/** A forwarder with its own store, and a collector that answers as a test says. */
export async function openForwarder(settings: Partial<ForwardSettings> = {}) {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const store = await openStore({ dataDir: temporaryFolder() });
  onTestFinished(() => store.close());
  const set = openForwarders(collector.url, settings);
  const record = (count: number, note?: string): Promise<void> =>
    set.recordIn(
      store,
      Array.from({ length: count }, () => aDraft({ note })),
    );
  return Object.assign(set, { collector, store, record, ...set.replica(store) });
}

/** The numbers from 1 to `count`. */
export const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);
