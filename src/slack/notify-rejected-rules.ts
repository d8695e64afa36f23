import { createHash } from 'node:crypto';

import type { Clock, Log } from '../core/model/ports.ts';
import type { InboxStore } from './receive/inbox.ts';
import type { Rulebook } from '../core/model/rulebook.ts';
import { contextBlock, header, type Message, preformatted, section } from './render/blocks.ts';
import { clip } from './render/escape.ts';
import { limits } from './render/limits.ts';
import { noticeLines } from './render/report/report.ts';
import type { SlackApi } from './web-api/slack-api.ts';

interface BrokenRulesPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'usergroupMembers'>;
  readonly store: Pick<InboxStore, 'claimOnce'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly ownTeam: string;
  readonly notices: readonly string[];
}

/** So long the same problems are no news: several replicas read the same file. */
const sameNewsMs = 15 * 60_000;
/** Milliseconds before each try. After the last one the log alone has it. */
const tries = [0, 2000, 10_000, 60_000, 300_000, 900_000];

/**
 * Tells those who mind the rules, each privately, that a changed `bellhop.yaml` was refused and what is wrong with it.
 * The log and the audit have it too, so this never throws.
 */
export async function notifyRejectedRules(
  ports: BrokenRulesPorts,
  rulebook: Rulebook,
  problems: readonly string[],
): Promise<void> {
  const { store, clock, log } = ports;
  try {
    const news = createHash('sha256').update(problems.join('\n')).digest('base64url');
    if (!(await store.claimOnce(`broken rules ${news}`, clock.now(), sameNewsMs))) return;
    const message = renderBrokenRules(problems, ports.notices);
    const people = await whoMinds(ports, rulebook);
    if (people.length === 0) log.warn({}, 'no one is named to be told about the invalid bellhop.yaml');
    await Promise.all(people.map((user) => tell(ports, user, message)));
  } catch (error) {
    log.warn({ err: error }, 'telling people about the invalid bellhop.yaml failed');
  }
}

export function renderBrokenRules(problems: readonly string[], notices: readonly string[]): Message {
  const text = 'The new bellhop.yaml is invalid. The previous rules stay in force.';
  return {
    text,
    blocks: [
      header('The new bellhop.yaml is invalid'),
      section(`${text} Fix it; it is reloaded automatically:`),
      preformatted(clip(problems.join('\n'), limits.text)),
      ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))]),
    ],
  };
}

/** The people of the own team in the roles that are to be told, by the rules in force. */
async function whoMinds(ports: BrokenRulesPorts, { announce, policy }: Rulebook): Promise<readonly string[]> {
  const roles = announce.brokenRules.flatMap((name) => policy.roles[name] ?? []);
  const listed = roles.flatMap(({ users }) =>
    users.flatMap((one) => {
      const [user = '', team = ports.ownTeam] = one.split('/').toReversed();
      return team === ports.ownTeam ? [user] : [];
    }),
  );
  const members = await Promise.all(
    [...new Set(roles.flatMap(({ usergroups }) => usergroups))].map(async (group) => {
      try {
        return await ports.api.usergroupMembers(group);
      } catch (error) {
        ports.log.warn(
          { err: error, group },
          'the members of a user group could not be read to tell them about the invalid bellhop.yaml',
        );
        return [];
      }
    }),
  );
  return [...new Set([...listed, ...members.flat()])];
}

async function tell({ api, clock, log }: BrokenRulesPorts, user: string, message: Message): Promise<void> {
  for (const pause of tries) {
    await clock.wait(pause);
    try {
      await api.postMessage(user, message);
      return;
    } catch (error) {
      log.warn({ err: error, user }, 'telling a person about the invalid bellhop.yaml failed');
    }
  }
}
