import { expect, it } from 'vitest';

import { checkNow, settleByHand } from '../../src/request/outcome/settle-by-hand.ts';
import { runAgain } from '../../src/run/run-command.ts';
import { renderNotice } from '../../src/slack/cards/notice.ts';
import { cardRenderer } from '../../src/slack/cards/render-card.ts';
import { renderDetails } from '../../src/slack/cards/render-details.ts';
import { tellNotices } from '../due/notices.ts';
import { openStage, type ServiceStage } from '../operations/stage.ts';
import { alice, carol } from '../people.ts';
import { noSources } from '../sample-source.ts';
import { outline, outlineMessage } from '../slack/outline.ts';
import { loseNextAnswer, rolling, type Rolling } from './rolling.ts';

// The texts about a rollout that paused because an answer was lost: its card, the dialog of *Continue* and its thread.

const extensions = ['instance-read', 'tasks'] as const;
const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };

/** A rollout that is paused at web-2. @param lose makes the reboot of web-2 fail or get lost */
async function pausedAt(
  stage: ServiceStage,
  lose: (stage: ServiceStage) => Promise<unknown>,
): Promise<Rolling> {
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await tellNotices(stage.store, stage.clock.now());
  await lose(stage);
  await rollout.until(/paused/u);
  return rollout;
}

const partsOf = (stage: ServiceStage) => ({ ...stage.context, sources: noSources, disclaimers: [] });

/** The head, the line of web-2, the buttons and the dialog of *Continue*. */
async function shown(stage: ServiceStage, rollout: Rolling) {
  const message = cardRenderer(partsOf(stage))(await rollout.now());
  const lines = outlineMessage(message)
    .replaceAll(/<!date[^>]*>/gu, 'then')
    .split('\n');
  const dialog = JSON.stringify(message.blocks).match(
    /"confirm":\{"title":.*?"text":\{[^}]*?"text":"(?<text>[^"]*)"/u,
  );
  return {
    head: lines.find((line) => line.startsWith('section: *'))?.replace(/ Nothing more will run.*/u, ''),
    line: lines
      .join(' ⏎ ')
      .match(/\S+ \*web-2\*[^⏎]*/u)?.[0]
      .trim(),
    buttons: lines.flatMap((line) => line.match(/(?<=^button: )\[.*?\](?: (?:primary|danger))?/u) ?? []),
    dialog: dialog?.groups?.['text']?.match(/[^"]*$/u)?.[0],
  };
}

/** The notices that are due, as they are posted. */
async function posted(stage: ServiceStage, rollout: Rolling): Promise<readonly string[]> {
  const request = await rollout.now();
  const told = await tellNotices(stage.store, stage.clock.now());
  return told
    .filter(({ requestId }) => requestId === rollout.id)
    .map((notice) => renderNotice(notice, request, partsOf(stage)).text);
}

const tasksAway = (stage: ServiceStage) => stage.control('PUT', 'faults/listTasks', { status: 503 });

/** Presses *Check now*, and lets the rollout follow. */
async function check(stage: ServiceStage, rollout: Rolling): Promise<void> {
  await stage.control('DELETE', 'faults');
  const { lines = [], index = 0 } = (await rollout.now()).rollout ?? {};
  await checkNow(stage.context, caller, lines[index]?.request ?? '');
  await rollout.until((seen) => seen?.lines[index]?.evidence !== undefined, 20);
}

it('before a check, after a check that found no task, and after a person settled it', async () => {
  const stage = await openStage({ extensions });
  const rollout = await pausedAt(stage, async () => {
    await tasksAway(stage);
    await stage.control('PUT', 'faults/rebootInstance', { status: 500, times: 1 });
  });
  expect({ ...(await shown(stage, rollout)), posted: await posted(stage, rollout) }).toMatchInlineSnapshot(`
    {
      "buttons": [
        "[Check now] primary",
        "[Settle…]",
        "[Continue with web-3…]",
        "[Stop here]",
        "[Details]",
      ],
      "dialog": "web-2 may be down. If web-3 goes too, 2 of 3 are out. Press Check now first, and check web-2 itself.",
      "head": "section: *The outcome for web-2 is unknown. The service answered 500 Internal Server Error.* ⏎ Press *Check now* first. If the outcome stays unknown, check web-2 itself and press *Settle…*. Then press *Continue with web-3…* or *Stop here*.",
      "line": "❓ *web-2* unknown, checked then · web-2 is ACTIVE, as it was before, so this does not show whether it ran. Its uptime does",
      "posted": [
        "<@U0ALICE> ⏸️ *Reboot 3 × tier=web* (staging) paused. The outcome for web-2 is unknown. The service answered 500 Internal Server Error. Press *Check now* first. If the outcome stays unknown, check web-2 itself and press *Settle…*. Then press *Continue with web-3…* or *Stop here*.",
      ],
    }
  `);
  await check(stage, rollout);
  const checked = await shown(stage, rollout);
  expect({ ...checked, posted: await posted(stage, rollout) }).toMatchInlineSnapshot(`
    {
      "buttons": [
        "[Settle…] primary",
        "[Check now]",
        "[Continue with web-3…]",
        "[Stop here]",
        "[Details]",
      ],
      "dialog": "The change on web-2 most likely did not run. Press Settle… first.",
      "head": "section: *The change on web-2 most likely did not run.* ⏎ Press *Settle…*, then *Continue with web-3…* or *Stop here*.",
      "line": "❓ *web-2* unknown, checked then · The service has no reboot task from the time of this change, so the change most likely did not run.",
      "posted": [],
    }
  `);
  await tasksAway(stage);
  await stage.clock.advance(60_000);
  const again = await checkNow(stage.context, caller, (await rollout.now()).rollout?.lines[1]?.request ?? '');
  // The line stays the same, so the person gets a private answer.
  expect(again.isNew).toBe(false);
  await expect(rollout.until(/never/u, 6)).rejects.toThrow('paused');
  expect(await shown(stage, rollout)).toEqual(checked);
  await stage.control('DELETE', 'faults');
  const details = renderDetails(await rollout.now(), {
    verb: 'reboot',
    disclaimers: [],
    singles: await rollout.singles(),
  });
  expect(outline(details.blocks)).toContain('❓ web-2: unknown, most likely did not run');
  const { lines = [] } = (await rollout.now()).rollout ?? {};
  const verdict = { state: 'failed', reason: 'its uptime says so' } as const;
  await settleByHand(stage.context, { ...caller, actor: carol }, lines[1]?.request ?? '', verdict);
  await rollout.until(/web-2 failed/u, 20);
  expect({ ...(await shown(stage, rollout)), posted: await posted(stage, rollout) }).toMatchInlineSnapshot(`
    {
      "buttons": [
        "[Continue with web-3…] danger",
        "[Stop here]",
        "[Details]",
      ],
      "dialog": "The change on web-2 did not run (settled by U0CAROL).",
      "head": "section: *The change on web-2 did not run (settled by U0CAROL).* ⏎ Press *Continue with web-3…* or *Stop here*.",
      "line": "❌ *web-2*: the change did not run then",
      "posted": [
        "<@U0ALICE> ⏸️ *Reboot 3 × tier=web* (staging) paused. The change on web-2 did not run (settled by U0CAROL). Press *Continue with web-3…* or *Stop here*.",
      ],
    }
  `);
});

it('once Bellhop settled it by its task, and the thread hears of it once', async () => {
  const stage = await openStage({ extensions });
  const rollout = await pausedAt(stage, async () => {
    await tasksAway(stage);
    await loseNextAnswer(stage);
  });
  expect(await posted(stage, rollout)).toEqual([
    expect.stringContaining('Press *Check now* first. If the outcome'),
  ]);
  await stage.control('DELETE', 'faults');
  await rollout.until(/web-2 succeeded/u);
  expect({ ...(await shown(stage, rollout)), posted: await posted(stage, rollout) }).toMatchInlineSnapshot(`
    {
      "buttons": [
        "[Continue with web-3…] danger",
        "[Stop here]",
        "[Details]",
      ],
      "dialog": "The change on web-2 succeeded after all, as the service's task shows.",
      "head": "section: *The change on web-2 succeeded after all, as the service's task shows.* ⏎ Press *Continue with web-3…* when you are ready, or *Stop here*.",
      "line": "✅ *web-2* succeeded then",
      "posted": [
        "<@U0ALICE> ⏸️ *Reboot 3 × tier=web* (staging) paused. The change on web-2 succeeded after all, as the service's task shows. Press *Continue with web-3…* when you are ready, or *Stop here*.",
      ],
    }
  `);
  await stage.clock.advance(60_000);
  await expect(rollout.until(/web-3 \w/u, 30)).rejects.toThrow('paused');
  expect(await posted(stage, rollout)).toEqual([]);
});

it('once Bellhop itself found no task, and the thread hears of it once', async () => {
  const stage = await openStage({ extensions });
  const rollout = await pausedAt(stage, async () => {
    await tasksAway(stage);
    await stage.control('PUT', 'faults/rebootInstance', { status: 500, times: 1 });
  });
  expect(await posted(stage, rollout)).toEqual([
    expect.stringContaining('Press *Check now* first. If the outcome'),
  ]);
  await stage.control('DELETE', 'faults');
  await rollout.until((seen) => seen?.lines[1]?.evidence !== undefined, 400);
  expect(await posted(stage, rollout)).toEqual([
    '<@U0ALICE> ⏸️ *Reboot 3 × tier=web* (staging) paused. The change on web-2 most likely did not run. ' +
      'Press *Settle…*, then *Continue with web-3…* or *Stop here*.',
  ]);
  await expect(rollout.until(/web-3 \w/u, 60)).rejects.toThrow('paused');
  expect(await posted(stage, rollout)).toEqual([]);
});

it('once it is stopped, a target that was not changed is offered on its own', async () => {
  const stage = await openStage({ extensions });
  const rollout = await pausedAt(stage, () =>
    stage.control('PUT', 'faults/rebootInstance', { status: 409, times: 1 }),
  );
  await rollout.press('stop');
  await rollout.until(/stopped/u);
  const id = (await rollout.now()).rollout?.lines[1]?.request ?? '';
  const buttons = cardRenderer(partsOf(stage))(await rollout.now()).blocks;
  expect(outlineMessage({ text: '', blocks: buttons })).toContain(`button: [Reboot web-2…] again:2=${id}\n`);
  const again = await runAgain(stage.context, caller, id);
  expect(again).toMatchObject({
    kind: 'request',
    request: { state: 'proposed', words: '/cloud reboot web-2' },
  });
  expect(outlineMessage({ text: '', blocks: buttons })).toContain(
    `button: [Reboot web-3…] again=${rollout.id}/2\n`,
  );
  const never = await runAgain(stage.context, caller, `${rollout.id}/2`);
  if (never.kind !== 'request') throw new Error(never.kind);
  expect(never.request).toMatchObject({
    state: 'proposed',
    words: '/cloud reboot web-3',
    input: { instance: 'web-3' },
  });
  expect(never.request).not.toHaveProperty('rollout');
  await expect(runAgain(stage.context, caller, `${rollout.id}/9`)).rejects.toThrow('Type the command again.');
});

it('is corrected in its first notice if that is not posted yet', async () => {
  const stage = await openStage({ extensions });
  const rollout = await pausedAt(stage, loseNextAnswer);
  await rollout.until(/web-2 succeeded/u);
  const told = await posted(stage, rollout);
  expect(told).toEqual([
    expect.stringContaining("paused. The change on web-2 succeeded after all, as the service's task shows."),
  ]);
});

it('that its requester settled needs no notice to the requester', async () => {
  const stage = await openStage();
  const rollout = await pausedAt(stage, loseNextAnswer);
  expect(await posted(stage, rollout)).toHaveLength(1);
  const { lines = [] } = (await rollout.now()).rollout ?? {};
  await settleByHand(stage.context, caller, lines[1]?.request ?? '', {
    state: 'succeeded',
    reason: 'uptime',
  });
  await rollout.until(/web-2 succeeded/u, 20);
  expect((await shown(stage, rollout)).head).toContain('The change on web-2 ran (settled by U0ALICE).');
  expect(await posted(stage, rollout)).toEqual([]);
});
