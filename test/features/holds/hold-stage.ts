import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { createHoldHandler } from '../../../src/features/holds/handler.ts';
import { holds } from '../../../src/features/holds/index.ts';
import { type Hold, holdKind, inForce } from '../../../src/features/holds/hold.ts';
import type { Host } from '../../../src/host/feature.ts';
import type { Report } from '../../../src/model/values/report.ts';
import { createReplyHandler } from '../../../src/slack/messages/replies.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import { can } from '../../../src/operations/self/can.ts';
import { policy } from '../../../src/operations/self/policy.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Who } from '../../people.ts';
import { type BoxStage, openBoxes, rule } from '../../run/sample-boxes.ts';
import { workDue } from '../../due/work-due.ts';

export const minute = 60_000;
export const hour = 60 * minute;

export const factsOf = ({ facts }: Report) =>
  Object.fromEntries(facts.map(({ label, value }) => [label, value]));

/** The rules before those of the sample boxes. */
const holdRules = [
  rule('allow', { operations: ['bellhop.hold'], roles: ['responders', 'leads'] }),
  rule('allow', { operations: ['bellhop.release'], roles: ['leads'] }),
];

export interface Posted {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | undefined;
  message: Message;
  edits: number;
}

export interface HoldStage {
  readonly boxes: BoxStage;
  readonly store: Store;
  /** The messages of holds, in order. */
  readonly posted: readonly Posted[];
  /** Resolves to the report of a command about holds. */
  ask(line: string, who?: Who): Promise<Report>;
  /** Carol's hold of db-1. */
  readonly hold: (rest?: string) => Promise<Report>;
  /** In force. */
  holds(): Promise<readonly Hold[]>;
  /** Does the due work of holds, as the queue does. */
  work(): Promise<void>;
  /** Like `work`, while Slack takes no replies. */
  workWithoutReplies(): Promise<void>;
  another(store?: Store): HoldStage;
  /** The events of the log, oldest first: `held: db-1, until … “why” by U0BOB`. */
  log(): Promise<readonly string[]>;
  clockIsRight: boolean;
  slackIsDown: boolean;
  close(): Promise<void>;
}

export async function openHolds(): Promise<HoldStage> {
  const opened = await openBoxes();
  const { rulebook } = opened;
  const base = {
    ...rulebook,
    policy: { ...rulebook.policy, rules: [...holdRules, ...rulebook.policy.rules] },
  };
  return stageOf(opened, opened.store, base);
}

function stageOf(opened: BoxStage, store: Store, rulebook: BoxStage['rulebook']): HoldStage {
  const posted: Posted[] = [];
  const stage = { clockIsRight: true, slackIsDown: false };
  const registry = createRegistry(
    [
      ...opened.context.registry.entries.map(({ operation }) => operation),
      ...(holds.operations ?? []),
      can,
      policy,
    ],
    [],
  );
  const reach = (): void => {
    if (stage.slackIsDown) throw new Error('Slack is down');
  };
  const api = {
    postMessage: async (channel: string, message: Message, thread?: string) => {
      reach();
      const ts = `${posted.length + 1}`;
      posted.push({ channel, ts, thread, message, edits: 0 });
      return { channel, ts };
    },
    updateMessage: async ({ ts }: { ts: string }, message: Message) => {
      reach();
      const found = posted.find((one) => one.ts === ts);
      if (found) Object.assign(found, { message, edits: found.edits + 1 });
    },
  };
  const boxes: BoxStage = opened.another(store, {
    registry,
    restrictions: holds.restriction ? [holds.restriction] : [],
    clockIsRight: () => stage.clockIsRight,
  });
  boxes.rulebook = rulebook;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a host that holds use
  const host = { ...boxes.context, store, api, disclaimers: [], clock: boxes.clock } as unknown as Host;
  const handler = createHoldHandler(host);
  const replies = createReplyHandler(host);
  const ask = async (line: string, who: Who = 'alice'): Promise<Report> => {
    const answer = await boxes.ask(line, who);
    if (answer.kind !== 'report') throw new Error(`“${line}” came to a ${answer.kind}`);
    return answer.report;
  };
  return Object.assign(stage, {
    boxes,
    store,
    posted,
    ask,
    hold: (rest = '--reason "failover drill"') => ask(`/bellhop hold db-1 ${rest}`, 'carol'),
    holds: async () => inForce(await store.lasting(holdKind)),
    async work() {
      while ((await workDue(store, boxes.clock.now(), handler, replies)) > 0);
    },
    async workWithoutReplies() {
      while ((await workDue(store, boxes.clock.now(), handler)) > 0);
    },
    another: (other = store) => stageOf(opened, other, rulebook),
    async log() {
      const entries = await store.audit({ limit: 1000 });
      return entries
        .filter(({ event }) => /hold|held/u.test(event))
        .toReversed()
        .map(
          ({ event, note, reason, actor }) =>
            `${event}: ${note} “${reason}”${actor ? ` by ${actor.user}` : ''}`,
        );
    },
    close: () => opened.close(),
  });
}
