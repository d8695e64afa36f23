import { expect, it } from 'vitest';

import { dueAfter } from '../../src/features/index.ts';
import type { Made } from '../../src/model/after.ts';
import type { Request, Rollout } from '../../src/model/records/request.ts';
import { watchDue } from '../../src/request/outcome/watch.ts';
import { declaredKinds, inCode } from '../due/declared-kinds.ts';
import { aRequest } from '../sample-request.ts';

const at = 1_763_700_060_000;
const { expiresAt, createdAt, decision } = aRequest();
const remindAt = expiresAt - (expiresAt - createdAt) / 3;
const waiting = { state: 'awaiting approval' } as const;
const rollout: Rollout = { each: [], pause: '2m', lines: [], index: 0 };
const later = { ...decision, later: [{ at: 5, roles: ['leads'] }] };
const asked = { ...decision, later: [{ at: 5, roles: ['leads'], since: 5 }] };
const search = { sent: { from: 1, to: 2 } };
const review = { rule: 'rule 3', approvers: ['leads'] };
const watched = { due: [watchDue({ id: 'r-7k3m9qpd' }, 9)] };

type Case = [what: string, before: Partial<Request> | undefined, Partial<Request>, Partial<Made>, string[]];

it.each<Case>([
  ['a proposal', undefined, {}, {}, ['card now, owned', `deadline ${expiresAt}`]],
  [
    'a proposal that waits for approval',
    undefined,
    waiting,
    {},
    ['card now, owned', `deadline ${expiresAt}`, 'notice waiting now', `notice reminder ${remindAt}`],
  ],
  [
    'a confirmation that others have to approve, and further roles later',
    {},
    { ...waiting, decision: later },
    {},
    [
      'card now, owned',
      `deadline ${expiresAt}`,
      'approvers 5',
      'notice waiting now',
      `notice reminder ${remindAt}`,
    ],
  ],
  [
    'further roles that were asked',
    { ...waiting, decision: later },
    { ...waiting, decision: asked },
    { notices: [{ requestId: 'r-7k3m9qpd', kind: 'further', at }] },
    ['card now, owned', `deadline ${expiresAt}`, 'notice further now'],
  ],
  [
    'an approval',
    waiting,
    { state: 'running' },
    { leaseMs: 3 },
    ['card now, owned', `deadline ${at + 3}`, 'notice approved now'],
  ],
  [
    'a start with break-glass',
    {},
    { state: 'running', review },
    { leaseMs: 3, changes: { review } },
    ['card now, owned', 'review now', `deadline ${at + 3}`],
  ],
  [
    'the end of a change with an open review',
    { state: 'running', review },
    { state: 'succeeded', review },
    {},
    ['card now, owned', 'review now', 'deadline ends'],
  ],
  [
    'the end of a wait for an approval that may be skipped',
    { ...waiting, decision: { ...decision, breakGlass: ['leads'] } },
    { state: 'refused', decision: { ...decision, breakGlass: ['leads'] } },
    {},
    ['card now, owned', 'draft now', 'deadline ends', 'notice refused now'],
  ],
  ['the state before the change', { state: 'running' }, { state: 'running' }, {}, ['card now, owned']],
  [
    'a success that is watched',
    { state: 'running' },
    { state: 'succeeded' },
    watched,
    ['card now, owned', 'deadline ends', 'watch 9'],
  ],
  [
    'a lost answer that is searched for',
    { state: 'running' },
    { state: 'unknown', outcome: { search } },
    {},
    ['card now, owned', 'deadline now', 'notice unknown now'],
  ],
  [
    'a lost answer that cannot be searched for',
    { state: 'running' },
    { state: 'unknown' },
    {},
    ['card now, owned', 'deadline ends', 'notice unknown now'],
  ],
  ['a sighting', { state: 'unknown' }, { state: 'unknown', outcome: { search } }, {}, ['card now, owned']],
  [
    'a settled outcome',
    { state: 'unknown' },
    { state: 'failed' },
    {},
    ['card now, owned', 'deadline ends', 'notice settled now'],
  ],
  [
    'an expiry',
    waiting,
    { state: 'expired' },
    {},
    ['card now, owned', 'deadline ends', 'notice expired now'],
  ],
  [
    'the start of a rollout',
    { rollout },
    { rollout, state: 'running' },
    {},
    ['card now, owned', 'rollout now', 'deadline ends'],
  ],
  [
    'the end of a rollout',
    { rollout, state: 'running' },
    { rollout, state: 'succeeded' },
    {},
    ['card now, owned', 'deadline ends', 'notice done now'],
  ],
  [
    'the proposal of a request that is part of a rollout',
    undefined,
    { partOf: 'r-whole' },
    {},
    ['rollout of r-whole now', `deadline ${expiresAt}`],
  ],
  [
    'an end that people would be notified of, if the request were not part of a rollout',
    { partOf: 'r-whole', state: 'running' },
    { partOf: 'r-whole', state: 'failed' },
    { ...watched, changes: { review } },
    ['rollout of r-whole now', 'deadline ends'],
  ],
  [
    'a wait for approval of a request that is part of a rollout',
    { partOf: 'r-whole' },
    { ...waiting, partOf: 'r-whole', decision: later },
    {},
    ['rollout of r-whole now', `deadline ${expiresAt}`],
  ],
])('%s makes due what follows from it', (_, before, after, made, due) => {
  const row = aRequest({ version: 2, ...after });
  const found = dueAfter(row, { at, changes: {}, ...made, ...(before && { before: aRequest(before) }) });
  const words = found.map((one) => {
    const [key = '', notice] = one.key.split(' ');
    const of = key === row.id ? '' : ` of ${key}`;
    const when = one.ends ? 'ends' : one.at === at ? 'now' : String(one.at);
    const owned = one.owned ? ', owned' : '';
    return `${one.kind}${notice === undefined ? '' : ` ${notice}`}${of} ${when}${owned}`;
  });
  expect(words).toEqual(due);
});

it('the list has each rule of what is due after a step, once', () => {
  const declared = inCode(/\bconst (\w+): AfterRule\b/gu);
  expect(declared.length).toBeGreaterThan(4);
  const [kernel = ''] = inCode(/\bkernelRules: readonly AfterRule\[\] = \[([^\]]*)\]/gu);
  const ofFeatures = inCode(/\bafter: \[([^\]]*Rule)\],/gu);
  expect([kernel, ...ofFeatures].flatMap((rules) => rules.split(', ')).toSorted()).toEqual(declared);
});

it('each kind of due work has a name of its own, and one handler', () => {
  expect(declaredKinds).toHaveLength(new Set(declaredKinds).size);
  const constants = inCode(/\bconst (\w+) = dueKind\(/gu);
  expect(constants).toHaveLength(declaredKinds.length);
  // These rows are never due: they only store facts for other work.
  const resting = new Set(['setBackKind', 'shownKind']);
  expect(inCode(/\bkind: (\w+),\s+atOnce\b/gu)).toEqual(constants.filter((name) => !resting.has(name)));
});
