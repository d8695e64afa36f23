import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { dueKind, type Outcome } from '../../../src/model/records/due.ts';
import type { Notice } from '../../../src/model/records/requests.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { operations } from '../../../src/operations/index.ts';
import { cardRenderer } from '../../../src/slack/cards/render-card.ts';
import { createNoticeHandler, renderNotice } from '../../../src/slack/cards/notice.ts';
import type { MessageRef } from '../../../src/model/values/actor.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { carol } from '../../people.ts';
import { aRequest, confirmed } from '../../sample-request.ts';
import { rolloutStory } from './sample-whole.ts';
import { rotaOf } from '../../sample-source.ts';
import type { Source } from '../../../src/model/rulebook/rulebook.ts';

const at = 1_763_700_000_000;
const requestId = aRequest().id;
const decision = { ...aRequest().decision, effect: 'approve' as const, approvers: ['leads'] };
const waits = aRequest({ state: 'awaiting approval', decision });

const rules = readSampleRulebook(operations);
if (!rules.ok) throw new Error(findingLines(rules.findings).join('\n'));
const { rulebook } = rules;
const roles = { leads: { users: ['U0ALICE', 'U0CAROL', 'T9/U9DAN'], usergroups: ['S0LEADS'] } };
const options = {
  registry: createRegistry(operations, []),
  rulebook: () => ({ ...rulebook, policy: { ...rulebook.policy, roles } }),
  sources: { membersOf: ({ name }: Source) => rotaOf(name, ['U0DORA']) },
  disclaimers: [],
};

const text = (about: Partial<Notice>, request: Request) =>
  renderNotice({ requestId, kind: 'waiting', at, ...about }, request, options).text;

describe('a notice to people who wait', () => {
  it('mentions the approvers and their groups, not the requester, or names the role if no one is listed', () => {
    expect(text({}, waits)).toMatch(
      /^<@U0CAROL> <@U9DAN> <!subteam\^S0LEADS> ⏳ Approve \*Reboot web-1\* \(staging\) for <@U0ALICE> by /u,
    );
    expect(text({}, { ...waits, decision: { ...decision, approvers: ['<!here>'] } })).toMatch(
      /^&lt;!here&gt; ⏳ Approve \*Reboot web-1\*/u,
    );
  });

  it('mentions no one who has approved already', () => {
    const half = { ...waits, approvals: [{ by: carol, at }] };
    expect(text({ kind: 'reminder' }, half)).toMatch(
      /^<@U9DAN> <!subteam\^S0LEADS> ⏳ .*\(reminder\): stuck since/u,
    );
  });

  it('mentions only those who may approve from now on', () => {
    expect(text({ kind: 'further', roles: ['managers'] }, waits)).toMatch(
      /^managers ⏳ Approve .* by .* \(still not approved, so you can approve it too\): stuck since/u,
    );
  });

  it('says in a direct message that no one else sees it', () => {
    const place = { ...waits.place, channel: 'D0ALICE' };
    expect(text({}, { ...waits, place })).toMatch(
      /only you can see this direct message\. Tell the approvers/u,
    );
    expect(text({}, waits)).not.toMatch(/direct message/u);
    expect(text({ kind: 'approved', by: carol }, { ...waits, place })).not.toMatch(/direct message/u);
  });

  it('mentions at most ten', () => {
    const users = Array.from({ length: 30 }, (_, index) => `U0PERSON${index}`);
    const policy = { ...rulebook.policy, roles: { leads: { users, usergroups: [] } } };
    const many = { ...options, rulebook: () => ({ ...rulebook, policy }) };
    const said = renderNotice({ requestId, kind: 'reminder', at }, waits, many).text;
    expect(said.split(' ⏳ ')[0]?.match(/<@/gu)).toHaveLength(10);
  });

  it('escapes what came from outside', () => {
    const denied = aRequest({ state: 'refused', decision });
    expect(text({ kind: 'denied', by: carol, why: 'no <!channel>' }, denied)).toBe(
      '<@U0ALICE> ⛔ *Reboot web-1* (staging) denied by <@U0CAROL>. Nothing was sent. no &lt;!channel&gt;',
    );
  });

  it('says how long it took until it was done', () => {
    const report = {
      title: 'web-1 has rebooted',
      tone: 'good' as const,
      facts: [],
      items: [],
      charts: [],
      tables: [],
      notes: [],
    };
    const done = confirmed({ state: 'succeeded', outcome: { report } });
    expect(text({ kind: 'done' }, done)).toBe(
      '<@U0ALICE> ✅ *Reboot web-1* (staging) done in 3 s: web-1 has rebooted.',
    );
  });
});

describe('on a lock screen', () => {
  const paused = rolloutStory(3)['paused'];
  const rollout = { ...(paused ?? waits), decision };

  it('says that a part did not run, if a person settled that, and not that it failed', () => {
    const { done } = rolloutStory(3);
    if (!done?.rollout) throw new Error('no rollout');
    const lines = done.rollout.lines.with(1, { preview: [], state: 'failed', didNotRun: true });
    expect(text({ kind: 'done' }, { ...done, rollout: { ...done.rollout, lines } })).toMatch(
      /⚠️ .* 2 of 3 rebooted.* The change did not run on web-2\.$/u,
    );
  });

  it('says what to do about a part whose outcome is still unknown once the rollout is done', () => {
    const { 'done past an unknown': done } = rolloutStory(3);
    if (!done?.rollout) throw new Error('no rollout');
    expect(text({ kind: 'done' }, done)).toMatch(
      /2 of 3 rebooted.* The outcome for web-2 is unknown\. Press \*Check now\*, then \*Settle…\*\.$/u,
    );
    const lines = done.rollout.lines.map((line) => ({ ...line, evidence: 'failed' as const }));
    expect(text({ kind: 'done' }, { ...done, rollout: { ...done.rollout, lines } })).toMatch(
      / The change most likely did not run on web-2\. Press \*Settle…\* to record that it did not run\.$/u,
    );
  });

  it('has no environment if the target has none', () => {
    const bare = { ...waits, target: { ...waits.target, labels: {} } };
    expect(text({}, bare)).toMatch(
      / ⏳ Approve \*Reboot web-1\* for <@U0ALICE> by .*: stuck since the deploy$/u,
    );
  });

  it('a paused rollout says which target, and what to press in which order, as its card does now', () => {
    const why = 'web-2 succeeded after all.';
    expect(text({ kind: 'paused', why }, rollout)).toBe(
      '<@U0ALICE> ⏸️ *Reboot 3 × tier=web* (staging) paused. ' +
        'The outcome for web-2 is unknown. The service did not answer within 30 s. The change may or may not have run. ' +
        'Press *Check now* first. If the outcome stays unknown, check web-2 itself and press *Settle…*. ' +
        'Then press *Continue with web-3…* or *Stop here*.',
    );
  });

  it('an unknown outcome has what a check found, and what to press then', () => {
    const search = { sent: { from: 0, to: 1 }, seen: 'No task.', suggests: 'failed' as const };
    expect(
      text({ kind: 'unknown', why: 'No answer.' }, confirmed({ state: 'unknown', outcome: { search } })),
    ).toBe(
      '<@U0ALICE> ❓ *Reboot web-1* (staging): outcome unknown, most likely did not run. No task. ' +
        "Bellhop won't retry it. Press *Settle…* to record that it did not run, or *Run it again*.",
    );
  });

  it.each([
    ['denied', 'It did not go through. Locked.'],
    ['rejected', 'It did not run: the service refused it. Locked.'],
    ['not-sent', 'It did not run: nothing reached the service. Locked.'],
    ['task-failed', 'The service started it, but it failed. Locked.'],
  ])('a failure says whether anything ran: %s', (code, said) => {
    const failed = confirmed({ state: 'failed', outcome: { error: { code, message: 'Locked.' } } });
    expect(text({ kind: 'failed', why: 'Locked.' }, failed)).toBe(
      `<@U0ALICE> ❌ *Reboot web-1* (staging) failed. ${said}`,
    );
    expect(JSON.stringify(cardRenderer(options)(failed).blocks)).toContain(said);
  });

  it('names only buttons that the card has', () => {
    const unknown = confirmed({ state: 'unknown', outcome: {} });
    const without = { ...options, rulebook: () => ({ ...options.rulebook(), extensions: [] }) };
    for (const [parts, checkable] of [
      [options, true],
      [without, false],
    ] as const) {
      const said = renderNotice({ requestId, kind: 'unknown', at, why: 'No answer.' }, unknown, parts).text;
      const buttons = JSON.stringify(cardRenderer(parts)(unknown).blocks);
      expect(said.includes('*Check now*')).toBe(checkable);
      expect(buttons.includes('Check now')).toBe(checkable);
      expect(said).toContain("outcome unknown. No answer. Bellhop won't retry it.");
    }
  });
});

describe('the fallback text of a card', () => {
  it('about presses says whom to call, and not to ask in Slack', () => {
    const why = 'Approve was pressed 50 times.';
    expect(text({ kind: 'pressed', by: carol, why }, waits)).toBe(
      "<@U0ALICE> ⚠️ *Reboot web-1* (staging): Approve was pressed 50 times. If <@U0CAROL> didn't do that, someone else is using <@U0CAROL>'s Slack session. *Call <@U0CAROL>, don't ask in Slack*, and tell your security team. Nothing runs without a sign-in.",
    );
  });

  it('of an approval says whether its person signed in', () => {
    const running = { ...waits, state: 'running' as const, approvals: [{ by: carol, at }] };
    const signedIn = { ...running, approvals: [{ by: carol, at, person: 'hash' }] };
    expect(text({ kind: 'approved', by: carol }, signedIn)).toContain(
      'approved by <@U0CAROL>, who signed in, running it now.',
    );
    expect(text({ kind: 'approved', by: carol }, running)).toContain(
      'approved by <@U0CAROL>, running it now.',
    );
  });

  it('says which approval a break-glass request skips, and what to do', () => {
    const skips = aRequest({ breakGlass: 'site down', decision: { ...decision, effect: 'confirm' } });
    expect(cardRenderer(options)(skips).text).toMatch(
      /^Reboot web-1 without approval by leads: proposed · for <@U0ALICE>, confirm by <!date/u,
    );
  });

  it('says who asks until when and why, and never another state', () => {
    const state = (reason: string) => cardRenderer(options)({ ...waits, reason }).text;
    expect(state('disk errors')).toMatch(
      /^Reboot web-1: awaiting approval · for <@U0ALICE>, approve by <!date[^>]*> · disk errors · request r-/u,
    );
    expect(state('the backup failed')).not.toContain('failed');
    expect(cardRenderer(options)(confirmed({ state: 'succeeded' })).text).toMatch(
      /^Reboot web-1: succeeded · for <@U0ALICE> · stuck since the deploy · request r-/u,
    );
  });
});

/** Notices about one request, on a Slack that a test can make fail. */
function stage(request: Request, card: MessageRef | undefined) {
  const clock = createDrivenClock(at);
  const posts: string[] = [];
  const world = { failure: undefined as SlackError | undefined };
  const handler = createNoticeHandler({
    api: {
      postMessage(channel, message, thread) {
        if (world.failure) return Promise.reject(world.failure);
        posts.push(`${channel} ${thread}: ${message.text}`);
        return Promise.resolve({ channel, ts: '9.9' });
      },
    },
    store: {
      find: () => Promise.resolve({ ...request, card }),
    },
    cards: { shown: () => Promise.resolve(undefined) },
    clock,
    ...options,
  });
  const tell = (notice: Notice): Promise<Outcome> =>
    handler.handle({
      kind: dueKind('notice'),
      key: `${requestId} ${notice.kind}`,
      version: 1,
      since: notice.at,
      claimedAt: at,
      tries: 1,
      about: notice,
    });
  return { tell, posts, world };
}

const card = { channel: 'C0OPS', ts: '1.2' };

describe('a notice', () => {
  it('replies in the thread of the card, and is then done', async () => {
    const { tell, posts } = stage(waits, card);
    expect(await tell({ requestId, kind: 'reminder', at })).toEqual({ done: true });
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS 1\.2: <@U0CAROL>/u);
  });

  it('of an unknown outcome covers what it read, too', async () => {
    const { tell } = stage({ ...confirmed({ state: 'unknown', outcome: {} }), version: 7 }, card);
    expect(await tell({ requestId, kind: 'unknown', at })).toEqual({ done: true, version: 7 });
  });

  it('of a pause covers what it read, which may be newer than what made it due', async () => {
    const { tell } = stage({ ...(rolloutStory(3)['paused'] ?? waits), version: 7 }, card);
    expect(await tell({ requestId, kind: 'paused', at })).toEqual({ done: true, version: 7 });
  });

  it('goes into the thread that its card is in, and not into one under the card', async () => {
    const inThread = { ...waits, place: { ...waits.place, thread: '1.1' } };
    const { tell, posts } = stage(inThread, { ...card, thread: '1.1' });
    await tell({ requestId, kind: 'reminder', at });
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS 1\.1: <@U0CAROL>.* ⏳ Approve \*Reboot web-1\*/u);
  });

  it('waits for its card, and for a Slack that is away', async () => {
    const early = stage(waits, undefined);
    expect(await early.tell({ requestId, kind: 'waiting', at })).toEqual({ againIn: 2000 });
    expect(early.posts).toEqual([]);
    const away = stage(waits, card);
    away.world.failure = new SlackError('chat.postMessage', 'timeout', { retryable: true, sent: true });
    await expect(away.tell({ requestId, kind: 'waiting', at })).rejects.toBe(away.world.failure);
  });

  it('does not overtake one before it that is put off', async () => {
    const { tell, posts, world } = stage(waits, card);
    world.failure = new SlackError('chat.postMessage', 'timeout', { retryable: true, sent: true });
    const first = tell({ requestId, kind: 'waiting', at });
    const second = tell({ requestId, kind: 'reminder', at });
    await expect(first).rejects.toBe(world.failure);
    world.failure = undefined;
    expect(await second).toEqual({ againIn: 2000 });
    expect(posts).toEqual([]);
  });

  it('is not sent if it is outdated, or after a day', async () => {
    const over = stage({ ...waits, state: 'running' }, card);
    expect(await over.tell({ requestId, kind: 'reminder', at })).toEqual({ done: true });
    const old = stage(waits, card);
    expect(await old.tell({ requestId, kind: 'expired', at: at - 25 * 60 * 60_000 })).toEqual({ done: true });
    const settled = stage(confirmed({ state: 'succeeded' }), card);
    expect(await settled.tell({ requestId, kind: 'unknown', at })).toEqual({ done: true });
    expect([over.posts, old.posts, settled.posts]).toEqual([[], [], []]);
  });
});
