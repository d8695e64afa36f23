import { dirname } from 'node:path';

import { standardTimings } from '../service/http/host.ts';
import type { Config } from '../config/environment/environment.ts';
import { severityOfMissing, surroundingsOf } from '../config/load-config.ts';
import { type RulebookWatch, watchRulebook } from '../config/rulebook/watch-rulebook.ts';
import type { Handler } from '../model/records/due.ts';
import type { Log } from '../model/ports.ts';
import type { Store } from '../store/store.ts';
import { rescue } from '../model/values/errors.ts';
import type { Rulebook } from '../model/rulebook/rulebook.ts';
import { createRulesNotifier, othersReportWithinMs } from '../slack/messages/announce.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Observer } from './health/observer.ts';
import { parseRulebookInWorker } from './process/parse-in-worker.ts';
import { systemClock } from './process/this-process.ts';
import type { SecretResolver } from '../config/environment/secrets.ts';

const fileOf = ({ configFile, awaitedFile = '' }: Config): string => configFile ?? awaitedFile;
const builtInSample = 'the built-in sample (no bellhop.yaml found)';

interface RulesParts {
  readonly config: Config;
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly log: Log;
  readonly disclaimers: readonly string[];
  readonly observer: Pick<Observer, 'rules' | 'slack'>;
  readonly secrets: Pick<SecretResolver, 'resolve'>;
}

export interface FollowedRules extends RulebookWatch {
  readonly announcements: Handler;
  renew(): Promise<void>;
}

/** The audit log records each load and each rejection of bellhop.yaml. A rejection is also announced to the leads. */
export function followRules(parts: RulesParts): FollowedRules {
  const { config, slack, store, log, disclaimers, observer, secrets } = parts;
  const note = (
    event: 'policy loaded' | 'policy rejected',
    policyHash: string,
    problems?: readonly string[],
  ): void => {
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
  const loaded = (rulebook: Rulebook, warnings: () => readonly string[], file = fileOf(config)): void => {
    observer.rules.loaded(file, rulebook.policy.hash, warnings);
    observer.slack.scopes.forgetGroups();
    maskListed(rulebook, secrets);
    note('policy loaded', rulebook.policy.hash);
    void warnLater(log, rulebook.policy.hash, warnings);
    announce(notifier.mended());
  };
  const announce = (work: Promise<void>): void =>
    slack.backgroundTasks.add(work, 'announcement of bellhop.yaml');
  const notifier = createRulesNotifier({
    api: slack.lanes.background,
    rulebook: () => rules.current(),
    store,
    clock: systemClock,
    log,
    ownTeam: slack.ownTeam,
    disclaimers,
    validAfterMs: 'databaseUrl' in config.store ? othersReportWithinMs : 0,
  });
  const severity = severityOfMissing(config.slack === 'local', config.production);
  const surroundings = () =>
    surroundingsOf(process.env, config.secretsDir, standardTimings.deadlineMs, severity);
  const folder = dirname(config.configFile ?? config.awaitedFile ?? '.');
  const rules = watchRulebook({
    file: config.configFile,
    awaited: config.awaitedFile,
    targetsFile: config.targetsFile,
    initial: config.rulebook,
    parse: (bytes, label, signal) => parseRulebookInWorker(bytes, { label, folder }, surroundings(), signal),
    onLoaded: loaded,
    onRejected: (problems) => {
      observer.rules.refused(problems);
      note('policy rejected', rules.current().policy.hash, problems);
      announce(notifier.rejected(problems));
    },
  });
  loaded(config.rulebook, config.warnings, config.configFile ?? builtInSample);
  return { ...rules, announcements: notifier.handler, renew: () => notifier.renew() };
}

/** In milliseconds after the start, so that the first commands need not wait for the search. */
const warningsAfterMs = 1_000;

async function warnLater(log: Log, policyHash: string, warnings: () => readonly string[]): Promise<void> {
  await systemClock.wait(warningsAfterMs);
  for (const warning of warnings()) log.warn({ policyHash }, warning);
}

/** The mask remembers the latest 200 secrets, and must not forget those that Bellhop itself uses. */
const maxMasked = 100;

/** Masks the listed secrets before an operation asks for them. */
function maskListed(rulebook: Rulebook, secrets: Pick<SecretResolver, 'resolve'>): void {
  // A missing secret has already caused a warning, and is refused when an operation uses it.
  for (const name of Object.keys(rulebook.secrets).slice(0, maxMasked))
    rescue(() => secrets.resolve(`secret:${name}`));
}
