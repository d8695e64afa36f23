import { describe, expect, it } from 'vitest';

import { openedReview, type Review } from '../../../src/model/requests.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import { renderReview } from '../../../src/slack/cards/render-review.ts';
import { createReviewSync } from '../../../src/slack/cards/review-sync.ts';
import type { Announcement, MessageRef } from '../../../src/model/outbox.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { aRequest } from '../sample-request.ts';
import { outlineMessage } from '../outline.ts';

const day = 24 * 60 * 60_000;
const at = 1_763_700_000_000;
const opened = openedReview(
  aRequest({ words: '/cloud reboot <db-1>', breakGlass: 'fire & smoke' }),
  { rule: 'rule 2', approvers: ['leads'] },
  at,
);
const closed: Review = {
  ...opened,
  closedAt: at + 2 * day,
  closedBy: { team: 'T0LOCAL', user: 'U0BOB' },
  word: 'it was right',
};

describe('the message of a review', () => {
  it('says who broke the glass, why, and what is asked of others', () => {
    expect(outlineMessage(renderReview(opened, ['local']))).toMatchInlineSnapshot(`
      "text: 🚨 Break-glass: review open · /cloud reboot &lt;db-1&gt; · request r-7k3m9qpd
      header: 🚨 Break-glass: review open
      section: <@U0ALICE> ran /cloud reboot &lt;db-1&gt; <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> without the approval it needs. ⏎ Why: “fire &amp; smoke”
      section: Another person closes this review with a word on what came of it.
      small: Skipped: approval by leads (rule 2). · request r-7k3m9qpd
      small: ⚠️ local
      button: [Close the review] review=r-7k3m9qpd"
    `);
  });

  it('says what a guard said against it', () => {
    const note = 'web-1 is the last <tier>=web instance known to be running; 1 must stay up.';
    expect(outlineMessage(renderReview({ ...opened, note }, []))).toContain(
      'Why: “fire &amp; smoke” ⏎ web-1 is the last &lt;tier&gt;=web instance known to be running; 1 must stay up.',
    );
  });

  it('says who closed it with which word, and has no button then', () => {
    expect(outlineMessage(renderReview(closed, []))).toMatchInlineSnapshot(`
      "text: ✅ Break-glass: review closed · /cloud reboot &lt;db-1&gt; · request r-7k3m9qpd
      header: ✅ Break-glass: review closed
      section: <@U0ALICE> ran /cloud reboot &lt;db-1&gt; <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> without the approval it needs. ⏎ Why: “fire &amp; smoke”
      section: Closed by <@U0BOB> <!date^1763872800^{date_short} {time}|2025-11-23 04:40 UTC>: “it was right”
      small: Skipped: approval by leads (rule 2). · request r-7k3m9qpd"
    `);
  });

  it('says that it is still open when it comes again', () => {
    const again = renderReview({ ...opened, message: { channel: 'C0OPS', ts: '1.2' } }, []);
    expect(outlineMessage(again)).toContain('It is still open.');
  });
});

/** A store that has one review due, and a Slack that can be told to fail. */
function stage(due: Announcement, channel?: string) {
  const clock = createDrivenClock(at);
  const posts: string[] = [];
  const told: { message: MessageRef | undefined; againAt: number | undefined }[] = [];
  const logged: string[] = [];
  const claims: { claimMs: number; limit: number }[] = [];
  const world = { failure: undefined as SlackError | undefined, gone: '' };
  const send = (where: string, { text }: Message): Promise<void> => {
    if (world.failure) return Promise.reject(world.failure);
    if (where === world.gone) {
      const details = { retryable: false, sent: false };
      return Promise.reject(new SlackError('chat.postMessage', 'channel_not_found', details));
    }
    posts.push(`${where}: ${text}`);
    return Promise.resolve();
  };
  const sync = createReviewSync({
    api: {
      async postMessage(to, message) {
        await send(to, message);
        return { channel: to, ts: '9.9' };
      },
      updateMessage: (card, message) => send(`edit ${card.ts}`, message),
    },
    store: {
      claimReviews: (_, claimMs, limit) => {
        claims.push({ claimMs, limit });
        return Promise.resolve([due]);
      },
      markReviewAnnounced: (_, message, againAt) => {
        told.push({ message, againAt });
        return Promise.resolve();
      },
    },
    clock,
    log: { info() {}, warn: (_, text) => void logged.push(text), error: (_, text) => void logged.push(text) },
    channel: () => channel,
    notices: [],
  });
  return { sync, claims, posts, told, logged, clock, world };
}

describe('telling of reviews', () => {
  it('posts in the configured channel, and again a day later', async () => {
    const { sync, posts, told } = stage(opened, 'C0LEADS');
    await sync.reconcile();
    expect(posts).toEqual([
      'C0LEADS: 🚨 Break-glass: review open · /cloud reboot &lt;db-1&gt; · request r-7k3m9qpd',
    ]);
    expect(told).toEqual([{ message: { channel: 'C0LEADS', ts: '9.9' }, againAt: at + day }]);
  });

  it('posts where the glass was broken, where no channel is configured', async () => {
    const { sync, posts } = stage(opened);
    await sync.reconcile();
    expect(posts[0]).toMatch(/^C0OPS: /u);
  });

  it('reminds with a message of its own, which an edit would not be noticed as', async () => {
    const { sync, posts } = stage({ ...opened, message: { channel: 'C0OPS', ts: '1.2' } });
    await sync.reconcile();
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS: /u);
  });

  it('edits its newest message once it is closed, and is then done', async () => {
    const { sync, posts, told } = stage({ ...closed, message: { channel: 'C0OPS', ts: '1.2' } });
    await sync.reconcile();
    expect(posts).toEqual([
      'edit 1.2: ✅ Break-glass: review closed · /cloud reboot &lt;db-1&gt; · request r-7k3m9qpd',
    ]);
    expect(told).toEqual([{ message: { channel: 'C0OPS', ts: '1.2' }, againAt: undefined }]);
  });

  it('is announced even where it was closed before that got through', async () => {
    const { sync, posts } = stage(closed);
    await sync.reconcile();
    expect(posts[0]).toMatch(/^C0OPS: ✅/u);
  });

  it('is claimed for as long as telling of all that were claimed may take, so that no other replica tells too', async () => {
    const { sync, claims } = stage(opened);
    await sync.reconcile();
    const longestCallMs = 10_000;
    for (const { claimMs, limit } of claims) expect(claimMs).toBeGreaterThan(limit * 2 * longestCallMs);
    expect(claims).toHaveLength(1);
  });

  it.each(['channel_not_found', 'is_archived'])(
    'ends where the channel is gone (%s), and says so in the log',
    async (code) => {
      const { sync, told, logged, world } = stage(opened);
      world.failure = new SlackError('chat.postMessage', code, { retryable: false, sent: false });
      await sync.reconcile();
      expect(told).toEqual([{ message: undefined, againAt: undefined }]);
      expect(logged).toEqual([expect.stringContaining('the channel of a review is gone')]);
    },
  );

  it('is told where the glass was broken once the configured channel is gone', async () => {
    const { sync, posts, told, world } = stage(opened, 'C0LEADS');
    world.gone = 'C0LEADS';
    await sync.reconcile();
    expect(posts[0]).toMatch(/^C0OPS: /u);
    expect(told[0]?.againAt).toBe(at + day);
  });

  it('tries again for as long as it takes, after what Slack asks for, with pauses that grow to 5 minutes', async () => {
    const { sync, told, logged, clock, world } = stage(opened);
    const again = async () => {
      await sync.reconcile();
      return (told.at(-1)?.againAt ?? 0) - clock.now();
    };
    world.failure = new SlackError('chat.postMessage', 'ratelimited', {
      retryable: true,
      sent: false,
      retryAfterSeconds: 30,
    });
    expect(await again()).toBe(30_000);
    // What a rate limit holds back is logged once for all by the lanes.
    expect(logged).toEqual([]);
    world.failure = new SlackError('chat.postMessage', 'restricted_action', {
      retryable: false,
      sent: false,
    });
    expect(await again()).toBe(2000);
    await clock.advance(60_000);
    expect(await again()).toBe(30_000);
    await clock.advance(3 * day);
    expect(await again()).toBe(300_000);
    expect(told.every(({ message }) => message === undefined)).toBe(true);
    expect(logged).toHaveLength(3);
  });
});
