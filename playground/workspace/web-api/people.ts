import { z } from 'zod';
import { APP, botMember, emailOf, PEOPLE, TEAM, USERGROUPS } from '../conversations/directory.ts';
import { slackUser } from '../conversations/slack-objects.ts';
import type { Workspace } from '../workspace.ts';
import { flag } from './arguments.ts';
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
  input: z.object({}),
  run: (workspace) => ({
    members: everyone(workspace).map((person) => slackUser(workspace, person)),
    cache_ts: Math.floor(workspace.clock.now() / 1_000),
    response_metadata: { next_cursor: '' },
  }),
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

export const peopleMethods = [authTest, userInfo, lookupByEmail, userList, usergroupList, usergroupUsers];
