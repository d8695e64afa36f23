import type { Config } from '../config/config.ts';
import type { Redactor } from '../core/redactor.ts';
import type { Operation } from '../core/model/operation.ts';
import type { Log } from '../core/model/ports.ts';
import { createInbox } from '../slack/receive/inbox.ts';
import { openStore } from '../store/open-store.ts';
import type { UnreadableRow } from '../store/queries/parse-row.ts';
import { logAuditHead } from './jobs/audit-heads.ts';
import { createClosers } from './closers.ts';
import { connectSlack } from './connect-slack.ts';
import type { Correlation } from './process/correlation.ts';
import { createCore } from './wire-core.ts';
import { startJobs } from './jobs/jobs.ts';
import { healthRoutes } from './health/health-routes.ts';
import { resolveEndpoints } from './endpoints.ts';
import { createObserver } from './health/observer.ts';
import { systemClock } from './process/system-clock.ts';
import { tokenPart } from './health/token-watch.ts';
import { watchStore } from './health/watched-store.ts';

export interface Bot {
  /** Where the bot itself listens. */
  readonly url: string;
  /** The page of the local workspace, where there is one. */
  readonly page: string | undefined;
  /** Resolves to the reason when Slack refuses the bot for good. */
  readonly refused: Promise<string>;
  /** How long a stop waits for running work at most, as the rules are now. In milliseconds. */
  drainMs(): number;
  /** Not ready at once, no new work, what runs is drained, everything is closed. */
  stop(): Promise<void>;
}

interface BotParts {
  readonly config: Config;
  /** What it can do. */
  readonly operations: readonly Operation[];
  readonly mask: Redactor;
  readonly log: Log;
  readonly correlation: Correlation;
}

/**
 * Store, then what is local, then the core on Slack and the service; nothing is taken in before all of it is there.
 * @throws BellhopError that names what is missing or cannot be reached; what was started is closed again
 */
export async function startBot({ config, operations, mask, log, correlation }: BotParts): Promise<Bot> {
  const closers = createClosers(log);
  const observer = createObserver(operations, log);
  const { readiness, metrics } = observer;
  try {
    const onProblem = (problem: unknown): void => log.warn({ err: problem }, 'the store had a problem');
    const onUnreadable = (row: UnreadableRow): void => observer.unreadable.leftOut(row);
    const opened = await openStore(config.store, { onProblem, onUnreadable });
    const store = closers.later(watchStore(opened, metrics));
    closers.later({ close: () => logAuditHead(store, log) });
    readiness.set('store', true);
    const inbox = closers.later(createInbox({ store, clock: systemClock, log }));
    const endpoints = closers.later(await resolveEndpoints(config));
    for (const secret of [endpoints.service.apiKey, endpoints.slack.botToken, endpoints.slack.signingSecret])
      mask.learn(secret);
    const refused = Promise.withResolvers<string>();
    const slack = closers.later(
      await connectSlack(config, endpoints, log, correlation, healthRoutes(readiness, metrics), inbox, {
        onAnswer: (kind, status, ms) => metrics.ack(kind, status, ms),
        onCall: (method, outcome, ms) => observer.slackCall(method, outcome, ms),
        onConnected: (connected, problem) => readiness.set('slack', connected, problem),
        onRefused: (problem) => refused.resolve(problem),
      }),
    );
    readiness.set(tokenPart, true);
    const core = closers.later(
      createCore({ config, operations, endpoints, slack, store, mask, log, correlation, observer }),
    );
    await core.bellhop.recover();
    const tryToken = () => slack.lanes.background.authTest();
    closers.later(startJobs({ core, store, inbox, slack, observer, tryToken, log }));
    const port = await slack.listen(core.context);
    readiness.set('running', true);
    return {
      url: `http://${config.host}:${port}`,
      page: endpoints.page,
      refused: refused.promise,
      drainMs: () => core.context.rulebook().drainMs,
      async stop() {
        readiness.set('running', false, 'stopping');
        await slack.stopIntake();
        core.context.followers.stop();
        const drained = await core.backgroundTasks.drained(core.context.rulebook().drainMs);
        if (!drained) log.warn({}, 'work still runs; it becomes unknown after its lease');
        await closers.close();
      },
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
