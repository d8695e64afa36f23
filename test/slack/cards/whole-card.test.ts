import { expect, test } from 'vitest';

import type { Request, RolloutLine, State } from '../../../src/model/records/request.ts';
import { messageProblems } from '../within-limits.ts';
import { renderCard } from '../../../src/slack/cards/render-card.ts';
import { renderDetails } from '../../../src/slack/cards/render-details.ts';
import { alice } from '../../people.ts';
import { confirmed } from '../../sample-request.ts';
import { outline } from '../outline.ts';
import { card, options } from './sample-card.ts';
import { rolloutStory } from './sample-whole.ts';

const { paused, done, stopped, ...others } = rolloutStory(3);

test('the card of a paused rollout', () => {
  expect(paused && card(paused)).toMatchInlineSnapshot(`
    "text: Reboot 3 × tier=web: paused · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: ⏸️ Reboot 3 × tier=web: paused
    section: *The outcome for web-2 is unknown. The service did not answer within 30 s. The change may or may not have run.* ⏎ Check web-2 and press *Settle…* first, then *Continue with web-3…* or *Stop here*. Nothing more will run until <@U0ALICE> continues. If that doesn't happen by <!date^1763703720^{time}|05:42 UTC>, the rollout stops. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ❓ *web-2* unknown <!date^1763700120^{time}|04:42 UTC> ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Settle…] settle=r-single2
    button: [Continue with web-3…] continue=r-7k3m9qpd/2
    button: [Stop here] stop=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd"
  `);
});

test.each([undefined, ['The service said: <!channel> *now*']])(
  'a reason cannot notify a channel: %s',
  (said) => {
    const { rollout } = paused ?? {};
    if (!paused || !rollout?.paused) throw new Error('no paused rollout');
    const reason = { ...rollout.paused, why: 'The service said: <!channel> *now*', said };
    const shown = card({ ...paused, rollout: { ...rollout, paused: reason } });
    expect(shown).toContain('The service said: ');
    expect(shown).not.toContain('<!channel>');
  },
);

test('the card of an ended rollout', () => {
  expect([done, stopped].map((one) => one && card(one)).join('\n\n')).toMatchInlineSnapshot(`
    "text: Reboot 3 × tier=web: done · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    section: ✅ *Reboot 3 × tier=web: done* in 4 min 30 s · All 3 rebooted.
    button: [Details] details=r-7k3m9qpd
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ✅ *web-2* succeeded <!date^1763700120^{time}|04:42 UTC> ⏎ ✅ *web-3* succeeded <!date^1763700180^{time}|04:43 UTC>
    small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700330^{date_short} {time}|2025-11-21 04:45 UTC> · ⚠️ Local service: nothing real is touched

    text: Reboot 3 × tier=web: stopped · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    section: 🛑 *Reboot 3 × tier=web: stopped* after 60 s, not counting pauses · Nothing more was sent. The outcome for web-2 is unknown. The service did not answer within 30 s. The change may or may not have run.
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ❓ *web-2* unknown <!date^1763700120^{time}|04:42 UTC> ⏎ ▫️ *web-3* not started
    small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700330^{date_short} {time}|2025-11-21 04:45 UTC> · ⚠️ Local service: nothing real is touched
    button: [Settle…] settle=r-single2
    button: [Reboot web-3…] again=r-7k3m9qpd/2
    button: [Details] details=r-7k3m9qpd"
  `);
});

test('the cards of rollouts in other states', () => {
  const shown = Object.entries(others).map(([word, request]) => `${word}\n${card(request)}`);
  expect(shown.join('\n\n')).toMatchInlineSnapshot(`
    "proposed
    text: Reboot 3 × tier=web: proposed · for <@U0ALICE>, confirm by <!date^1763700900^{time}|04:55 UTC> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: 👉 Reboot 3 × tier=web?
    section: *web-1 will be down while it reboots. Then the other 2, one at a time.* Requested by <@U0ALICE>. Confirm by <!date^1763700900^{time}|04:55 UTC>. ⏎ Why: “stuck since the deploy”
    section: ▫️ *web-1* waiting ⏎ ▫️ *web-2* waiting ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Reboot 3 × tier=web] danger confirm=r-7k3m9qpd
    button: [Cancel] cancel=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    awaiting approval
    text: Reboot 3 × tier=web: awaiting approval · for <@U0ALICE>, approve by <!date^1763700900^{time}|04:55 UTC> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: ⏳ Reboot 3 × tier=web: awaiting approval
    section: *web-1 will be down while it reboots. Then the other 2, one at a time.* Requested by <@U0ALICE>. Approve by <!date^1763700900^{time}|04:55 UTC>. ⏎ Approvers: <@U0CAROL> (leads). Needs one approval; runs as soon as it's approved. ⏎ Why: “stuck since the deploy”
    section: ▫️ *web-1* waiting ⏎ ▫️ *web-2* waiting ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · production
    button: [Approve] primary approve=r-7k3m9qpd
    button: [Deny] deny=r-7k3m9qpd
    button: [Cancel] cancel=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    approved to continue
    text: Reboot 3 × tier=web: awaiting approval · for <@U0ALICE>, approve by <!date^1763700900^{time}|04:55 UTC> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: ⏳ Reboot 3 × tier=web: awaiting approval
    section: Waiting to continue with web-3. The outcome for web-2 is unknown. The service did not answer within 30 s. The change may or may not have run. ⏎ *web-3 will be down while it reboots.* Requested by <@U0ALICE>. Approve by <!date^1763700900^{time}|04:55 UTC>. ⏎ Approvers: <@U0CAROL> (leads). Needs one approval; runs as soon as it's approved. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ❓ *web-2* unknown <!date^1763700120^{time}|04:42 UTC> ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · production
    button: [Approve] primary approve=r-7k3m9qpd
    button: [Deny] deny=r-7k3m9qpd
    button: [Cancel] cancel=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    confirmed to continue
    text: Reboot 3 × tier=web: proposed · for <@U0ALICE>, confirm by <!date^1763700900^{time}|04:55 UTC> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: 👉 Reboot 3 × tier=web?
    section: Waiting to continue with web-3. The outcome for web-2 is unknown. The service did not answer within 30 s. The change may or may not have run. ⏎ *web-3 will be down while it reboots.* Requested by <@U0ALICE>. Confirm by <!date^1763700900^{time}|04:55 UTC>. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ❓ *web-2* unknown <!date^1763700120^{time}|04:42 UTC> ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Reboot web-3] danger confirm=r-7k3m9qpd
    button: [Cancel] cancel=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    running
    text: Reboot 3 × tier=web: running · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: 🔄 Reboot 3 × tier=web: running
    section: Requested by <@U0ALICE>. Running since <!date^1763700060^{time}|04:41 UTC>, one at a time. The next one starts once this one has been healthy for 2m. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ 🔄 *web-2* running since <!date^1763700120^{time}|04:42 UTC> ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Stop after web-2] stop=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    on its way
    text: Reboot 3 × tier=web: running · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: 🔄 Reboot 3 × tier=web: running
    section: Requested by <@U0ALICE>. Running since <!date^1763700060^{time}|04:41 UTC>, one at a time. The next one starts once this one has been healthy for 2m. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ 🔄 *web-2* succeeded, waiting for it to come back by <!date^1763700720^{time}|04:52 UTC> (REBOOT, active, rebooting) ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Stop after web-2] stop=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    in the pause
    text: Reboot 3 × tier=web: running · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: 🔄 Reboot 3 × tier=web: running
    section: Requested by <@U0ALICE>. Running since <!date^1763700060^{time}|04:41 UTC>, one at a time. The next one starts once this one has been healthy for 2m. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ✅ *web-2* succeeded, back since <!date^1763700150^{time}|04:42 UTC> ⏎ ▫️ *web-3* starts at <!date^1763700270^{time}|04:44 UTC>
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Stop after web-2] stop=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    stopping
    text: Reboot 3 × tier=web: running · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: 🔄 Reboot 3 × tier=web: running
    section: Requested by <@U0ALICE>. Running since <!date^1763700060^{time}|04:41 UTC>, one at a time. *Stops after web-2*, as <@U0ALICE> asked. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ 🔄 *web-2* running since <!date^1763700120^{time}|04:42 UTC> ⏎ ▫️ *web-3* waiting
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Details] details=r-7k3m9qpd

    paused at the end
    text: Reboot 3 × tier=web: paused · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    header: ⏸️ Reboot 3 × tier=web: paused
    section: *The outcome for web-3 is unknown.* ⏎ It was the last target. Check web-3 and press *Settle…* first, then *Stop here*. The rollout stops at <!date^1763703720^{time}|05:42 UTC>, unless it turns out that the last change ran. ⏎ Why: “stuck since the deploy”
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ✅ *web-2* succeeded <!date^1763700120^{time}|04:42 UTC> ⏎ ❓ *web-3* unknown <!date^1763700180^{time}|04:43 UTC>
    small: tier=web · 2m between targets
    small: ⚠️ Local service: nothing real is touched
    small: request r-7k3m9qpd · rule 3
    button: [Settle…] settle=r-single3
    button: [Stop here] stop=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd

    done past an unknown
    text: Reboot 3 × tier=web: done · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    section: ⚠️ *Reboot 3 × tier=web: done* in 4 min 30 s · 2 of 3 rebooted. The outcome for web-2 is unknown.
    section: ✅ *web-1* succeeded <!date^1763700060^{time}|04:41 UTC> ⏎ ❓ *web-2* unknown <!date^1763700120^{time}|04:42 UTC> ⏎ ✅ *web-3* succeeded <!date^1763700180^{time}|04:43 UTC>
    small: <@U0ALICE>: “stuck since the deploy” · <!date^1763700330^{date_short} {time}|2025-11-21 04:45 UTC> · ⚠️ Local service: nothing real is touched
    button: [Settle…] settle=r-single2
    button: [Details] details=r-7k3m9qpd"
  `);
});

test('a last target that is known to have failed leaves nothing to wait for', () => {
  const last = others['paused at the end'];
  const lines = last?.rollout?.lines.map((line, index) =>
    index === 2 ? { ...line, state: 'failed' as const } : line,
  );
  const failed = last?.rollout && lines && { ...last, rollout: { ...last.rollout, lines } };
  expect(failed && card(failed)).toMatch(/ The rollout stops at <[^>]*>\. /u);
});

test('the card of a rollout that never began has no line for a target, because nothing reached any', () => {
  const endedAt = 1_763_700_330_000;
  const cancelled: Request | undefined = others['proposed'] && {
    ...others['proposed'],
    state: 'cancelled',
    decidedBy: alice,
    decidedAt: endedAt,
    endedAt,
  };
  expect(cancelled && card(cancelled)).toMatchInlineSnapshot(`
    "text: Reboot 3 × tier=web: cancelled · for <@U0ALICE> · stuck since the deploy · request r-7k3m9qpd · Local service: nothing real is touched
    section: 🚫 *Reboot 3 × tier=web: cancelled* · Nothing was sent.
    small: <@U0ALICE>: “stuck since the deploy” · cancelled by <@U0ALICE> · <!date^1763700330^{date_short} {time}|2025-11-21 04:45 UTC> · ⚠️ Local service: nothing real is touched
    button: [Request again] again=r-7k3m9qpd
    button: [Details] details=r-7k3m9qpd"
  `);
});

test('Details of an ended rollout has what is omitted from its card: the selection, the ids, the rule and the proof', () => {
  const seal = { number: 1042, checkpoint: 88 };
  const singles = ['r-single1', 'r-single2'].map((id) => confirmed({ id, state: 'succeeded' }));
  const details = done && renderDetails(done, { verb: 'reboot', disclaimers: [], seal, singles });
  expect(outline(details?.blocks ?? [])).toMatchInlineSnapshot(`
    "section: ✅ *Reboot 3 × tier=web*: done
    section: Why: “stuck since the deploy”
    small: tier=web · 2m between targets
    field: *Targets* ⏎ web-1, web-2 and web-3
    section: ✅ web-1: succeeded <!date^1763700063^{time}|04:41 UTC> · request r-single1 ⏎ ✅ web-1: succeeded <!date^1763700063^{time}|04:41 UTC> · request r-single2
    small: requested by <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · started <!date^1763700060^{time}|04:41 UTC> · ended <!date^1763700330^{time}|04:45 UTC> after 4 min 30 s
    small: request r-7k3m9qpd · rule 3 · audit entry 1042, checkpoint 88 · prove it: \`npm run audit -- prove 1042\`"
  `);
});

test.each(Object.entries(rolloutStory(20)))(
  '20 targets, %s, are within the limits of Slack, each with its line',
  (_, request) => {
    expect(messageProblems(renderCard(request, options))).toEqual([]);
    const shown = card(request);
    for (let number = 1; number <= 20; number += 1) expect(shown).toContain(`*web-${number}* `);
  },
);

const againOf = (states: readonly (State | undefined)[], changes: readonly Partial<RolloutLine>[] = []) => {
  const story = rolloutStory(states.length)['stopped'];
  if (!story?.rollout) throw new Error('no rollout');
  const lines = states.map((state, index) => ({
    preview: [],
    ...(state && { state, request: `r-single${index + 1}` }),
    ...changes[index],
  }));
  return card({ ...story, rollout: { ...story.rollout, lines } }).match(/(?<=button: ).* again.*/gu);
};

test('the card of an ended rollout offers up to three targets that were not changed, each on its own', () => {
  expect(againOf(['failed', 'refused', 'unknown', 'cancelled', 'expired', 'succeeded'])).toEqual([
    '[Reboot web-2…] again=r-single2',
    '[Reboot web-4…] again:2=r-single4',
    '[Reboot web-5…] again:3=r-single5',
  ]);
});

test('the card of a stopped rollout first offers the targets whose change never ran, then those whose change failed', () => {
  expect(againOf(['failed', 'succeeded', undefined])).toEqual([
    '[Reboot web-3…] again=r-7k3m9qpd/2',
    '[Reboot web-1…] again:2=r-single1',
  ]);
  expect(againOf(['failed', 'failed', undefined], [{}, { didNotRun: true }])).toEqual([
    '[Reboot web-2…] again=r-single2',
    '[Reboot web-3…] again:2=r-7k3m9qpd/2',
    '[Reboot web-1…] again:3=r-single1',
  ]);
  expect(againOf(['succeeded', undefined, undefined, undefined, undefined])).toEqual([
    '[Reboot web-2…] again=r-7k3m9qpd/1',
    '[Reboot web-3…] again:2=r-7k3m9qpd/2',
    '[Reboot web-4…] again:3=r-7k3m9qpd/3',
  ]);
});

test('the card of a rollout that waits for another request offers Continue only once that request has ended', () => {
  if (!paused?.rollout?.paused) throw new Error('no rollout');
  const waits = { ...paused.rollout.paused, why: 'web-3 has an open request.', inTheWay: 'r-other' };
  const shown = card({ ...paused, rollout: { ...paused.rollout, paused: waits } });
  expect(shown).toContain(
    '*web-3 has an open request.* ⏎ *Continue with web-3…* appears here once that request has ended. *Stop here* ends the rollout now.',
  );
  expect(shown).not.toContain('[Continue');
  expect(shown).toContain('[Stop here]');
});

test('the line of an unknown target has all the evidence, with short ids', () => {
  if (!paused?.rollout) throw new Error('no rollout');
  const task = '77a8c1de-1111-4111-8111-111111111111';
  const note = `Task ${task} was created when this was sent, but request r-6sc7c8bb75 for web-2 may have started it, or someone else did.`;
  const lines = paused.rollout.lines.map((line, at) => (at === 1 ? { ...line, note } : line));
  const shown = card({ ...paused, rollout: { ...paused.rollout, lines } });
  expect(shown).toContain(`· ${note.replace(task, '77a8c1de…')}`);
});

test('the card of a rollout that can only be stopped says why', () => {
  const { running } = rolloutStory(2);
  if (!running?.rollout) throw new Error('no rollout');
  const why = "The service's task for web-2 (t-1) had not ended when Bellhop last checked it.";
  const lines = running.rollout.lines.map((line) => ({ ...line, state: 'succeeded' as const }));
  const at = running.createdAt;
  const shown = card({ ...running, rollout: { ...running.rollout, lines, paused: { at, why, next: 2 } } });
  expect(shown).toMatch(
    /\*The service's task for web-2 \(t-1\) had not ended when Bellhop last checked it\.\* ⏎ It was the last target\. Press \*Stop here\*\. The rollout stops at <!date[^>]*>\. ⏎/u,
  );
  expect(shown).not.toContain('Continue');
});
