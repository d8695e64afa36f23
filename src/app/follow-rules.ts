import { standardTimings } from '../service/http/timings.ts';
import type { Config } from '../config/environment/config.ts';
import { secretNames } from '../config/environment/secrets.ts';
import { severityOfMissing } from '../config/load-config.ts';
import { watchRulebook, type RulebookWatch } from '../config/rulebook/watch-rulebook.ts';
import type { Surroundings } from '../config/warnings/warnings.ts';
import type { Log } from '../model/ports.ts';
import type { Store } from '../store/store.ts';
import type { Rulebook } from '../model/rulebook.ts';
import { createRulesNotifier } from '../slack/messages/notify-rejected-rules.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { RulesHealth } from './health/rules-health.ts';
import { parseRulebookInWorker } from './process/parse-in-worker.ts';
import { systemClock } from './process/system-clock.ts';

interface RulesParts {
  readonly config: Config;
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly log: Log;
  readonly notices: readonly string[];
  readonly observer: { readonly rules: Pick<RulesHealth, 'loaded' | 'warned' | 'refused'> };
}

/** Keeps the rules of bellhop.yaml current. Each load and each rejection is audited; a rejection is also announced to the leads. */
export function followRules(parts: RulesParts): RulebookWatch {
  const { config, slack, store, log, notices, observer } = parts;
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
  const loaded = (rulebook: Rulebook, warnings: readonly string[]): void => {
    note('policy loaded', rulebook.policy.hash);
    observer.rules.warned(warnings);
    for (const warning of warnings) log.warn({ policyHash: rulebook.policy.hash }, warning);
    void notifier.mended();
  };
  const notifier = createRulesNotifier({
    api: slack.lanes.background,
    store,
    clock: systemClock,
    log,
    ownTeam: slack.ownTeam,
    notices,
  });
  const rules = watchRulebook({
    file: config.configFile,
    awaited: config.awaitedFile,
    initial: config.rulebook,
    parse: (bytes, label, signal) => parseRulebookInWorker(bytes, label, surroundingsOf(config), signal),
    onLoaded: loaded,
    onRejected: (problems) => {
      note('policy rejected', rules.current().policy.hash, problems);
      // Not waited for by a stop: it may take as long as Slack is away.
      void notifier.rejected(rules.current(), problems);
    },
  });
  loaded(config.rulebook, config.warnings);
  return rules;
}

const surroundingsOf = ({ secretsDir, slack, production }: Config): Surroundings => ({
  secretNames: secretNames(process.env, secretsDir),
  longestCallMs: standardTimings.deadlineMs,
  hookWithoutSecret: severityOfMissing({ slack: slack === 'local' ? 'local' : slack.kind, production }),
});
