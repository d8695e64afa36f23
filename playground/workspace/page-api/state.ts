import {
  APP,
  botMember,
  PEOPLE,
  TEAM,
  USERGROUPS,
  type Conversation,
  type Member,
} from '../conversations/directory.ts';
import { LIMITS } from '../limits.ts';
import { shownCommands } from '../manifest.ts';
import { shownMessage } from '../conversations/messages.ts';
import type { Channel, Person, State } from '../protocol.ts';
import { shownView } from '../views/views.ts';
import { botIsMember, conversationsOf, shownDrills, type Workspace } from '../workspace.ts';

/** The workspace can't know what the app does elsewhere. The messages of the app say whether they touch anything real. */
const noticeOf = ({ settings }: Workspace): string =>
  settings.service === undefined
    ? 'A local stand-in for Slack. No message leaves this machine, but what the app does elsewhere may be real.'
    : 'A local stand-in for Slack and a local service. No message leaves this machine.';

/** Everything that a page shows to a person. */
export function stateFor(workspace: Workspace, person: Member, session: string): State {
  const { manifest, views, bus } = workspace;
  const home = views.home(person.id);
  return {
    notice: noticeOf(workspace),
    team: { id: TEAM.id, name: TEAM.name },
    app: { id: APP.id, name: manifest.name, bot_user_id: APP.user_id },
    as: person.id,
    people: [...PEOPLE, botMember(manifest.name)].map(shownPerson),
    usergroups: USERGROUPS.map(({ id, handle, name }) => ({ id, handle, name })),
    channels: conversationsOf(workspace, person.id).map((conversation) =>
      shownChannel(workspace, conversation, person),
    ),
    commands: shownCommands(manifest),
    shortcuts: [...manifest.shortcuts],
    home: home === undefined ? null : shownView(home),
    modals: views
      .stack(session)
      .filter(({ user }) => user === person.id)
      .map(shownView),
    drills: shownDrills(workspace),
    event_id: bus.lastId(),
  };
}

function shownPerson({ id, team_id, name, real_name, title, tz, kind }: Member): Person {
  return {
    id,
    team_id,
    name,
    real_name,
    title,
    tz,
    is_bot: kind === 'bot',
    is_restricted: kind === 'guest',
    is_stranger: kind === 'stranger',
  };
}

function shownChannel(workspace: Workspace, conversation: Conversation, person: Member): Channel {
  const { id, kind, name, topic } = conversation;
  return {
    id,
    kind,
    name: kind === 'im' ? workspace.manifest.name : name,
    topic,
    bot_is_member: botIsMember(workspace, conversation),
    messages: workspace.history
      .list(id, LIMITS.shownMessages, person.id)
      .map((message) => shownMessage(workspace, message)),
  };
}
