import { describe, expect, it } from 'vitest';

import type { ScheduleSource } from '../../../src/features/on-call/section.ts';
import { openSchedule } from './served-schedule.ts';

const pagerDuty = (url: string): ScheduleSource => ({
  kind: 'pagerduty',
  url,
  schedule: 'PI7DH85',
  level: 1,
  token: 'secret:pd',
});

const oncall = (level: number, id: string, email: string, schedule = 'PI7DH85') => ({
  escalation_policy: {
    id: 'PT20YPA',
    type: 'escalation_policy_reference',
    summary: 'Engineering',
    self: 'https://api.pagerduty.com/escalation_policies/PT20YPA',
    html_url: 'https://example.pagerduty.com/escalation_policies/PT20YPA',
  },
  escalation_level: level,
  schedule: { id: schedule, type: 'schedule_reference', summary: 'Daily', self: null, html_url: null },
  user: { id, type: 'user', name: 'Someone', email, time_zone: 'UTC', role: 'user' },
  start: '2026-11-20T09:00:00Z',
  end: '2026-11-21T09:00:00+01:00',
});

const answerOf = (...oncalls: readonly object[]) => ({
  body: JSON.stringify({ oncalls, limit: 100, offset: 0, more: false, total: null }),
});

describe('PagerDuty', () => {
  it('tells who is on call at a level, and until when', async () => {
    const { server, onCall } = await openSchedule({ source: pagerDuty });
    server.answer = answerOf(
      oncall(1, 'PT23IWX', 'Alice@Example.com'),
      oncall(2, 'PT23IWY', 'bob@example.com'),
      oncall(1, 'PT23IWZ', 'bob@example.com', 'POTHER1'),
    );
    await onCall.refresh();
    expect(onCall.onCall('primary')).toMatchObject({
      people: [{ user: 'U0ALICE', until: Date.UTC(2026, 10, 21, 8) }],
      unmatched: [],
    });
    const [asked] = server.asked;
    expect(asked?.headers).toMatchObject({
      authorization: 'Token token=token-of-the-test',
      accept: 'application/vnd.pagerduty+json;version=2',
    });
    const { pathname, searchParams } = new URL(asked?.path ?? '', server.url);
    expect(pathname).toBe('/oncalls');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      'schedule_ids[]': 'PI7DH85',
      'include[]': 'users',
      since: '2026-11-21T03:00:00.000Z',
    });
  });

  it('names people by their id, too, and of anyone who is always on call no end', async () => {
    const { server, onCall } = await openSchedule({ source: pagerDuty, people: { pt23iwx: 'U0ALICE' } });
    server.answer = answerOf({ ...oncall(1, 'PT23IWX', 'a@example.com'), start: null, end: null });
    await onCall.refresh();
    expect(onCall.onCall('primary').people).toEqual([{ user: 'U0ALICE', until: undefined }]);
  });

  it.each([
    ['has more pages', JSON.stringify({ oncalls: [], more: true })],
    ['says something else', '{"error":{"message":"no"}}'],
    ['is not JSON', 'Hello'],
  ])('puts no one on call with an answer that %s', async (_, body) => {
    const { server, onCall } = await openSchedule({ source: pagerDuty });
    server.answer = { body };
    await onCall.refresh();
    expect(onCall.onCall('primary').problem?.text).toMatch(/^answered with/u);
    expect(onCall.onCall('primary').people).toBeUndefined();
  });
});

describe('Jira Service Management', () => {
  it('tells who is on call by account id', async () => {
    const { server, onCall } = await openSchedule({
      source: (url) => ({
        kind: 'jsm',
        url,
        cloud: '35273b54-3f06-40d2-880f-dd28cf8daafa',
        schedule: 'bc667897-cb21-496f-a46e-7c05ff0419dd',
        user: 'bot@example.com',
        token: 'secret:pd',
      }),
      people: { '5b2b0e011b3a756623f4e25e': 'U0ALICE' },
    });
    server.answer = { body: '{"onCallUsers":["5b2b0e011b3a756623f4e25e","70121:someone-else"]}' };
    await onCall.refresh();
    expect(onCall.onCall('primary')).toMatchObject({
      people: [{ user: 'U0ALICE', until: undefined }],
      unmatched: ['70121:someone-else'],
    });
    expect(server.asked).toMatchObject([
      {
        path: '/jsm/ops/api/35273b54-3f06-40d2-880f-dd28cf8daafa/v1/schedules/bc667897-cb21-496f-a46e-7c05ff0419dd/on-calls?flat=true',
        headers: {
          authorization: `Basic ${Buffer.from('bot@example.com:token-of-the-test').toString('base64')}`,
        },
      },
    ]);
  });
});
