import { standardTimings } from '../api/http/timings.ts';
import type { Config } from '../config/config.ts';
import { watchRulebook, type RulebookWatch } from '../config/rulebook/watch-rulebook.ts';
import type { Operation } from '../core/model/operation.ts';
import type { Log } from '../core/model/ports.ts';
import type { Store } from '../store/store.ts';
import type { Rulebook } from '../core/model/rulebook.ts';
import { notifyRejectedRules } from '../slack/notify-rejected-rules.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { RulesHealth } from './health/rules-health.ts';
import { systemClock } from './process/system-clock.ts';

interface RulesParts {
  readonly config: Config;
  readonly operations: readonly Operation[];
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly log: Log;
  readonly notices: readonly string[];
  readonly observer: { readonly rules: Pick<RulesHealth, 'loaded' | 'refused'> };
}

/** Keeps the rules of bellhop.yaml current. Each load and each rejection is audited; a rejection is also announced to the leads. */
export function followRules(parts: RulesParts): RulebookWatch {
  const { config, operations, slack, store, log, notices, observer } = parts;
  const note = (
    event: 'policy loaded' | 'policy rejected',
    policyHash: string,
    problems?: readonly string[],
  ): void => {
    if (problems) observer.rules.refused(problems);
    else observer.rules.loaded(policyHash);
    log[problems ? 'error' : 'info']({ policyHash, problems }, event);
    const entry = {
      at: systemClock.now(),
      event,
      policyHash,
      ...(problems === undefined ? {} : { note: problems.join('\n').slice(0, 1000) }),
    };
    slack.backgroundTasks.add(
      store.record([entry]).then(() => undefined),
      event,
    );
  };
  const loaded = (rulebook: Rulebook): void => {
    note('policy loaded', rulebook.policy.hash);
    warnOfShortLease(rulebook, log);
  };
  const notifier = {
    api: slack.lanes.background,
    store,
    clock: systemClock,
    log,
    ownTeam: slack.ownTeam,
    notices,
  };
  const rules = watchRulebook({
    file: config.configFile,
    operations,
    initial: config.rulebook,
    onLoaded: loaded,
    onRejected: (problems) => {
      note('policy rejected', rules.current().policy.hash, problems);
      // Not waited for by a stop: it may take as long as Slack is away.
      void notifyRejectedRules(notifier, rules.current(), problems);
    },
    onUnwatched: (problem) => log.warn({ file: config.configFile }, problem),
  });
  loaded(config.rulebook);
  return rules;
}

/** Such a lease of a paused replica runs out before its call can have ended: it is then taken for crashed. */
function warnOfShortLease({ leaseMs }: Rulebook, log: Log): void {
  const { deadlineMs } = standardTimings;
  if (leaseMs >= deadlineMs) return;
  const [lease, longest] = [leaseMs, deadlineMs].map((ms) => `${ms / 1000} s`);
  log.warn(
    { leaseMs, longestCallMs: deadlineMs },
    `requests.lease is ${lease}, shorter than the longest call to the service, ${longest}: set it to that or longer, ` +
      'else a change may be called unknown while it is still on its way',
  );
}
