import { describe, expect, it } from 'vitest';

import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { operations } from '../../../src/operations/index.ts';
import { dueKind, type Outcome } from '../../../src/model/records/due.ts';
import type { Request } from '../../../src/model/records/request.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import type { MessageRef } from '../../../src/model/values/actor.ts';
import { glassSection } from '../../../src/features/break-glass/section.ts';
import { createReviewHandler, renderReview } from '../../../src/features/break-glass/review.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { outlineMessage } from '../../slack/outline.ts';
import { sampleRules } from '../../operations/stage.ts';
import { bob } from '../../people.ts';
import { aRequest } from '../../sample-request.ts';
import { rolloutStory } from '../../slack/cards/sample-whole.ts';
import { nasty, timesSeen } from '../../slack/render/times-seen.ts';

const verb = 'reboot';
const day = 24 * 60 * 60_000;
const at = 1_763_700_000_000;
const opened = aRequest({
  words: '/cloud reboot <db-1> --break-glass "fire & smoke"',
  breakGlass: 'fire & smoke',
  startedAt: at,
  review: { rule: 'rule 2', approvers: ['leads'] },
});
const closed: Request = {
  ...opened,
  reviewClosed: { by: bob, at: at + 2 * day, word: 'it was right' },
};

describe('the message of a review', () => {
  it('says who broke the glass, why, and what is asked of others', () => {
    expect(
      outlineMessage(
        renderReview(opened, {
          skipped: '<@U0CAROL>',
          verb,
          link: 'https://chat.example/p1',
          disclaimers: ['local'],
        }),
      ),
    ).toMatchInlineSnapshot(`
      "text: <@U0CAROL> 🚨 Break-glass: review open · <@U0ALICE> ran *Reboot web-1* (staging) without approval: proposed · “fire &amp; smoke”
      header: 🚨 Break-glass: review open
      section: <@U0ALICE> ran /cloud reboot &lt;db-1&gt; --break-glass "fire &amp; smoke" on <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> without approval by <@U0CAROL> (leads). ⏎ Outcome: 👉 proposed · <https://chat.example/p1|Open the card>
      section: Someone other than <@U0ALICE> must review this and record the outcome.
      small: rule 2 · request r-7k3m9qpd
      small: ⚠️ local
      button: [Close the review] review=r-7k3m9qpd"
    `);
  });

  it('names the targets of a rollout, which its labels may not find any more', () => {
    const { proposed = opened } = rolloutStory(3);
    const rollout = { ...opened, words: proposed.words, target: proposed.target };
    expect(outlineMessage(renderReview(rollout, { verb, disclaimers: [] }))).toContain(
      '⏎ Targets: web-1, web-2 and web-3',
    );
  });

  it('says what a guard said against it', () => {
    const note = 'web-1 is the last <tier>=web instance known to be running; 1 must stay up.';
    expect(
      outlineMessage(
        renderReview(
          { ...opened, review: { rule: 'rule 2', approvers: ['leads'], note } },
          { verb, disclaimers: [] },
        ),
      ),
    ).toContain(
      'Outcome: 👉 proposed ⏎ web-1 is the last &lt;tier&gt;=web instance known to be running; 1 must stay up.',
    );
  });

  it('has on a lock screen what ran where, how it ended, and the hold that it overrode', () => {
    const said = [
      'db-1 was still held by ',
      { person: 'U0CAROL' },
      ': drill. Break-glass overrode this hold.',
      ' ',
    ];
    const ended = {
      ...opened,
      state: 'succeeded' as const,
      review: { rule: 'rule 2', approvers: ['leads'], said },
    };
    expect(renderReview(ended, { skipped: '<@U0CAROL>', verb, disclaimers: [] }).text).toBe(
      '<@U0CAROL> 🚨 Break-glass: review open · <@U0ALICE> ran *Reboot web-1* (staging) without approval: succeeded. ' +
        'db-1 was still held by <@U0CAROL>: drill. Break-glass overrode this hold. · “fire &amp; smoke”',
    );
  });

  it('says who closed it with which word, and has no button then', () => {
    expect(outlineMessage(renderReview(closed, { verb, disclaimers: [] }))).toMatchInlineSnapshot(`
      "text: ✅ Break-glass: review closed · <@U0ALICE> ran *Reboot web-1* (staging) without approval: proposed · “fire &amp; smoke”
      header: ✅ Break-glass: review closed
      section: <@U0ALICE> ran /cloud reboot &lt;db-1&gt; --break-glass "fire &amp; smoke" on <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> without approval by leads. ⏎ Outcome: 👉 proposed
      section: Closed by <@U0BOB> on <!date^1763872800^{date_short} {time}|2025-11-23 04:40 UTC>: “it was right”
      small: rule 2 · request r-7k3m9qpd"
    `);
  });

  it('shows each value from outside as it is', () => {
    const review = { rule: nasty, approvers: [nasty], note: nasty };
    const request = aRequest({ id: nasty, startedAt: at, words: nasty, breakGlass: nasty, review });
    expect(timesSeen(renderReview(request, { verb, disclaimers: [nasty] }))).toBeGreaterThan(3);
    const reviewed = { ...request, reviewClosed: { by: bob, at, word: nasty } };
    expect(timesSeen(renderReview(reviewed, { verb, disclaimers: [] }))).toBeGreaterThan(3);
  });

  it('says that it is still open when it comes again', () => {
    const again = renderReview(opened, { repeated: true, verb, disclaimers: [] });
    expect(outlineMessage(again)).toContain('This review is still open.');
  });
});

const unsent = { retryable: false, sent: false };

/** A review, and a Slack that a test can make fail. */
function stage(due: Request, channel?: string) {
  const posts: string[] = [];
  const bodies: Message[] = [];
  const kept: MessageRef[] = [];
  const logged: string[] = [];
  const world = { failure: undefined as SlackError | undefined, gone: '', deleted: '' };
  const send = (where: string, message: Message): Promise<void> => {
    const { text } = message;
    bodies.push(message);
    if (world.failure) return Promise.reject(world.failure);
    if (where === world.gone) {
      return Promise.reject(new SlackError('chat.postMessage', 'channel_not_found', unsent));
    }
    posts.push(`${where}: ${text}`);
    return Promise.resolve();
  };
  const handler = createReviewHandler({
    api: {
      async postMessage(to, message) {
        await send(to, message);
        return { channel: to, ts: '9.9' };
      },
      updateMessage: async (card, message) => {
        if (world.deleted !== '') throw new SlackError('chat.update', world.deleted, unsent);
        await send(`edit ${card.ts}`, message);
      },
    },
    store: {
      find: () => Promise.resolve(due),
      keepAnnouncement: (_, message) => Promise.resolve(void kept.push(message)),
    },
    log: { info() {}, warn: (_, text) => void logged.push(text), error: (_, text) => void logged.push(text) },
    clock: { now: () => at },
    cards: { link: () => Promise.resolve('https://chat.example/p1') },
    rulebook: () => ({ ...sampleRules, sections: { ...sampleRules.sections, [glassSection.name]: channel } }),
    registry: createRegistry(operations, []),
    disclaimers: [],
  });
  const tell = (): Promise<Outcome> =>
    handler.handle({
      kind: dueKind('review'),
      key: due.id,
      version: 1,
      since: at,
      claimedAt: at,
      tries: 1,
    });
  return { tell, posts, bodies, kept, logged, world };
}

describe('telling of reviews', () => {
  it('posts in the configured channel, and again a day later', async () => {
    const { tell, posts, kept } = stage(opened, 'C0LEADS');
    expect(await tell()).toEqual({ againIn: day });
    expect(posts).toEqual([
      'C0LEADS: <@U0CAROL> 🚨 Break-glass: review open · <@U0ALICE> ran *Reboot web-1* (staging) without approval: proposed · “fire &amp; smoke”',
    ]);
    expect(kept).toEqual([{ channel: 'C0LEADS', ts: '9.9' }]);
  });

  it('posts where the glass was broken, if no channel is configured', async () => {
    const { tell, posts } = stage(opened);
    await tell();
    expect(posts[0]).toMatch(/^C0OPS: /u);
  });

  it('reminds with a message of its own, which an edit would not be noticed as', async () => {
    const { tell, posts } = stage({ ...opened, reviewMessage: { channel: 'C0OPS', ts: '1.2' } });
    await tell();
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS: /u);
  });

  it('edits the message of the same day when the change ends, and posts a new one a day after that message', async () => {
    const reviewMessage = { channel: 'C0OPS', ts: `${at / 1_000 - 3_600}.000100` };
    const { tell, posts } = stage({ ...opened, state: 'failed', reviewMessage });
    expect(await tell()).toMatchObject({ againIn: expect.closeTo(day - 3_600_000, -1) as number });
    expect(posts).toEqual([expect.stringContaining(`edit ${reviewMessage.ts}: <@U0CAROL> 🚨`)]);
    const later = stage({
      ...opened,
      reviewMessage: { ...reviewMessage, ts: `${(at - day) / 1_000}.000100` },
    });
    expect(await later.tell()).toEqual({ againIn: day });
    expect(later.posts).toEqual([expect.stringContaining('C0OPS: <@U0CAROL> 🚨')]);
  });

  it('names the people whose approval was skipped, links the card and says how the change ended', async () => {
    const { tell, bodies } = stage({ ...opened, state: 'succeeded' });
    await tell();
    expect(bodies.map(outlineMessage).join('')).toContain(
      'without approval by <@U0CAROL> (leads). ⏎ Outcome: ✅ succeeded · <https://chat.example/p1|Open the card>',
    );
  });

  it('edits its newest message once it is closed, and is then done', async () => {
    const { tell, posts } = stage({ ...closed, reviewMessage: { channel: 'C0OPS', ts: '1.2' } });
    expect(await tell()).toEqual({ done: true });
    expect(posts).toEqual([
      'edit 1.2: ✅ Break-glass: review closed · <@U0ALICE> ran *Reboot web-1* (staging) without approval: proposed · “fire &amp; smoke”',
    ]);
  });

  it.each([
    ['someone deleted the newest', 'message_not_found'],
    ['the newest takes no edit', 'cant_update_message'],
  ])('posts a new message once it is closed, if %s', async (_, code) => {
    const { tell, posts, world } = stage({ ...closed, reviewMessage: { channel: 'C0OPS', ts: '1.2' } });
    world.deleted = code;
    expect(await tell()).toEqual({ done: true });
    expect(posts).toEqual([expect.stringMatching(/^C0OPS: ✅/u)]);
  });

  it('is announced even where it was closed before that got through', async () => {
    const { tell, posts } = stage(closed);
    await tell();
    expect(posts[0]).toMatch(/^C0OPS: ✅/u);
  });

  it.each(['channel_not_found', 'is_archived'])(
    'ends where the channel is gone (%s), and says so in the log',
    async (code) => {
      const { tell, kept, logged, world } = stage(opened);
      world.failure = new SlackError('chat.postMessage', code, { retryable: false, sent: false });
      expect(await tell()).toEqual({ done: true });
      expect(kept).toEqual([]);
      expect(logged).toEqual([expect.stringContaining('the channel for a review is gone;')]);
    },
  );

  it('is announced in the channel of the command if the configured channel is gone', async () => {
    const { tell, posts, world } = stage(opened, 'C0LEADS');
    world.gone = 'C0LEADS';
    expect(await tell()).toEqual({ againIn: day });
    expect(posts[0]).toMatch(/^C0OPS: /u);
  });

  it('is tried again where Slack does not take it now', async () => {
    const { tell, kept, world } = stage(opened);
    world.failure = new SlackError('chat.postMessage', 'timeout', { retryable: true, sent: true });
    await expect(tell()).rejects.toBe(world.failure);
    expect(kept).toEqual([]);
  });
});
