import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { dueKind, type Outcome } from '../../../src/model/records/due.ts';
import type { Notice } from '../../../src/model/records/requests.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { operations } from '../../../src/operations/index.ts';
import { createNoticeHandler, renderNotice } from '../../../src/slack/cards/notice.ts';
import type { MessageRef } from '../../../src/model/values/actor.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { carol } from '../../people.ts';
import { aRequest, confirmed } from '../../sample-request.ts';

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
  disclaimers: [],
};

const text = (notice: Partial<Notice>, request: Request) =>
  renderNotice({ requestId, kind: 'waiting', at, ...notice }, request, options).text;

describe('what is said to who waits', () => {
  it('mentions the approvers and their groups, not the requester, or names the role if no one is listed', () => {
    expect(text({}, waits)).toMatch(
      /^<@U0CAROL> <@U9DAN> <!subteam\^S0LEADS>: <@U0ALICE> needs your approval/u,
    );
    expect(text({}, { ...waits, decision: { ...decision, approvers: ['<!here>'] } })).toMatch(
      /^&lt;!here&gt;: <@U0ALICE> needs/u,
    );
  });

  it('mentions no one who has approved already', () => {
    const half = { ...waits, approvals: [{ by: carol, at }] };
    expect(text({ kind: 'reminder' }, half)).toMatch(/^<@U9DAN> <!subteam\^S0LEADS>: still not approved/u);
  });

  it('mentions only those who may approve from now on', () => {
    expect(text({ kind: 'further', roles: ['managers'] }, waits)).toMatch(
      /^managers: this is still not approved, so you can now approve it too\. <@U0ALICE> needs it by/u,
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
    const many = { ...options, rulebook: { ...rulebook, policy } };
    const said = renderNotice({ requestId, kind: 'reminder', at }, waits, many).text;
    expect(said.match(/<@/gu)).toHaveLength(10);
  });

  it('escapes what came from outside', () => {
    const denied = aRequest({ state: 'refused', decision });
    expect(text({ kind: 'denied', by: carol, why: 'no <!channel>' }, denied)).toBe(
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
    rulebook: () => options.rulebook,
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

  it('goes into the thread that its card is in, naming the command, and not into one under the card', async () => {
    const inThread = { ...waits, place: { ...waits.place, thread: '1.1' } };
    const { tell, posts } = stage(inThread, { ...card, thread: '1.1' });
    await tell({ requestId, kind: 'reminder', at });
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatch(/^C0OPS 1\.1: <@U0CAROL>.* `\/cloud reboot web-1.*`: still not approved/u);
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
    expect([over.posts, old.posts]).toEqual([[], []]);
  });
});
