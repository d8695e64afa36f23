import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Notice } from '../../../src/model/requests.ts';
import type { Request } from '../../../src/model/request.ts';
import { operations } from '../../../src/operations/index.ts';
import { createNoticeSync } from '../../../src/slack/cards/notice-sync.ts';
import { renderNotice } from '../../../src/slack/cards/render-notice.ts';
import type { MessageRef } from '../../../src/model/outbox.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { aRequest, confirmed } from '../sample-request.ts';

const at = 1_763_700_000_000;
const requestId = aRequest().id;
const decision = { ...aRequest().decision, effect: 'approve' as const, approvers: ['leads'] };
const waits = aRequest({ state: 'awaiting approval', decision });

const rules = readSampleRulebook(operations);
if (!rules.ok) throw new Error(findingLines(rules.findings).join('\n'));
const { rulebook } = rules;
const roles = { leads: { users: ['U0ALICE', 'U0CAROL', 'T9/U9DAN'], usergroups: ['S0LEADS'] } };
const options = {
  rulebook: { ...rulebook, policy: { ...rulebook.policy, roles } },
  schedules: { onCall: (schedule: string) => ({ schedule, people: [{ user: 'U0DORA' }], unmatched: [] }) },
  notices: [],
};

const text = (notice: Partial<Notice>, request: Request) =>
  renderNotice({ requestId, kind: 'waiting', at, ...notice }, request, options).text;

describe('what is said to who waits', () => {
  it('mentions the approvers and their groups, not the requester, or names the role where nobody is listed', () => {
    expect(text({}, waits)).toMatch(
      /^<@U0CAROL> <@U9DAN> <!subteam\^S0LEADS> <@U0ALICE> needs your approval/u,
    );
    expect(text({}, { ...waits, decision: { ...decision, approvers: ['<!here>'] } })).toMatch(
      /^&lt;!here&gt;: <@U0ALICE> needs/u,
    );
  });

  it('mentions at most ten', () => {
    const users = Array.from({ length: 30 }, (_, index) => `U0PERSON${index}`);
    const policy = { ...rulebook.policy, roles: { leads: { users, usergroups: [] } } };
    const many = { ...options, rulebook: { ...rulebook, policy } };
    const said = renderNotice({ requestId, kind: 'reminder', at }, waits, many).text;
    expect(said.match(/<@/gu)).toHaveLength(10);
  });

  it('escapes what came from outside', () => {
    const by = { team: 'T0LOCAL', user: 'U0CAROL' };
    const denied = aRequest({ state: 'refused', decision });
    expect(text({ kind: 'denied', by, why: 'no <!channel>' }, denied)).toBe(
      '<@U0ALICE>: denied by <@U0CAROL>. Nothing was sent. no &lt;!channel&gt;',
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
    expect(text({ kind: 'done' }, done)).toBe('<@U0ALICE>: web-1 has rebooted. It took 3 s.');
  });
});

/** An outbox with one notice, and a Slack that can be told to fail. */
function stage(due: Notice, request: Request, card: MessageRef | undefined) {
  const clock = createDrivenClock(at);
  const posts: string[] = [];
  const settled: (number | undefined)[] = [];
  const world = { failure: undefined as SlackError | undefined };
  const sync = createNoticeSync({
    api: {
      postMessage(channel, message, thread) {
        if (world.failure) return Promise.reject(world.failure);
        posts.push(`${channel} ${thread}: ${message.text}`);
        return Promise.resolve({ channel, ts: '9.9' });
      },
    },
    store: {
      find: () => Promise.resolve(request),
      findCard: () => Promise.resolve(card),
      claimNotices: () => Promise.resolve([due]),
      settleNotice: (_, againAt) => Promise.resolve(void settled.push(againAt)),
    },
    clock,
    log: { info() {}, warn() {}, error() {} },
    render: (notice, about) => renderNotice(notice, about, options),
  });
  return { sync, posts, settled, clock, world };
}

const card = { channel: 'C0OPS', ts: '1.2' };

describe('a notice', () => {
  it('replies in the thread of the card, and is then done', async () => {
    const { sync, posts, settled } = stage({ requestId, kind: 'reminder', at }, waits, card);
    await sync.reconcile();
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS 1\.2: <@U0CAROL>/u);
    expect(settled).toEqual([undefined]);
  });

  it('goes into the thread that its card is in, naming the command, and not into one under the card', async () => {
    const inThread = { ...waits, place: { ...waits.place, thread: '1.1' } };
    const notice = { requestId, kind: 'reminder' as const, at };
    const { sync, posts } = stage(notice, inThread, { ...card, thread: '1.1' });
    await sync.reconcile();
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS 1\.1: <@U0CAROL>.* `\/cloud reboot web-1.*`: still without/u);
  });

  it('waits for its card, and for a Slack that is away', async () => {
    const early = stage({ requestId, kind: 'waiting', at }, waits, undefined);
    await early.sync.reconcile();
    expect([early.posts, early.settled]).toEqual([[], [at + 2000]]);
    const away = stage({ requestId, kind: 'waiting', at }, waits, card);
    away.world.failure = new SlackError('chat.postMessage', 'ratelimited', {
      retryable: true,
      sent: false,
      retryAfterSeconds: 30,
    });
    await away.sync.reconcile();
    expect(away.settled).toEqual([at + 30_000]);
  });

  it('is not told where it no longer holds, or after a day', async () => {
    const over = stage({ requestId, kind: 'reminder', at }, { ...waits, state: 'running' }, card);
    await over.sync.reconcile();
    const old = stage({ requestId, kind: 'expired', at: at - 25 * 60 * 60_000 }, waits, card);
    await old.sync.reconcile();
    expect([over.posts, over.settled, old.posts, old.settled]).toEqual([[], [undefined], [], [undefined]]);
  });
});
