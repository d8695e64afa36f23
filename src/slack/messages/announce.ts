import { hash } from 'node:crypto';

import { z } from 'zod';

import { listedActor } from '../../model/values/actor.ts';
import { dueKind, type Handler } from '../../model/records/due.ts';
import type { Clock, Log, Rules } from '../../model/ports.ts';
import type { DueWork } from '../../model/records/due.ts';
import { listedIn } from '../../policy/roles.ts';
import { clip } from '../../text/words.ts';
import {
  type Message,
  header,
  disclaimerBlocks,
  preformatted,
  section,
  textMessage,
} from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';

interface BrokenRulesPorts extends Pick<Rules, 'rulebook'> {
  readonly api: Pick<SlackApi, 'postMessage' | 'usergroupMembers'>;
  readonly store: Pick<DueWork, 'findDue' | 'setDue'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly ownTeam: string;
  readonly disclaimers: readonly string[];
  /** In milliseconds: how long a valid file waits for other replicas' reports. Zero if no other replica shares the store. */
  readonly validAfterMs: number;
}

/**
 * Row `file`: each replica writes it when it reads bellhop.yaml, and every few seconds while its file is invalid. A valid file has no
 * problems.
 */
const fileRow = z.object({ problems: z.string().optional() });

/** Row `told`, never due: the problems that each person was notified of, and those fixed last. */
const toldRow = z
  .object({
    told: z.record(z.string(), z.string()),
    fixed: z.object({ news: z.string(), at: z.number() }).optional(),
  })
  .default({ told: {} });

/** In milliseconds. A replica may read an old file late, so a fix is not announced again within this time. */
const sameNewsMs = 15 * 60_000;
/** In milliseconds. A valid file is announced after this time, unless another replica still reports an invalid one. */
export const othersReportWithinMs = 15_000;
const giveUpAfterMs = 24 * 60 * 60_000;
/** Per round, so that a round ends before its claim expires. */
const maxAtOnce = 20;

const trouble = 'could not notify people of the invalid bellhop.yaml';

const rulesKind = dueKind('rules');

/** Notifies the owners of the rules when a changed `bellhop.yaml` was rejected, and again once a valid file is in force. */
export function createRulesNotifier(ports: BrokenRulesPorts) {
  const { store, clock, disclaimers, validAfterMs } = ports;

  const row = { kind: rulesKind, key: 'file' };
  let invalid: z.input<typeof fileRow> | undefined;
  const handle: Handler['handle'] = async ({ about }) => {
    const { problems } = fileRow.parse(about);
    const news = problems && hash('sha256', problems, 'base64url');
    const { told, fixed } = toldRow.parse((await store.findDue(rulesKind, 'told'))?.about);
    const now = clock.now();
    const rests = { rests: true, about } as const;
    if (news !== undefined && fixed?.news === news && now - fixed.at < sameNewsMs) return rests;
    const { people, failed } =
      news === undefined ? { people: Object.keys(told), failed: [] } : await whoMinds(ports);
    const left = people.filter((user) => told[user] !== news);
    const message =
      problems === undefined
        ? textMessage(mendedRules, disclaimers)
        : renderBrokenRules([problems], disclaimers);
    const batch = left.slice(0, maxAtOnce);
    const missed = await tell(ports, batch, message);
    const reached = batch.filter((user) => !missed.has(user));
    if (reached.length > 0) {
      const kept = Object.entries(told).filter(([user]) => !reached.includes(user));
      const known = news === undefined ? [] : reached.map((user) => [user, news] as const);
      const [before] = Object.values(told);
      const data = {
        told: Object.fromEntries([...kept, ...known]),
        fixed: news === undefined && before !== undefined ? { news: before, at: now } : fixed,
      };
      await store.setDue([{ kind: rulesKind, key: 'told', at: undefined, about: data }], now);
    }
    const [error] = [...missed.values(), ...failed];
    if (error !== undefined) throw error;
    return left.length > batch.length ? { againIn: 0 } : rests;
  };

  return {
    handler: { kind: rulesKind, atOnce: 1, renewed: true, trouble, giveUpAfterMs, handle } satisfies Handler,
    rejected: (problems: readonly string[]): Promise<void> => {
      const now = clock.now();
      invalid = { problems: clip(problems.join('\n'), limits.text) };
      return store.setDue([{ ...row, at: now, about: invalid }], now);
    },
    mended: (): Promise<void> => {
      const now = clock.now();
      invalid = undefined;
      return store.setDue([{ ...row, at: now + validAfterMs, about: {} }], now);
    },
    /** Reports an invalid file again, in case another replica reported a valid one. */
    renew: async (): Promise<void> => {
      if (!invalid) return;
      await store.setDue([{ ...row, at: undefined, keepsTime: true, about: invalid }], clock.now());
    },
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

/** The errors are of user groups whose members may be readable later. */
async function whoMinds({ api, log, ownTeam, rulebook }: BrokenRulesPorts) {
  const { announce, policy } = rulebook();
  const { users, usergroups } = listedIn(policy.roles, announce.brokenRules);
  const listed = users.map((user) => listedActor(user, ownTeam)).filter(({ team }) => team === ownTeam);
  const failed: Error[] = [];
  const membersOf = (group: string): Promise<readonly string[]> =>
    api.usergroupMembers(group).catch((error: unknown) => {
      log.warn(
        { err: error, group },
        'could not read the members of a user group to notify them of the invalid bellhop.yaml',
      );
      if (mayPass(error)) failed.push(error);
      return [];
    });
  const members = await Promise.all(usergroups.map(membersOf));
  const people = [...new Set([...listed.map(({ user }) => user), ...members.flat()])];
  if (people.length === 0) log.warn({}, 'no one is configured to be notified of the invalid bellhop.yaml');
  return { people, failed };
}

/** Resolves to the people who may be notified later, each with the error. A person whom Slack refuses counts as notified. */
async function tell(
  { api, log }: BrokenRulesPorts,
  people: readonly string[],
  message: Message,
): Promise<ReadonlyMap<string, Error>> {
  const missed = new Map<string, Error>();
  await Promise.all(
    people.map(async (user) => {
      try {
        await api.postMessage(user, message);
      } catch (error) {
        if (mayPass(error)) missed.set(user, error);
        else log.warn({ err: error, user }, 'could not notify a person of the invalid bellhop.yaml');
      }
    }),
  );
  return missed;
}

const mayPass = (error: unknown): error is Error =>
  error instanceof Error && (!(error instanceof SlackError) || error.retryable);
