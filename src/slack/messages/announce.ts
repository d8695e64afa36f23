import { createHash } from 'node:crypto';

import { listedActor } from '../../model/values/actor.ts';
import type { Clock, Deliveries, Log } from '../../model/ports.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { counted } from '../../text/words.ts';
import {
  type Message,
  header,
  disclaimerBlocks,
  preformatted,
  section,
  textMessage,
} from '../render/blocks.ts';
import { clip } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import type { StoredCheckpoint } from '../../model/records/sealed-log.ts';

interface BrokenRulesPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'usergroupMembers'>;
  readonly store: Pick<Deliveries, 'claimOnce'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly ownTeam: string;
  readonly disclaimers: readonly string[];
}

/** In milliseconds. The same problems are not announced again within this time, because several replicas read the same file. */
const sameNewsMs = 15 * 60_000;
/** In milliseconds. The pauses before each attempt. After the last attempt, the problem is only in the log. */
const tries = [0, 2000, 10_000, 60_000, 300_000, 900_000];

/** Notifies people of a rejected `bellhop.yaml`. The problem is also in the log and the audit log. Never rejects. */
export function createRulesNotifier(ports: BrokenRulesPorts) {
  const { store, clock, log } = ports;
  const told = new Map<string, string>();
  let broken: string | undefined;

  const logging = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'could not notify people of the invalid bellhop.yaml');
    }
  };
  return {
    /** Notifies the owners of the rules that the changed file was rejected, and why. */
    rejected: (rulebook: Rulebook, problems: readonly string[]): Promise<void> =>
      logging(async () => {
        const news = createHash('sha256').update(problems.join('\n')).digest('base64url');
        broken = news;
        if (!(await store.claimOnce(`broken rules ${news}`, clock.now(), sameNewsMs))) return;
        const message = renderBrokenRules(problems, ports.disclaimers);
        const people = await whoMinds(ports, rulebook);
        if (people.length === 0)
          log.warn({}, 'no one is configured to be notified of the invalid bellhop.yaml');
        const isNews = (): boolean => broken === news;
        await Promise.all(
          people.map(async (user) => {
            if (await tell(ports, user, message, isNews)) told.set(user, news);
          }),
        );
      }),
    /** Notifies the same people once a valid file is in force. */
    mended: (): Promise<void> =>
      logging(async () => {
        broken = undefined;
        const people = [...told];
        told.clear();
        const message = textMessage(mendedRules, ports.disclaimers);
        await Promise.all(
          people.map(async ([user, news]) => {
            const isFirst = await store.claimOnce(`mended rules ${news} ${user}`, clock.now(), sameNewsMs);
            if (isFirst) await tell(ports, user, message, () => broken === undefined);
          }),
        );
      }),
  };
}

export function renderBrokenRules(problems: readonly string[], disclaimers: readonly string[]): Message {
  const text = 'The new bellhop.yaml is invalid. The previous rules stay in force.';
  return {
    text,
    blocks: [
      header('The new bellhop.yaml is invalid'),
      section(`${text} Fix these problems. The file is then reloaded automatically.`),
      preformatted(clip(problems.join('\n'), limits.text)),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}

const mendedRules = 'bellhop.yaml is valid again. The new rules are in force.';

async function whoMinds(
  { api, log, ownTeam }: BrokenRulesPorts,
  { announce, policy }: Rulebook,
): Promise<readonly string[]> {
  const roles = announce.brokenRules.flatMap((name) => policy.roles[name] ?? []);
  const listed = roles
    .flatMap(({ users }) => users.map((user) => listedActor(user, ownTeam)))
    .filter(({ team }) => team === ownTeam);
  const groups = new Set(roles.flatMap(({ usergroups }) => usergroups));
  const membersOf = (group: string): Promise<readonly string[]> =>
    api.usergroupMembers(group).catch((error: unknown) => {
      log.warn(
        { err: error, group },
        'could not read the members of a user group to notify them of the invalid bellhop.yaml',
      );
      return [];
    });
  const members = await Promise.all([...groups].map(membersOf));
  return [...new Set([...listed.map(({ user }) => user), ...members.flat()])];
}

/** @returns whether the person was notified; false if the news is outdated, or if Slack is unavailable for long */
async function tell(
  { api, clock, log }: BrokenRulesPorts,
  user: string,
  message: Message,
  isNews: () => boolean,
): Promise<boolean> {
  for (const pause of tries) {
    await clock.wait(pause);
    if (!isNews()) return false;
    try {
      await api.postMessage(user, message);
      return true;
    } catch (error) {
      log.warn({ err: error, user }, 'could not notify a person of the invalid bellhop.yaml');
    }
  }
  return false;
}

export function renderCheckpoint(
  { number, size, note }: StoredCheckpoint,
  disclaimers: readonly string[],
): Message {
  const text = `Audit checkpoint ${number}: ${counted(size, 'entry', 'entries')}`;
  return {
    text,
    blocks: [
      section(
        `${text}. Save it as a file; \`npm run audit -- verify --checkpoint FILE\` verifies that the log still contains it.`,
      ),
      preformatted(note),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}
