import { z } from 'zod';
import { APP, botMember, emailOf, PEOPLE, TEAM, USERGROUPS } from '../conversations/directory.ts';
import { slackUser } from '../conversations/slack-objects.ts';
import type { Workspace } from '../workspace.ts';
import { flag, page, pageOf } from './arguments.ts';
import { method, MethodError } from './method.ts';

function everyone({ manifest }: Workspace) {
  return [...PEOPLE, botMember(manifest.name)];
}

const authTest = method({
  name: 'auth.test',
  token: 'any',
  scopes: [],
  input: z.object({}),
  run: (workspace) => ({
    url: `${workspace.origin}/`,
    team: TEAM.name,
    user: botMember(workspace.manifest.name).name,
    team_id: TEAM.id,
    user_id: APP.user_id,
    bot_id: APP.bot_id,
    app_id: APP.id,
    is_enterprise_install: false,
  }),
});

const userInfo = method({
  name: 'users.info',
  token: 'bot',
  scopes: ['users:read'],
  input: z.object({ user: z.string() }),
  run(workspace, { user }) {
    const found = everyone(workspace).find(({ id }) => id === user);
    if (found === undefined) throw new MethodError('user_not_found');
    return { user: slackUser(workspace, found) };
  },
});

const lookupByEmail = method({
  name: 'users.lookupByEmail',
  token: 'bot',
  scopes: ['users:read.email'],
  input: z.object({ email: z.string() }),
  run(workspace, { email }) {
    const found = PEOPLE.find((person) => emailOf(person) === email.trim().toLowerCase());
    if (found === undefined) throw new MethodError('users_not_found');
    return { user: slackUser(workspace, found) };
  },
});

const userList = method({
  name: 'users.list',
  token: 'bot',
  scopes: ['users:read'],
  input: z.object(page(1_000, 1_000)),
  run(workspace, asked) {
    const { items, next } = pageOf(everyone(workspace), asked);
    return {
      members: items.map((person) => slackUser(workspace, person)),
      cache_ts: Math.floor(workspace.clock.now() / 1_000),
      response_metadata: { next_cursor: next },
    };
  },
});

const teamInfo = method({
  name: 'team.info',
  token: 'bot',
  scopes: ['team:read'],
  input: z.object({ team: z.string().optional() }),
  run(_workspace, { team = TEAM.id }) {
    if (team !== TEAM.id) throw new MethodError('team_not_found');
    return { team: { id: TEAM.id, name: TEAM.name, domain: TEAM.domain } };
  },
});

const usergroupList = method({
  name: 'usergroups.list',
  token: 'bot',
  scopes: ['usergroups:read'],
  input: z.object({ include_users: flag }),
  run: (_workspace, { include_users }) => ({
    usergroups: USERGROUPS.map(({ id, handle, name, users }) => ({
      id,
      team_id: TEAM.id,
      is_usergroup: true,
      handle,
      name,
      description: '',
      is_external: false,
      date_delete: 0,
      user_count: users.length,
      users: include_users ? users : undefined,
    })),
  }),
});

const usergroupUsers = method({
  name: 'usergroups.users.list',
  token: 'bot',
  scopes: ['usergroups:read'],
  input: z.object({ usergroup: z.string() }),
  run(_workspace, { usergroup }) {
    const group = USERGROUPS.find(({ id }) => id === usergroup);
    if (group === undefined) throw new MethodError('no_such_subteam');
    return { users: group.users };
  },
});

export const peopleMethods = [
  authTest,
  teamInfo,
  userInfo,
  lookupByEmail,
  userList,
  usergroupList,
  usergroupUsers,
];
