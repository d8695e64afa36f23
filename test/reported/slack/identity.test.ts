import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type Answers, input, openWorkspace } from './workspace.ts';
import { click } from './sent-payloads.ts';

/** Slack, for which `users.info` answers like this about everyone. */
const whoIs =
  (person: string): Answers =>
  (method, { user }) =>
    method === 'users.info' ? { user: { ...input(person), id: user } } : undefined;

const team = (id: string) => ({ user: { id: 'U0ALICE', username: 'alice', name: 'alice', team_id: id } });

const hangs: Answers = (method) => (method === 'users.info' ? new Promise(() => undefined) : undefined);

it.each(['reboot', 'reboot web-1', 'stop web-1'])(
  'users.info hangs: /cloud %s is answered in time',
  async (text) => {
    const world = await openWorkspace({ answers: hangs });
    const began = world.clock.now();
    const acknowledged = await world.send({ ...input('command'), text }, 3_000);
    expect(acknowledged).toMatchObject({ kind: 'command', status: 200 });
    expect(world.clock.now() - began).toBeLessThan(3_000);
    const [said, ...more] = world.heard();
    expect(said?.text).toMatch(/^Bellhop can't look up your roles in Slack right now/u);
    expect(more).toEqual([]);
    expect(await world.requests()).toEqual([]);
  },
);

describe('who belongs to our workspace is what users.info says', () => {
  it.each([
    ['a member of both workspaces, in the other one', 'grid-member-of-both', {}],
    [
      'with the organization as the team of everything',
      'grid-member-of-both',
      { ...team('E0ORG'), team: null },
    ],
    ['with the other workspace as the team of the click', 'grid-member-of-both', { team: { id: 'T0LABS' } }],
    ['with the organization as team_id of users.info', 'grid-member-org-id', team('E0ORG')],
    ['in a workspace without Enterprise Grid', 'member', { ...team('T0ACME'), enterprise: null }],
  ])('a click of the requester: %s', async (_, person, change) => {
    const world = await openWorkspace({ answers: whoIs(person) });
    await world.send(input('command'));
    const [proposed] = await world.requests();
    await world.send(click(proposed?.id ?? '', change));
    expect((await world.requests())[0]).toMatchObject({
      state: 'succeeded',
      requester: { team: 'T0ACME', user: 'U0ALICE' },
      place: { team: 'T0ACME', channel: 'C0OPS' },
    });
    expect(world.heard().map(({ method }) => method)).not.toContain('response_url');
  });

  it.each<[what: string, change: object]>([
    ['user.team_id', { user: { id: 'U0ALICE', team_id: null } }],
    ['message and response_url', { message: null, response_url: null }],
    ['view', { view: null }],
    [
      'container.thread_ts',
      { container: { ...z.looseObject({}).parse(input('click')['container']), thread_ts: null } },
    ],
  ])('a click whose %s is null', async (_, change) => {
    const world = await openWorkspace();
    await world.send(input('command'));
    const [proposed] = await world.requests();
    await world.send(click(proposed?.id ?? '', change));
    expect((await world.requests())[0]).toMatchObject({ state: 'succeeded' });
  });

  it.each(['team', 'user_team', 'thread_ts', 'channel_type'])('a mention whose %s is null', async (field) => {
    const world = await openWorkspace();
    const event = { ...z.looseObject({}).parse(input('mention')['event']), [field]: null };
    await world.send({ ...input('mention'), event });
    expect(await world.requests()).toHaveLength(1);
  });

  it.each([
    ['a command of the other workspace', { ...input('command'), team_id: 'T0LABS' }],
    ['a mention', input('mention')],
    ['a mention with ids of the organization', { ...input('mention'), team_id: 'E0ORG' }],
  ])('%s', async (_, payload) => {
    const world = await openWorkspace({ answers: whoIs('grid-member-of-both') });
    await world.send(payload);
    expect(await world.requests()).toMatchObject([
      { words: '/cloud reboot web-1', requester: { team: 'T0ACME' } },
    ]);
  });

  it('a form, and the Home tab', async () => {
    const world = await openWorkspace({ answers: whoIs('grid-member-of-both') });
    await world.send(input('form'));
    expect(world.heard()).toMatchObject([{ method: 'response_url' }]);
    await world.send(input('home'));
    expect(world.opened.join('')).toContain('responders');
  });

  const listed = { users: ['U0ALICE'], usergroups: [] };
  it.each([
    ['only of the other workspace, though listed as U…', 'grid-labs-only', {}],
    ['only of the other workspace, though Slack names ours', 'grid-labs-only', team('T0ACME')],
    ['of another organization', 'connect-stranger', team('T0OTHER')],
    ['of another organization, though Slack names ours', 'connect-stranger', team('T0ACME')],
  ])('refuses who is %s', async (_, person, change) => {
    const world = await openWorkspace({ roles: { responders: listed } });
    await world.send(input('command'));
    const [proposed] = await world.requests();
    world.answer(whoIs(person));
    await world.clock.advance(6 * 60_000);
    world.heard();
    await world.send(click(proposed?.id ?? '', change));
    expect((await world.requests())[0]).toMatchObject({ state: 'proposed' });
    expect(world.heard().map(({ text }) => text)).toEqual([
      'Bellhop takes commands only from members of the workspace it is installed in, and you are in another one. Nothing was done.',
    ]);
  });

  it('a guest acts only if listed by id', async () => {
    const world = await openWorkspace({ answers: whoIs('grid-guest') });
    await world.send(input('command'));
    expect(await world.requests()).toHaveLength(1);
    const stranger = await openWorkspace({ answers: whoIs('grid-guest') });
    await stranger.send({ ...input('command'), user_id: 'U0GUEST' });
    expect(await stranger.requests()).toEqual([]);
  });

  it.each([
    ['the workspace of the payload', 'T0LABS/U0ALICE'],
    ['another workspace of the organization', 'T0RND/U0ALICE'],
  ])('a role that lists a member with %s still holds', async (_, user) => {
    const world = await openWorkspace({
      answers: (method, given) =>
        whoIs(user.startsWith('T0RND') ? 'grid-member-org-id' : 'grid-member-of-both')(method, given),
      roles: { responders: { users: [user], usergroups: [] } },
    });
    await world.send(input('command'));
    expect(await world.requests()).toHaveLength(1);
  });

  it('without an answer, no one of another workspace may act, and the reason is given', async () => {
    const world = await openWorkspace({
      answers: (method) => (method === 'users.info' ? 'internal_error' : undefined),
    });
    await world.send({ ...input('command'), team_id: 'T0LABS' });
    expect(await world.requests()).toEqual([]);
    expect(world.heard().map(({ text }) => text)).toEqual([
      "Bellhop takes commands only from members of the workspace it is installed in, and Slack can't say whether you are one. Try again in a minute. If it keeps failing, contact the Bellhop admin. Nothing was done.",
    ]);
  });
});

/** Slack, which answers like this about the members of every user group. */
const groups =
  (code: string | object): Answers =>
  (method) =>
    method === 'usergroups.users.list' ? code : undefined;
const byGroup = (answers: Answers) =>
  openWorkspace({ answers, roles: { responders: { users: [], usergroups: ['S0GONE'] } } });

describe('a user group that Slack refuses to list is named', () => {
  const lost = 'no_such_subteam';
  const fact = 'Slack does not list the user group S0GONE';
  type World = Awaited<ReturnType<typeof openWorkspace>>;
  const logged = ({ log }: World) => log.lines.filter((line) => line.message.includes('S0GONE'));
  const inStatus = async (world: World) => {
    const [one] = world.context.withheld?.() ?? [];
    await world.send(input('home'));
    return { withheld: one, home: world.opened.splice(0).join('').includes(fact) };
  };

  it.each([
    ['a deleted or disabled group', lost],
    ['a workspace whose plan has no groups any more', 'plan_upgrade_required'],
    ['a group by its older name', 'subteam_not_found'],
    ['a scope that no header names', 'missing_scope'],
    ['an app without permission', 'permission_denied'],
    ['an app that is not in this workspace', 'team_access_not_granted'],
    ['a refusal that Bellhop does not know', 'subteams_are_frozen'],
  ])('%s', async (_, code) => {
    const world = await byGroup(groups(code));
    await world.send(input('command'));
    await world.send({ ...input('command'), text: 'reboot web-2', trigger_id: '9403.7102.bb2e' });
    expect(await world.requests()).toEqual([]);
    for (const { text: said } of world.heard()) {
      expect(said).toContain(
        `${fact} (${code}): no one holds a role through it. Ask the owner of bellhop.yaml`,
      );
      expect(said).not.toContain('Try again in a minute');
    }
    expect(logged(world)).toHaveLength(1);
    expect(await inStatus(world)).toMatchObject({ withheld: { group: 'S0GONE', code }, home: true });
  });

  it('and no longer once it is back', async () => {
    const world = await byGroup(groups(lost));
    await world.send(input('command'));
    world.answer(groups({ users: ['U0ALICE'] }));
    await world.send({ ...input('command'), trigger_id: '9403.7102.bb2e' });
    expect(await world.requests()).toHaveLength(1);
    expect(await inStatus(world)).toMatchObject({ withheld: undefined, home: false });
    expect(logged(world).map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it.each(['internal_error', 'ratelimited', 'service_unavailable'])('but not on %s', async (code) => {
    const world = await byGroup(groups(code));
    await world.send(input('command'));
    expect(world.heard()[0]?.text).toContain('Try again in a minute');
    expect(await inStatus(world)).toMatchObject({ withheld: undefined, home: false });
  });

  it('a role that someone holds otherwise needs no group', async () => {
    const world = await openWorkspace({
      answers: groups(lost),
      roles: { responders: { users: ['U0ALICE'], usergroups: ['S0GONE'] } },
    });
    await world.send(input('command'));
    expect(await world.requests()).toHaveLength(1);
  });
});

it.each(['', 'help', '--help'])(
  '/cloud %s says that roles can not be verified now, and what to do',
  async (words) => {
    const world = await openWorkspace({
      answers: (method) => (method === 'users.info' ? 'internal_error' : undefined),
      roles: { responders: { users: [], usergroups: ['S0ONCALL'] } },
    });
    for (const command of ['/cloud', '/bellhop']) {
      await world.send({ ...input('command'), command, text: words, trigger_id: `9403.${command}` });
      const said = world.heard().map((one) => one.text);
      expect(said).toHaveLength(1);
      expect(said[0]).toContain("Bellhop can't look up your roles in Slack right now");
      expect(said[0]).toContain('Try again in a minute');
      expect(said[0]).not.toContain("You can't run anything");
    }
  },
);
