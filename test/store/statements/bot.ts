import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { onTestFinished } from 'vitest';

import { lastSealedFile } from '../../../src/audit/own-files.ts';
import { createSealer, type Sealer } from '../../../src/audit/seal.ts';
import { createCheckpointLog } from '../../../src/audit/checkpoint-log.ts';
import { startJobs } from '../../../src/app/jobs.ts';
import { createClockWatch } from '../../../src/app/health/clock-watch.ts';
import { createObserver } from '../../../src/app/health/observer.ts';
import { watchStore } from '../../../src/app/health/watched-store.ts';
import { dueAfter } from '../../../src/features/index.ts';
import { createDeadlineHandler } from '../../../src/request/deadline.ts';
import { createApproversHandler } from '../../../src/request/further-approvers.ts';
import type { Extension } from '../../../src/model/rulebook/rulebook.ts';
import { createRolloutHandler } from '../../../src/rollouts/drive.ts';
import { createNoticeHandler } from '../../../src/slack/cards/notice.ts';
import type { StoreLocation } from '../../../src/store/open-store.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { silentLog } from '../../log.ts';
import { startRelay } from '../../program/relay.ts';
import { input, openWorkspace } from '../../reported/slack/workspace.ts';
import { keys } from '../contract/opened.ts';
import { openStore } from '../open-store.ts';
import type { ServerClock } from './server-clock.ts';
import { createTurns, type InTurn, nextTurn } from './turns.ts';

interface BotOptions {
  readonly location: StoreLocation;
  /** The clock of the database, if the test controls it. */
  readonly server?: Pick<ServerClock, 'set'>;
  /** The number of statements in progress. */
  readonly underWay: () => number;
  readonly extensions?: readonly Extension[];
}

/** After this many turns of the event loop without a statement in progress, nothing more happens by itself. */
const quietTurns = 30;

const nothing = () => Promise.resolve();

/** Counts the HTTP requests that this process waits for, until the test has finished. */
function countRequests(): () => number {
  let open = 0;
  const count = (event: string, by: number): void => {
    const name = `undici:request:${event}`;
    const change = (): void => void (open += by);
    subscribe(name, change);
    onTestFinished(() => void unsubscribe(name, change));
  };
  count('create', 1);
  count('trailers', -1);
  count('error', -1);
  return () => open;
}

/** The service answers a change only when the test says so. So the order of events does not depend on the machine. */
async function holdingService() {
  const target = { url: '' };
  const held: (() => void)[] = [];
  const requests = countRequests();
  let inTurn: InTurn | undefined;
  let inLine = 0;
  const relay = await startRelay(
    () => target.url,
    async ({ method }, forward) => {
      if (method !== 'GET') await new Promise<void>((resolve) => held.push(resolve));
      if (!inTurn) return forward();
      inLine += 1;
      const answer = await inTurn(forward);
      inLine -= 1;
      return answer;
    },
  );
  onTestFinished(() => relay.close());
  return {
    url: relay.url,
    target,
    isAsked: () => held.length > 0,
    answer: () => held.shift()?.(),
    /** The requests in progress, without those that wait for `answer`. */
    underWay: () => requests() - held.length,
    /** From now on, calls are made one at a time. */
    askInTurn(): InTurn {
      inTurn = createTurns(() => requests() - held.length - inLine);
      return inTurn;
    },
  };
}

/**
 * The bot from Slack's payload to the sealed entries, in this process and with a clock of the test: inbox, requests, due
 * work, cards and sealer on a real database. Without the rounds of each second.
 */
export type Bot = Awaited<ReturnType<typeof openBot>>;

export async function openBot({ location, server, underWay, extensions = [] }: BotOptions) {
  const clock = createDrivenClock(undefined, () => quiet());
  await server?.set(clock.now());
  const service = await holdingService();
  const wakes = { queue: () => undefined as void };
  let sealer: Sealer | undefined;
  const card = { request: '', number: 0 };
  let posts = 0;
  const workspace = await openWorkspace({
    rules: { extensions },
    roles: {
      responders: { users: ['U0ALICE'], usergroups: [] },
      leads: { users: ['U0CAROL'], usergroups: [] },
    },
    answers(method, { text }) {
      if (method.startsWith('chat.post')) posts += 1;
      const request = method === 'chat.postMessage' && /request (r-\d+)/u.exec(String(text))?.[1];
      if (request) Object.assign(card, { request, number: posts });
      return undefined;
    },
    world: {
      clock,
      serviceUrl: service.url,
      async openStore(dataDir) {
        const store = await openStore(location);
        sealer = createSealer({ store, keys, file: lastSealedFile(dataDir), clock, log: silentLog });
        return watchStore(store, {
          afterCall: () => undefined,
          happened: () => undefined,
          staged: () => sealer?.wake(),
          due: () => wakes.queue(),
          dueAfter,
        });
      },
    },
  });
  const { queue, context } = workspace;
  service.target.url = workspace.stage.service.url;
  wakes.queue = () => queue.wake();
  const runner = { ...context, messages: workspace.context.cards };
  const notices = {
    ...runner,
    sources: runner.directory,
  };
  queue.handle(
    createNoticeHandler(notices),
    createDeadlineHandler(runner),
    createApproversHandler(runner),
    createRolloutHandler(runner),
  );

  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < quietTurns; turns += 1) {
      await nextTurn();
      if (underWay() + service.underWay() > 0) turns = 0;
    }
  };
  const pass = async (ms: number): Promise<void> => {
    await quiet();
    await clock.advance(ms);
    await server?.set(clock.now());
    await quiet();
  };
  let sent = 0;
  const payload = (name: string, changes: object) => ({
    ...input(name),
    ...changes,
    trigger_id: `t-${(sent += 1)}`,
  });
  return {
    ...workspace,
    pass,
    quiet,
    /** Types a command. */
    async type(text: string) {
      await workspace.hand(payload('command', { text }));
      await quiet();
    },
    /** Presses a button of the newest card. */
    async press(action: string, user = 'U0ALICE') {
      const { request, number } = card;
      const ts = `1763700100.${String(number).padStart(6, '0')}`;
      const button = {
        action_id: action,
        block_id: `${request} 1`,
        value: request,
        type: 'button',
        action_ts: ts,
      };
      const by = { id: user, username: user, name: user, team_id: 'T0ACME' };
      const container = { type: 'message', message_ts: ts, channel_id: 'C0OPS', is_ephemeral: false };
      await workspace.hand(payload('click', { user: by, container, actions: [button] }));
      await quiet();
    },
    /** Advances the time, and then runs a round of due work. */
    async round(ms: number) {
      await pass(ms);
      await queue.round();
      await quiet();
    },
    /** Starts the jobs of a replica, without those of features. The replica's clock and the database's agree. */
    startJobs() {
      if (!sealer) throw new Error('nothing seals');
      const log = { ...workspace.log, debug: () => undefined };
      const observer = createObserver([], log, clock);
      const { metrics, readiness } = observer;
      const clockWatch = createClockWatch({
        clock,
        log,
        metrics,
        readiness,
        monotonic: () => clock.now(),
      });
      const store = {
        ...workspace.store,
        serverTime: async () => (await workspace.store.serverTime()) && clock.now(),
      };
      const jobs = startJobs({
        core: { context, queue, features: [], rules: { renew: nothing } },
        store,
        inbox: workspace.inbox,
        sealer,
        toLog: createCheckpointLog(store, log),
        slack: { lanes: { background: context.api } },
        observer: { ...observer, clockWatch },
        clock,
        log,
      });
      onTestFinished(() => jobs.close());
    },
    askInTurn: () => service.askInTurn(),
    isAsked: () => service.isAsked(),
    /** The service answers the change that it received. */
    async serviceAnswers() {
      if (!service.isAsked()) throw new Error('the service was not asked');
      service.answer();
      await quiet();
    },
  };
}
