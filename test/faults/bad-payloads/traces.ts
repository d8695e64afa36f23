import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { callsBesideSuggestions } from '../../program/service-control.ts';
import type { Stage } from '../../program/stage.ts';

const channels = ['C0OPS', 'C0INC42', 'C0GENERAL'];

/** Everything that would differ if a payload had done something: requests, calls of the service, public messages. */
export async function tracesOf(stage: Stage): Promise<object> {
  const store = new DatabaseSync(join(stage.dataDir, 'bot', 'bellhop.db'), { readOnly: true });
  const all = (query: string): unknown[] => store.prepare(query).all();
  try {
    const seen = await Promise.all(
      channels.map(async (channel) =>
        (await stage.messages('U0ALICE', channel))
          .filter(({ ephemeral }) => !ephemeral)
          .map(({ ts, text }) => ({ channel, ts, text })),
      ),
    );
    return {
      requests: all('select id, state, version from requests order by id'),
      // Sealed or not.
      started: all(
        "select draft from (select event, draft from audit union all select event, draft from audit_staged) where event in ('started', 'proposed') order by draft",
      ),
      service: await callsBesideSuggestions(stage.service),
      messages: seen.flat(),
    };
  } finally {
    store.close();
  }
}
