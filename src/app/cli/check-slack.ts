import { features } from '../../features/index.ts';
import type { OutsidePorts } from '../../host/feature.ts';
import pino from 'pino';

import { tokenRefusals } from '../health/observe-calls.ts';
import { systemClock } from '../process/this-process.ts';
import { listedActor } from '../../model/values/actor.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { UsageError } from '../../program/run-program.ts';
import { secretOfEnvironment } from '../../program/secret-variables.ts';
import { isTeamMember as isIn } from '../../slack/web-api/directory.ts';
import { createSlackLanes } from '../../slack/web-api/web-client.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import { SlackError } from '../../slack/web-api/slack-error.ts';
import { createSecrets } from '../../config/environment/secrets.ts';
import { readEnvironment } from '../../config/environment/environment.ts';
import { slackHost, slackVariables } from '../../config/environment/variables.ts';
import type { Finding, Path } from '../../model/rulebook/finding.ts';
import type { Locate, LocatedFinding } from '../../config/yaml/findings.ts';

/**
 * Checks the ids of people, groups and channels, and runs the features' own checks.
 * @throws UsageError without a usable SLACK_BOT_TOKEN or SLACK_API_URL
 * @throws Error that says what to do if Slack does not answer
 */
export const checkSlack = (
  rulebook: Rulebook,
  locate: Locate,
  access = readAccess('--slack'),
): Promise<readonly LocatedFinding[]> =>
  withSlack(access, 'People, user groups and channels are not checked', async (api) =>
    locate(await findProblems(api, rulebook), 'warning'),
  );

/**
 * By id. People whom Slack does not know are omitted.
 * @param option the option that needs the names
 */
export const namesOf = (option: string, users: Iterable<string>): Promise<Readonly<Record<string, string>>> =>
  withSlack(readAccess(option), 'The names of people are not known', async (api) => {
    const names: Record<string, string> = {};
    for (const user of users) {
      const name = await nameOf(api, user);
      if (name !== undefined) names[user] = name;
    }
    return names;
  });

async function nameOf(api: SlackApi, user: string): Promise<string | undefined> {
  try {
    return (await api.person(user)).name;
  } catch (error) {
    if (error instanceof SlackError && gone.has(error.slackCode)) return undefined;
    throw error;
  }
}

async function withSlack<T>(
  access: SlackAccess,
  without: string,
  work: (api: SlackApi) => Promise<T>,
): Promise<T> {
  const lanes = createSlackLanes({ ...access, clock: systemClock, log: pino({ level: 'silent' }) });
  try {
    return await work(lanes.answers);
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const { call, slackCode, message } = error;
    throw new Error(`${without} (${call}: ${slackCode}). ${message}${nextAction(slackCode)}`, {
      cause: error,
    });
  } finally {
    await lanes.close();
  }
}

interface SlackAccess {
  readonly token: () => string;
  readonly slackApiUrl: string;
}

/** Unlike the bot, this also accepts a user's token, which may see more channels. @throws UsageError */
function readAccess(option: string): SlackAccess {
  const token = secretOfEnvironment('SLACK_BOT_TOKEN');
  if (!token) throw new UsageError(`Set SLACK_BOT_TOKEN, which ${option} needs.`);
  if (!/^[\x21-\x7e]+$/u.test(token)) throw new UsageError('SLACK_BOT_TOKEN has an invalid character.');
  return { token: () => token, slackApiUrl: readSlackApiUrl() };
}

/** @throws UsageError */
export function readSlackApiUrl(): string {
  const { production } = readEnvironment(process.env, process.cwd()).mode;
  const url = process.env.SLACK_API_URL?.trim() || slackHost;
  const { data: slackApiUrl, error } = slackVariables(production).shape.SLACK_API_URL.safeParse(url);
  if (error) throw new UsageError(`SLACK_API_URL ${error.issues.map(({ message }) => message).join(' ')}`);
  return slackApiUrl;
}

function nextAction(code: string): string {
  if (['unreachable', 'timeout', 'connection_lost'].includes(code))
    return ' Check SLACK_API_URL, the network and the proxy.';
  if (tokenRefusals.includes(code)) return ' Set SLACK_BOT_TOKEN to a valid token.';
  return ['http_404', 'unreadable_reply'].includes(code) ? ' SLACK_API_URL must end in /api/.' : '';
}

/** @throws SlackError if Slack does not answer */
async function findProblems(api: SlackApi, rulebook: Rulebook): Promise<readonly Finding[]> {
  const { teamId } = await api.authTest();
  const findings: Finding[] = [];
  const problems = new Map<string, Problem | undefined>();
  for (const one of idsIn(rulebook, teamId)) {
    const key = `${one.kind} ${one.id}`;
    const problem = problems.has(key) ? problems.get(key) : await problemWith(api, teamId, one);
    problems.set(key, problem);
    if (problem)
      findings.push({ path: one.path, text: `${one.id} ${problem.text} ${problem.advice}`.trimEnd() });
    if (problem?.code === 'missing_scope') break;
  }
  const ports = outsidePorts();
  for (const { checkOutside } of features)
    findings.push(...((await checkOutside?.(rulebook, api, ports)) ?? []));
  return findings;
}

function outsidePorts(): OutsidePorts {
  const { production } = readEnvironment(process.env, process.cwd()).mode;
  const secrets = createSecrets(process.env, process.env.BELLHOP_SECRETS_DIR || undefined, {
    learn: () => undefined,
  });
  const resolveSecret = (reference: string) => secrets.resolve(reference);
  return { production, resolveSecret, clock: systemClock, log: pino({ level: 'silent' }) };
}

interface Id {
  readonly path: Path;
  readonly id: string;
  readonly kind: keyof typeof looks;
  readonly what?: string;
}

/** Channels come last, because the bot has no scope to read them. People from other teams can't be looked up. */
function* idsIn(rulebook: Rulebook, ownTeam: string): Generator<Id> {
  const { policy } = rulebook;
  const roles = Object.entries(policy.roles);
  for (const [role, { users }] of roles)
    for (const [at, listed] of users.entries()) {
      const { team, user } = listedActor(listed, ownTeam);
      if (team === ownTeam) yield { kind: 'user', path: ['roles', role, 'users', at], id: user };
    }
  for (const [role, { usergroups }] of roles)
    for (const [at, id] of usergroups.entries())
      yield { kind: 'user group', path: ['roles', role, 'usergroups', at], id };
  for (const [rule, { channels = [] }] of policy.rules.entries())
    for (const [at, id] of channels.entries())
      yield { kind: 'channel', path: ['rules', rule, 'channels', at], id };
  for (const { channels } of features)
    for (const posted of channels?.(rulebook) ?? [])
      yield { kind: posted.what === undefined ? 'channel' : 'channel of a feature', ...posted };
}

interface Problem {
  /** Begins after the id. */
  readonly text: string;
  /** The next action for a file that has the id. */
  readonly advice: string;
  readonly code?: string;
}

const scopeProblem: Problem = {
  code: 'missing_scope',
  text: "was not checked, because the app can't look channels up without the scope channels:read (groups:read for private ones).",
  advice: 'Make sure that the id is right.',
};

const gone: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'user_not_visible',
  'no_such_subteam',
  'subteam_not_found',
  'channel_not_found',
]);

/** Returns the problem with an id, or undefined. @throws SlackError if Slack does not answer */
const looks = {
  async user(api: SlackApi, id: string, _: string, ownTeam: string) {
    const person = await api.person(id);
    const advice = 'Remove this id.';
    if (person.isDeleted) return { text: 'has left the workspace.', advice };
    if (person.isBot) return { text: 'is a bot, which holds no role.', advice };
    return isIn(person, ownTeam) ? undefined : { text: 'is not a member of your workspace.', advice };
  },
  'user group': async (api: SlackApi, id: string) =>
    (await api.usergroupMembers(id)).length === 0
      ? { text: 'has no members.', advice: 'Add people to it in Slack, or remove this id.' }
      : undefined,
  channel: async (api: SlackApi, id: string) => ((await api.channel(id)).isArchived ? archived : undefined),
  async 'channel of a feature'(api: SlackApi, id: string, what: string) {
    const { isArchived, isMember } = await api.channel(id);
    if (isArchived) return archived;
    const text = `does not have Bellhop as a member. ${what} are posted there, but mentions do nothing.`;
    return isMember === false ? { text, advice: 'Invite Bellhop.' } : undefined;
  },
} as const;

const archived: Problem = { text: 'is archived.', advice: 'Use another channel.' };

/** @throws SlackError if Slack does not answer */
export async function problemWith(
  api: SlackApi,
  ownTeam: string,
  { kind, id, what = '' }: Omit<Id, 'path'>,
): Promise<Problem | undefined> {
  try {
    return await looks[kind](api, id, what, ownTeam);
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const { slackCode: code } = error;
    const advice = kind.startsWith('channel') ? 'Fix the id, or invite Bellhop.' : 'Fix or remove this id.';
    if (gone.has(code)) return { text: "does not exist in Slack, or the bot can't see it.", advice, code };
    if (code === 'missing_scope' && kind.startsWith('channel')) return scopeProblem;
    throw error;
  }
}
