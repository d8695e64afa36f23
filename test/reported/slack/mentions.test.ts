import { describe, expect, it } from 'vitest';

import { type Answers, input, openWorkspace } from './workspace.ts';
import { codeOf, message, text } from './sent-payloads.ts';

/** Slack, with Bob and one user group, whose handle only `usergroups.list` has. */
const named: Answers = (method, { user }) => {
  if (method === 'usergroups.list')
    return { usergroups: [{ id: 'S0DB', handle: 'db-team', name: 'Databases' }] };
  if (method === 'users.info' && user === 'U0GONE') return 'user_not_found';
  return method === 'users.info' && user === 'U0BOB'
    ? { user: { ...input('member'), id: user, real_name: 'Bob "<!here>" Stone' } }
    : undefined;
};

describe('someone whom a reason mentions has a name', () => {
  const bob = '@Bob "<!here>" Stone';
  it.each<[what: string, payload: object, reason: string]>([
    [
      'a slash command',
      { ...input('command'), text: 'reboot web-2 --reason "asked by <@U0BOB|bob>"' },
      `asked by ${bob}`,
    ],
    [
      'without labels, a person twice and a group',
      {
        ...input('command'),
        text: 'reboot web-2 --reason "<@U0BOB>, <@U0BOB>: ask <!subteam^S0DB>"',
      },
      `${bob}, ${bob}: ask @db-team`,
    ],
    [
      'a message',
      message([text(' reboot web-2 --reason "asked by '), { type: 'user', user_id: 'U0BOB' }, text('" ')]),
      `asked by ${bob}`,
    ],
    [
      'a group in a message',
      message([text(' reboot web-2 --reason="('), { type: 'usergroup', usergroup_id: 'S0DB' }, text(')"')]),
      '(@db-team)',
    ],
    [
      'someone whom Slack no longer has, and a word like a group',
      { ...input('command'), text: 'reboot web-2 --reason "<@U0GONE> of @SRES, mail bob@U0BOB"' },
      '@U0GONE of @SRES, mail bob@U0BOB',
    ],
  ])('%s', async (_, payload, reason) => {
    const world = await openWorkspace({ answers: named });
    await world.send(payload);
    const [proposed] = await world.requests();
    expect(proposed?.reason).toBe(reason);
    const shown = reason.replaceAll('<!here>', '&lt;!here&gt;');
    expect(JSON.parse(world.posted()[0] ?? '[]')).toContainEqual(
      expect.objectContaining({
        text: expect.objectContaining({ text: expect.stringContaining(shown) as string }) as object,
      }),
    );
    const entries = await world.store.audit({ requestId: proposed?.id ?? '', limit: 5 });
    expect(entries.map((entry) => entry.reason)).toContain(reason);
  });

  it('in the form of a command', async () => {
    const world = await openWorkspace({ answers: named });
    await world.send({ ...input('command'), text: 'stop --reason "asked by <@U0BOB>"' });
    const shown = world.opened.join('');
    expect(shown).toContain(`asked by ${bob}`.replaceAll('"', String.raw`\"`));
  });

  it('and a message that Slack delivers again late still gets its request named', async () => {
    const world = await openWorkspace({ answers: named });
    const words = [text(' reboot web-2 --reason "asked by '), { type: 'user', user_id: 'U0BOB' }, text('"')];
    const asked = message(words, { ts: `${Math.floor(world.clock.now() / 1_000)}.000100` });
    await world.send(asked);
    const [proposed] = await world.requests();
    await world.clock.advance(20 * 60_000);
    world.heard();
    world.answer((method, { user }) =>
      method === 'users.info' && user === 'U0BOB' ? 'internal_error' : undefined,
    );
    await world.send(asked);
    expect(world.heard()).toMatchObject([
      { text: expect.stringContaining(`already received it: request ${proposed?.id}`) as string },
    ]);
  });

  it('a reason that a name would make too long keeps the id', async () => {
    const world = await openWorkspace({ answers: named });
    const long = `${'x'.repeat(480)} <@U0BOB>`;
    await world.send({ ...input('command'), text: `reboot web-2 --reason "${long}"` });
    expect((await world.requests())[0]?.reason).toMatch(/x @U0BOB$/u);
  });
});

describe('a mention that is not at the start of a message', () => {
  const toBellhop = { type: 'user', user_id: 'U0BELLHOP' };
  it.each([
    ['reboot web-5 <@U0BELLHOP>', 1],
    ['hey <@U0BELLHOP|bellhop> reboot web-5', 1],
    ['thanks <@U0BELLHOP>', 0],
    ['reboot web-5 <@U0BOB>', 0],
  ])('without rich text: %s', async (words, hints) => {
    const world = await openWorkspace();
    await world.send(message([], { blocks: undefined, text: words }));
    expect(await world.requests()).toEqual([]);
    expect(world.heard()).toHaveLength(hints);
  });

  it.each<[what: string, elements: readonly object[], hints: number]>([
    ['behind a command', [text('reboot web-5 '), toBellhop], 1],
    ['behind a command in code', [codeOf('/cloud reboot web-5'), text(' '), toBellhop, text('!')], 1],
    ['behind an area and a verb', [text('Cloud reboot web-5 '), toBellhop], 1],
    ['before one', [text('hey '), toBellhop, text(' reboot web-5')], 1],
    ['behind thanks', [text('thanks '), toBellhop], 0],
    ['behind words about a command', [text('who may reboot web-5? '), toBellhop], 0],
    ['of someone else', [text('reboot web-5 '), { type: 'user', user_id: 'U0BOB' }], 0],
  ])('%s', async (_, elements, hints) => {
    const world = await openWorkspace();
    const section = { type: 'rich_text_section', elements };
    await world.send(message([], { blocks: [{ type: 'rich_text', block_id: 'Kx2', elements: [section] }] }));
    expect(await world.requests()).toEqual([]);
    const heard = world.heard();
    expect(heard).toHaveLength(hints);
    for (const { text: said } of heard) expect(said).toMatch(/^To run a command, start the message with/u);
  });
});
