import { describe, expect, it, vi } from 'vitest';

import { createRegistry } from '../../../src/command/grammar/registry.ts';
import type { Request } from '../../../src/model/records/request.ts';
import type { RequestOutcome } from '../../../src/model/records/outcome.ts';
import type { Requests } from '../../../src/model/records/requests.ts';
import { eachTarget, type Target, targetKey } from '../../../src/model/rulebook/target.ts';
import { draftLines, linesOn, recentLines } from '../../../src/slack/cards/card-lines.ts';
import { operations } from '../../../src/operations/index.ts';
import { slackDateTime } from '../../../src/slack/render/text.ts';
import { cardRenderer } from '../../../src/slack/cards/render-card.ts';
import { silentLog as log } from '../../log.ts';
import { draftKey } from '../../../src/model/records/request.ts';
import { aRequest, confirmed } from '../../sample-request.ts';
import { outlineMessage } from '../outline.ts';
import { rulebookOf } from './sample-card.ts';
import { rolloutStory } from './sample-whole.ts';

const startedAt = 1_763_600_000_000;
const waits = aRequest({ lastUnknownAt: startedAt });
const noLink = () => Promise.resolve(undefined);
const registry = createRegistry(operations, []);
const none = () => Promise.resolve([]);
const noLines = { standing: none, draft: none, others: [] };
const render = cardRenderer({
  registry: createRegistry([], []),
  rulebook: () => rulebookOf({ users: [], usergroups: [] }),
  disclaimers: [],
});

/** The warning on the card of a waiting request about the attempt before it, with this result of the search. */
async function warning(search: RequestOutcome['search'], others: readonly Request[] = []) {
  const attempt = confirmed({ id: 'r-before', state: 'unknown', startedAt, outcome: { search } });
  const store = { list: () => Promise.resolve([...others, attempt]) };
  const message = render(waits, await linesOn(noLines, store, log, noLink)(waits));
  return outlineMessage(message)
    .replaceAll(/<!date[^>]*>/gu, 'then')
    .match(/⚠️ The attempt[^⏎]*/u)?.[0]
    .trim();
}

const attempt = (target: Target | undefined, more: Partial<Request> = {}): Request =>
  confirmed({
    state: 'unknown',
    startedAt,
    ...(target && { target, targetKey: targetKey(target) }),
    ...more,
  });

it('the card of a rollout warns on the line of each target whose last attempt has an unknown outcome', async () => {
  const { proposed, running } = rolloutStory(4);
  if (!proposed || !running) throw new Error('no rollout');
  const [first, second, third] = eachTarget(proposed.target);
  const search = { sent, seen: 'No task.', suggests: 'failed' as const };
  const attempts = [
    attempt(third, { state: 'succeeded' }),
    attempt(first),
    attempt(second, { outcome: { search } }),
    attempt(third),
  ];
  const list = vi.fn<Requests['list']>(({ states = [], targetKey: key, limit }) =>
    Promise.resolve(
      attempts
        .filter((one) => states.includes(one.state) && (key === undefined || one.targetKey === key))
        .slice(0, limit),
    ),
  );
  const lines = async (request: Request) =>
    outlineMessage(render(request, await linesOn(noLines, { list }, log, noLink)(request)))
      .replaceAll(/<!date[^>]*>/gu, 'then')
      .match(/▫️[^\n]*/u)?.[0]
      .split(' ⏎ ');
  expect(await lines(proposed)).toEqual([
    '▫️ *web-1* waiting · ⚠️ The attempt on then has an unknown outcome and may have run',
    '▫️ *web-2* waiting · ⚠️ The attempt on then has an unknown outcome and most likely did not run',
    '▫️ *web-3* waiting',
    '▫️ *web-4* waiting',
  ]);
  // The lists of open requests and of unknown outcomes, and the last attempt at each of its three targets.
  expect(list).toHaveBeenCalledTimes(5);
  expect(list).toHaveBeenCalledWith(expect.objectContaining({ operation: proposed.operation }));
  expect(JSON.stringify(await lines(running))).not.toContain('attempt');
});

/** The line of web-3 on the card of the request while the other request is in the store. */
async function thirdLine(request: Request, other: Request, link?: string) {
  const list: Requests['list'] = ({ states = [] }) =>
    Promise.resolve([request, other].filter(({ state }) => states.includes(state)));
  const linesOf = linesOn(noLines, { list }, log, () => Promise.resolve(link));
  return outlineMessage(render(request, await linesOf(request))).match(/▫️ \*web-3\*.*/u)?.[0];
}

it('the card of a rollout that waits or is paused names and links the open request of a target', async () => {
  const { proposed, paused, running } = rolloutStory(3);
  if (!proposed || !paused || !running) throw new Error('no rollout');
  const [, , third] = eachTarget(proposed.target);
  const open = (more: Partial<Request>): Request =>
    attempt(third, { id: 'r-open', state: 'proposed', words: '/cloud stop web-3', ...more });
  const link = 'https://x.slack.com/archives/C1/p1';
  const said = `▫️ *web-3* waiting · ⚠️ has an open request by <@U0ALICE>: <${link}|/cloud stop web-3>, proposed. Finish or cancel it first.`;
  expect(await thirdLine(proposed, open({}), link)).toBe(said);
  expect(await thirdLine(paused, open({}), link)).toBe(said);
  const others = said
    .replace('<@U0ALICE>', '<@U0CAROL>')
    .replace('Finish or cancel', 'Ask <@U0CAROL> to finish or cancel');
  const carols = open({ requester: { team: 'T0ACME', user: 'U0CAROL' } });
  expect(await thirdLine(paused, carols, link)).toBe(others);
  expect(await thirdLine(proposed, open({ state: 'running' }))).toBe(
    '▫️ *web-3* waiting · ⚠️ has an open request by <@U0ALICE>: /cloud stop web-3, running. Wait until it ends.',
  );
  expect(await thirdLine(running, open({}), link)).toBe('▫️ *web-3* waiting');
  expect(await thirdLine(paused, open({ partOf: paused.id }), link)).toBe('▫️ *web-3* waiting');
  expect(await thirdLine(paused, open({ state: 'cancelled' }), link)).toBe('▫️ *web-3* waiting');
});

it('a paused rollout warns of the last request for a target that waits, also before Continue, but not of its own', async () => {
  const { paused } = rolloutStory(3);
  if (!paused) throw new Error('no rollout');
  const [, second, third] = eachTarget(paused.target);
  const shown = async (unknown: Request) => {
    const list: Requests['list'] = ({ states = [], targetKey: key }) =>
      Promise.resolve(
        states.includes('unknown') && (key ?? unknown.targetKey) === unknown.targetKey ? [unknown] : [],
      );
    const message = render(paused, await linesOn(noLines, { list }, log, noLink)(paused));
    return { text: outlineMessage(message), dialog: JSON.stringify(message.blocks) };
  };
  const before = await shown(attempt(third, { startedAt }));
  expect(before.text).toMatch(
    /\*web-3\* waiting · ⚠️ The attempt on .* has an unknown outcome and may have run/u,
  );
  expect(before.dialog).toContain('Another request for web-3 may have run. ');
  const unlikely = await shown(attempt(third, { outcome: { search: { sent, suggests: 'failed' } } }));
  expect(unlikely.dialog).toContain(
    'Another request for web-3 most likely did not run. Continue runs it now. ',
  );
  const own = await shown(attempt(second, { partOf: paused.id }));
  expect(own.text).not.toContain('The attempt on');
});

const sent = { from: 0, to: 1 };

it('a card carries what was found of the attempt before, whose outcome is unknown', async () => {
  expect(await warning({ sent, seen: 'No task, so it most likely did not run.', suggests: 'failed' })).toBe(
    '⚠️ The attempt on then has an unknown outcome. No task, so it most likely did not run.',
  );
  expect(await warning({ sent, seen: 'Task t-1 was created when this was sent.', mayHaveRun: true })).toBe(
    '⚠️ The attempt on then has an unknown outcome and may have run. Task t-1 was created when this was sent. Check before you run it again.',
  );
});

it('a card warns of the attempt before if nothing was found, and also without the store', async () => {
  const plain =
    '⚠️ The attempt on then has an unknown outcome and may have run. Check before you run it again.';
  const other = confirmed({
    state: 'unknown',
    startedAt: startedAt - 1,
    outcome: { search: { sent, seen: 'No.', suggests: 'failed' } },
  });
  expect(await warning(undefined, [other])).toBe(plain);
  const running = { ...waits, state: 'running', startedAt } as const;
  expect(outlineMessage(render(running, {}))).not.toContain('The attempt');
  const away = { list: () => Promise.reject(new Error('away')) };
  expect(await linesOn(noLines, away, log, noLink)(waits)).toEqual({});
});

it('a card says who has just changed the target, and only what is known of that', async () => {
  const recent = confirmed({
    id: 'r-recent',
    state: 'succeeded',
    requester: { team: 'T0ACME', user: 'U0CAROL' },
    endedAt: startedAt,
  });
  const find = vi.fn<Requests['find']>(() => Promise.resolve(recent));
  const lines = recentLines({ store: { find }, registry, linkTo: noLink });
  expect(await lines(aRequest())).toEqual([]);
  expect(find).not.toHaveBeenCalled();
  const after = aRequest({ recentChange: recent.id });
  const at = { at: startedAt };
  expect(await lines(after)).toEqual([[{ person: 'U0CAROL' }, ' ran reboot web-1 on ', at, '.']]);
  find.mockResolvedValue({ ...recent, outcome: { tasks: { ids: ['t-1'], finished: true } } });
  expect(await lines(after)).toEqual([[{ person: 'U0CAROL' }, ' rebooted web-1 on ', at, '.']]);
  find.mockResolvedValue(undefined);
  expect(await lines(after)).toEqual([]);
});

it('a card says where the rollout is that includes its target, with a link', async () => {
  const { running, paused, stopping, done, 'paused at the end': last } = rolloutStory(4);
  const link = 'https://x.slack.com/archives/C1/p1';
  const find = vi.fn<Requests['find']>();
  const lines = recentLines({ store: { find }, registry, linkTo: () => Promise.resolve(link) });
  const line = async (whole: Request | undefined, at: number, to = lines) => {
    find.mockResolvedValue(whole);
    const [target] = eachTarget(rolloutStory(4)['proposed']?.target ?? waits.target).slice(at);
    const request = aRequest({ recentChange: 'r-whole', ...(target && { target }) });
    const store = { list: () => Promise.resolve([]) };
    const shown = await linesOn({ ...noLines, others: [to] }, store, log, noLink)(request);
    return outlineMessage(render(request, shown)).match(/⚠️ [^⏎]*(?= ⏎)/u)?.[0];
  };
  const opening = `⚠️ <@U0ALICE>'s rollout <${link}|Reboot 4 × tier=web>`;
  const time = slackDateTime(paused?.rollout?.paused?.at ?? 0);
  const unknown = 'The outcome for web-2 is unknown.';
  const pausedAt = `${opening} paused at web-2 on ${time}`;
  expect(await line(paused, 2)).toBe(`${pausedAt}; web-3 comes after web-2. ${unknown}`);
  expect(await line(paused, 1)).toBe(`${pausedAt}. ${unknown}`);
  const likely = paused?.rollout?.lines.map((one) => ({ ...one, evidence: 'failed' as const }));
  const unlikely = paused?.rollout && likely && { ...paused, rollout: { ...paused.rollout, lines: likely } };
  expect(await line(unlikely, 1)).toBe(`${pausedAt}. The change most likely did not run on web-2.`);
  const now = `${opening} was at web-2 on ${time}`;
  expect(await line(running, 2)).toBe(`${now}; web-3 comes after web-2.`);
  expect(await line(running, 0)).toBe(`${now}; web-1 comes before web-2.`);
  expect(await line(stopping, 2)).toBe(`${opening} stops after web-2.`);
  expect(await line(last, 0)).toContain('; web-1 comes before web-4. The outcome for web-4 is unknown.');
  const unlinked = recentLines({ store: { find }, registry, linkTo: noLink });
  expect(await line(paused, 2, unlinked)).toContain(
    "<@U0ALICE>'s rollout Reboot 4 × tier=web paused at web-2",
  );
  for (const whole of [undefined, done]) expect(await line(whole, 2)).toBeUndefined();
  find.mockResolvedValue(paused);
  const [fifth] = eachTarget(rolloutStory(5)['proposed']?.target ?? waits.target).slice(4);
  expect(await lines(aRequest({ recentChange: 'r-whole', ...(fifth && { target: fifth }) }))).toEqual([]);
});

it('a card says when the rollout stopped before its target, or that the rollout has changed the target', async () => {
  const { paused, stopped, done } = rolloutStory(4);
  const find = vi.fn<Requests['find']>();
  const linesOf = recentLines({ store: { find }, registry, linkTo: noLink });
  const lines = (whole: Request | undefined, index: number) => {
    find.mockResolvedValue(whole);
    const target = whole && eachTarget(whole.target)[index];
    return linesOf(aRequest({ recentChange: 'r-whole', ...(target && { target }) }));
  };
  const person = { person: 'U0ALICE' };
  const link = { text: 'Reboot 4 × tier=web', link: undefined };
  const at = { at: stopped?.endedAt };
  expect(await lines(stopped, 3)).toEqual([
    ['', person, "'s rollout ", link, ' stopped on ', at, ', before web-4.'],
  ]);
  const then = { at: stopped?.rollout?.lines[0]?.at };
  expect(await lines(stopped, 0)).toEqual([[person, ' ran reboot web-1 on ', then, '.']]);
  const back = done?.rollout?.lines.map((line) => ({ ...line, isBack: true as const }));
  const isBack = done?.rollout && back && { ...done, rollout: { ...done.rollout, lines: back } };
  expect(await lines(isBack, 0)).toEqual([[person, ' rebooted web-1 on ', then, '.']]);
  const waitsToContinue = paused && { ...paused, state: 'proposed' as const };
  expect((await lines(waitsToContinue, 2))[0]).toContain(' paused at web-2 on ');
});

it('a card that awaits approval while something bars the change does not say that it runs as soon as it is approved', async () => {
  const request = aRequest({ state: 'awaiting approval' });
  const [store, held] = [
    { list: () => Promise.resolve([]) },
    [
      {
        label: 'Held now',
        noun: 'hold',
        said: ['web-1 is held'],
        by: request.requester,
        until: request.expiresAt,
      },
    ],
  ];
  const shown = async (lines: typeof held, card = request) => {
    const standing = () => Promise.resolve(lines);
    return outlineMessage(render(card, await linesOn({ ...noLines, standing }, store, log, noLink)(card)));
  };
  expect(await shown([])).toContain("Needs one approval; runs as soon as it's approved.");
  const barred = await shown(held);
  expect(barred).toMatch(
    /web-1 is held\. ⏎ .*Needs one approval\. \*Approve\* works once <@U0ALICE>'s hold has ended \(by <!date[^>]*>\)\./u,
  );
  expect(barred).not.toContain('as soon as');
  const longer = held.map((one) => ({ ...one, until: one.until + 60_000 }));
  const first =
    /This request expires at <!date[^>]*>, before the hold ends \(<!date[^>]*>\)\. Ask <@U0ALICE> to release it, or request it again then\./u;
  expect(await shown(longer)).toMatch(first);
  expect(await shown(longer)).not.toContain('works once');
  expect(await shown(longer, aRequest({ state: 'proposed' }))).toMatch(first);
  expect(await shown(held, aRequest({ state: 'proposed' }))).not.toContain('This request expires');
});

describe('the card of a break-glass request', () => {
  const waiting = aRequest({ id: 'r-waiting', requester: { team: 'T0LOCAL', user: 'U0CAROL' } });
  const draft = aRequest({ targetKey: draftKey(waiting.id), breakGlass: 'the shop is down' });
  const link = 'https://x.slack.com/archives/C1/p1';
  const linesOf = (older: Request) =>
    draftLines({
      store: { find: (id) => Promise.resolve(id === older.id ? older : undefined) },
      registry,
      linkTo: () => Promise.resolve(link),
    });

  it("says whose waiting request stays open until it's confirmed", async () => {
    const lines = linesOf(waiting);
    expect(await lines(aRequest())).toEqual([]);
    expect(await lines(draft)).toEqual([
      [
        { person: 'U0CAROL' },
        "'s request r-waiting, which waits for approval, stays open until you confirm, and is then cancelled.",
      ],
    ]);
    expect(await lines({ ...draft, targetKey: draftKey('r-gone') })).toEqual([]);
  });

  it('that was closed begins with the approved request that runs, and offers no other', async () => {
    const closed = { ...draft, state: 'cancelled', endedAt: startedAt } as const;
    const store = { list: none };
    const shown = async (older: Request) => {
      const lines = linesOn({ ...noLines, draft: linesOf(older) }, store, log, noLink);
      return outlineMessage(render(closed, await lines(closed)));
    };
    const ran = await shown({ ...waiting, state: 'running', startedAt });
    expect(ran.replaceAll(/<!date[^>]*>/gu, 'then')).toContain(
      `section: *<${link}|Reboot web-1> was started on then by <@U0CAROL>'s approved request.* ⏎ 🚫 *Cloud.reboot web-1: cancelled* · This break-glass request was closed. It sent nothing.`,
    );
    expect(ran).not.toContain('Request again');
    expect(await shown({ ...waiting, state: 'refused' })).toContain('Request again');
  });
});
