import pino from 'pino';

import { systemClock } from '../process/system-clock.ts';
import { listedActor } from '../../core/model/actor.ts';
import type { Rulebook } from '../../core/model/rulebook.ts';
import { UsageError } from '../../program/run-program.ts';
import { createSlackLanes } from '../../slack/web-api/lanes.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import { SlackError } from '../../slack/web-api/slack-error.ts';
import { slackHost } from '../../config/environment/variables.ts';
import type { Finding, LocatedFinding, Path } from '../../config/rulebook/findings.ts';
import type { Locate } from '../../config/rulebook/yaml-file.ts';

/**
 * People who left, and groups and channels that are gone, as Slack knows them now.
 * @throws UsageError without SLACK_BOT_TOKEN, SlackError where Slack cannot be asked at all
 */
export async function checkSlack(rulebook: Rulebook, locate: Locate): Promise<readonly LocatedFinding[]> {
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: url } = process.env;
  const slackApiUrl = (url || slackHost).replace(/\/?$/u, '/');
  if (!token) throw new UsageError('Set SLACK_BOT_TOKEN: --slack asks Slack with it.');
  const log = pino({ level: 'silent' });
  const lanes = createSlackLanes({ token, slackApiUrl, clock: systemClock, log });
  try {
    const { teamId } = await lanes.answers.authTest();
    const findings: Finding[] = [];
    for (const { path, id, kind } of idsIn(rulebook, teamId)) {
      const text = await problemWith(lanes.answers, kind, id);
      if (text !== undefined) findings.push({ path, text });
      if (text === scopeProblem) break;
    }
    return locate(findings, 'warning');
  } finally {
    await lanes.close();
  }
}

type Kind = 'user' | 'usergroup' | 'channel';

interface Id {
  readonly path: Path;
  readonly id: string;
  readonly kind: Kind;
}

/** Channels last: the bot itself has no scope to look at them. People of other teams cannot be looked up. */
function idsIn({ policy, announce }: Rulebook, ownTeam: string): readonly Id[] {
  const users = Object.entries(policy.roles).flatMap(([role, { users: listed }]) =>
    listed.flatMap((user, index): readonly Id[] => {
      const { team, user: id } = listedActor(user, ownTeam);
      return team === ownTeam ? [{ path: ['roles', role, 'users', index], id, kind: 'user' }] : [];
    }),
  );
  const groups = Object.entries(policy.roles).flatMap(([role, { usergroups }]) =>
    usergroups.map((id, index): Id => {
      return { path: ['roles', role, 'usergroups', index], id, kind: 'usergroup' };
    }),
  );
  const channels = policy.rules.flatMap((rule, at) =>
    (rule.channels ?? []).map((id, index): Id => ({
      path: ['rules', at, 'channels', index],
      id,
      kind: 'channel',
    })),
  );
  const told = announce.breakGlass;
  return [
    ...users,
    ...groups,
    ...channels,
    ...(told === undefined
      ? []
      : [{ path: ['announce', 'break_glass'], id: told, kind: 'channel' as const }]),
  ];
}

const scopeProblem =
  'cannot be looked up, nor can any other channel: the token has no scope channels:read or groups:read.';

/** Slack's codes of what is not there. */
const gone: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'no_such_subteam',
  'subteam_not_found',
  'channel_not_found',
]);

/** @throws SlackError where Slack cannot tell */
async function problemWith(api: SlackApi, kind: Kind, id: string): Promise<string | undefined> {
  try {
    if (kind === 'user') return (await api.person(id)).isDeleted ? 'has left: take this id out.' : undefined;
    if (kind === 'channel') return (await api.channelIsArchived(id)) ? 'is archived.' : undefined;
    return (await api.usergroupMembers(id)).length === 0 ? 'has no members.' : undefined;
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    if (gone.has(error.slackCode)) return `Slack knows no such ${kind}, or the bot cannot see it.`;
    if (error.slackCode === 'missing_scope' && kind === 'channel') return scopeProblem;
    throw error;
  }
}
