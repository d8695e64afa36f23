import { expect, it } from 'vitest';

import { openItems } from '../../src/run/items.ts';
import { openStage } from '../operations/stage.ts';
import { reportText } from '../operations/report-text.ts';
import { alice } from '../people.ts';
import { loseNextAnswer, rolling } from './rolling.ts';

it('a rollout is one open request; its audit lists its single requests, and the timeline each step', async () => {
  const stage = await openStage();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  const { items } = await openItems(stage.context, alice);
  expect(items.map(({ title, state }) => `${title}: ${state}`)).toMatchInlineSnapshot(`
    [
      "Reboot 3 × tier=web: paused",
      "Reboot web-2: unknown",
    ]
  `);
  const { requests } = await stage.store.tally(stage.clock.now());
  expect(requests).toMatchObject({ running: 0, rolling: 0, paused: 1, unknown: 1 });
  await rollout.press('continue');
  await rollout.until(/done/u);
  const audit = await stage.report(`/bellhop audit --request ${rollout.id}`);
  expect(reportText(audit).replaceAll(/\d\d:\d\d/gu, '…')).toMatchInlineSnapshot(`
    "# Audit, 2026-11-20 … to 2026-11-21 … (UTC)
    11 entries
    Oldest first, the steps of a request together:
      | Time | Who | What | Where
      | 2026-11-21 … | U0ALICE | requested /cloud reboot web-1, web-2 and web-3 | C0OPS
      | 2026-11-21 … | U0ALICE | confirmed /cloud reboot web-1, web-2 and web-3 | C0OPS
      | 2026-11-21 … |  | /cloud reboot web-1 began as part of the rollout | C0OPS
      | 2026-11-21 … |  | /cloud reboot web-1 succeeded | C0OPS
      | 2026-11-21 … |  | /cloud reboot web-2 began as part of the rollout | C0OPS
      … 11 rows
    (Add --reads to include reads. The CSV has ids and rules.)
    [audit.csv: 11 rows of #,Time (UTC),Who,What,Operation,Target,Rule,Outcome,Request,Why]"
  `);
  const { document } = await stage.report('/bellhop timeline');
  expect(document?.text.replaceAll(/\d\d:\d\d/gu, '…')).toMatchInlineSnapshot(`
    "# Timeline, 2026-11-20 … to 2026-11-21 … (UTC)

    ## 2026-11-21

    - … @U0ALICE requested /cloud reboot web-1, web-2 and web-3 [r-1]
      - … @U0ALICE confirmed it
      - … /cloud reboot web-1 began as part of the rollout
      - … /cloud reboot web-1 succeeded
      - … /cloud reboot web-2 began as part of the rollout
      - … /cloud reboot web-2 has an unknown outcome
      - … Bellhop paused it: The outcome for web-2 is unknown. The service answered 500 Internal Server Error.
      - … @U0ALICE continued it: web-3 is next. The outcome for web-2 is unknown. The service answered 500 Internal Server Error.
      - … /cloud reboot web-3 began as part of the rollout
      - … /cloud reboot web-3 succeeded
      - … It is done

    [r-1]: https://chat.example/r-1
    "
  `);
});
