import { describe, expect, it } from 'vitest';

import type { RecentMessages } from '../../../src/model/records/offer.ts';
import type { AlertContent, AlertUpdate, KnownAlerts } from '../../../src/features/alerts/group/record.ts';
import { fold } from '../../../src/features/alerts/group/fold.ts';
import { rankOf } from '../../../src/features/alerts/group/severity.ts';

const minute = 60_000;
const now = 100 * minute;

const update = (content: Partial<AlertContent> = {}, more: Partial<AlertUpdate> = {}): AlertUpdate => ({
  key: 'one',
  status: 'firing',
  digest: 'new',
  content: { title: 'DiskFull', alerts: [], firing: 1, total: 1, ...content },
  ...more,
});

const known = (more: Partial<KnownAlerts> = {}): KnownAlerts => ({
  status: 'firing',
  statusAt: now - minute,
  digest: 'old',
  beginnings: '',
  openedAt: now - minute,
  told: { rank: 2, targets: [] },
  ...more,
});

/** All budgets are used up, and a storm of each tier continues. */
const busy: RecentMessages = {
  own: (['critical', 'target', 'other'] as const).map((tier) => ({ tier, all: 20, ofTitle: 20 })),
  storms: (['critical', 'target', 'other'] as const).map((tier) => ({
    id: tier,
    tier,
    openedAt: now - minute,
    foldedAt: now - minute,
    firing: 2000,
  })),
};
/** Only the budget of the lowest tier is used up. */
const storming: RecentMessages = { own: [{ tier: 'other', all: 5, ofTitle: 5 }], storms: busy.storms };
const quiet: RecentMessages = { own: [], storms: [] };

const critical = { severity: 'critical' };
const onTarget = { severity: 'warning', targets: ['web-2'] };

describe('in a storm', () => {
  it.each<[what: string, content: Partial<AlertContent>, recent: RecentMessages, to: object]>([
    ['another one of it joins', {}, storming, { in: 'storm', storm: 'other' }],
    ['a critical one has its own message', critical, storming, { in: 'message', tier: 'critical' }],
    ['one about a target has its own', onTarget, storming, { in: 'message', tier: 'target' }],
    ['a critical one without room is among its like', critical, busy, { in: 'storm', storm: 'critical' }],
    ['one about a target without room, too', onTarget, busy, { in: 'storm', storm: 'target' }],
    [
      'a critical one about a target takes the room of targets, if need be',
      { ...critical, targets: ['web-2'] },
      { ...busy, own: busy.own.filter(({ tier }) => tier !== 'target') },
      { in: 'message', tier: 'target' },
    ],
    [
      'a critical one of a new title has its own among many of another',
      critical,
      { ...busy, own: [{ tier: 'critical', all: 5, ofTitle: 0 }] },
      { in: 'message', tier: 'critical' },
    ],
    [
      'a further one of the same title has not',
      critical,
      { ...busy, own: [{ tier: 'critical', all: 5, ofTitle: 5 }] },
      { in: 'storm', storm: 'critical' },
    ],
  ])('%s', (_, content, recent, to) => {
    expect(fold(update(content), undefined, recent, now)).toMatchObject({ kind: 'open', ...to });
  });

  const over = busy.storms.map((storm) => ({ ...storm, firing: 0 }));

  it('whose alerts are all over, the next alert begins a new message, within bounds', () => {
    const next = (storms: RecentMessages['storms']) => fold(update(), undefined, { ...busy, storms }, now);
    expect(next(over)).toEqual({ kind: 'open', in: 'storm', tier: 'other', storm: undefined });
    expect(fold(update(), undefined, { own: [], storms: over }, now)).toMatchObject({ in: 'message' });
    const flapping = Array.from({ length: 5 }, () => over).flat();
    expect(next(flapping)).toMatchObject({ in: 'storm', storm: 'other' });
    const again = known({ status: 'resolved', storm: { tier: 'other', firing: 0 } });
    expect(fold(update(), again, { ...busy, storms: over }, now)).toMatchObject({
      in: 'storm',
      storm: undefined,
    });
  });
});

describe('a group that is known', () => {
  it.each<[what: string, content: Partial<AlertContent>, is: Partial<KnownAlerts>, to: object]>([
    ['is announced again if it gets worse', { severity: 'error' }, {}, { in: 'message' }],
    ['or critical', critical, {}, { in: 'message', tier: 'critical' }],
    ['or is about another target', onTarget, {}, { in: 'message', tier: 'target' }],
    [
      'or is critical and fires again',
      critical,
      { status: 'resolved', told: { rank: 4, targets: [] } },
      { in: 'message' },
    ],
  ])('%s', (_, content, is, to) => {
    expect(fold(update(content), known(is), quiet, now)).toMatchObject({ kind: 'open', ...to });
  });

  it.each<[what: string, content: Partial<AlertContent>, is: Partial<KnownAlerts>, recent: RecentMessages]>([
    ['as bad as before', { severity: 'warning' }, {}, quiet],
    ['less bad', { severity: 'info' }, {}, quiet],
    ['about the same target', onTarget, { told: { rank: 2, targets: ['web-1', 'web-2'] } }, quiet],
    ['firing again soon', { severity: 'warning' }, { status: 'resolved' }, quiet],
    ['worse, without room', critical, {}, busy],
    [
      'worse, without room, in a storm of its like',
      critical,
      { storm: { tier: 'critical', firing: 9 } },
      busy,
    ],
  ])('only changes where it is %s', (_, content, is, recent) => {
    expect(fold(update(content), known(is), recent, now)).toEqual({ kind: 'change' });
  });

  it('and becomes critical without room moves to the storm of critical alerts', () => {
    const inStorm = known({ storm: { tier: 'other', firing: 9 } });
    expect(fold(update(critical), inStorm, busy, now)).toMatchObject({ in: 'storm', storm: 'critical' });
  });
});

it.each([
  ['critical', 4],
  ['CRITICAL', 4],
  ['P1', 4],
  ['SEV-1 (outage)', 4],
  ['Disaster', 4],
  ['page', 4],
  ['Alert', 4],
  ['warning (was critical)', 2],
  ['no longer critical', 0],
  ['un-critical', 0],
  ['pre-critical', 0],
  ["isn't urgent", 0],
  ['high', 3],
  ['error', 3],
  ['Warning', 2],
  ['info', 1],
  ['blue', 0],
  ['', 0],
  [undefined, 0],
])('the severity %s has rank %i', (severity, rank) => {
  expect(rankOf(severity)).toBe(rank);
});
