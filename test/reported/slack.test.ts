import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type Answers, input, openWorkspace } from './slack-workspace.ts';

/** Slack, for which `users.info` answers like this about everyone. */
const whoIs =
  (person: string): Answers =>
  (method, { user }) =>
    method === 'users.info' ? { user: { ...input(person), id: user } } : undefined;

const click = (id: string, change: object = {}) => {
  const pressed = input('click');
  const [action] = z.tuple([z.looseObject({})], z.unknown()).parse(pressed['actions']);
  return { ...pressed, actions: [{ ...action, value: id }], ...change };
};
const team = (id: string) => ({ user: { id: 'U0ALICE', username: 'alice', name: 'alice', team_id: id } });

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

  it.each([
    ['a command of the other workspace', { ...input('command'), team_id: 'T0LABS' }],
    ['a mention', input('mention')],
    ['a mention with ids of the organization', { ...input('mention'), team_id: 'E0ORG' }],
  ])('%s', async (_, payload) => {
    const world = await openWorkspace({ answers: whoIs('grid-member-of-both') });
    world.context.clock.now = () => 1_763_694_001_000;
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
      "Bellhop takes commands only from members of the workspace it is installed in, and Slack can't say whether you are one. Try again in a minute. If it keeps failing, ask the owner of bellhop.yaml. Nothing was done.",
    ]);
  });
});
