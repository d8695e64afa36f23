import { lstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { BellhopError } from '../core/model/errors.ts';
import { didYouMean } from '../core/grammar/nearest.ts';
import type { Rulebook } from '../core/model/rulebook.ts';
import { logLevels, type Config, type LogLevel, type ServiceChoice } from './config.ts';
import { deepFreeze } from './deep-freeze.ts';
import { readListening } from './environment/listening.ts';
import type { KnownOperation } from './rulebook/checks.ts';
import { readRulebook, type RulebookResult } from './rulebook/read-rulebook.ts';
import { sampleRulebook } from './rulebook/sample-rulebook.ts';
import { readServiceChoice } from './environment/service-choice.ts';
import { createSettings, type Settings, type Variables } from './environment/settings.ts';
import { readSlackChoice } from './environment/slack-choice.ts';
import { readDataDir, readStoreChoice } from './environment/store-choice.ts';

/**
 * Reads the environment and `bellhop.yaml`. Relative paths are taken from `cwd`; rules are checked against
 * `operations`. Nothing starts on half a configuration.
 * @throws BellhopError `configuration`, a line for each problem; of the environment, only the path in BELLHOP_CONFIG is
 *   ever quoted
 */
export function loadConfig(env: Variables, cwd: string, operations: readonly KnownOperation[]): Config {
  const settings = createSettings(env);
  const slack = readSlackChoice(settings);
  const service = readServiceChoice(settings);
  const dataDir = readDataDir(settings, cwd);
  const store = readStoreChoice(settings, dataDir);
  const listening = readListening(settings, { slack: slack === 'local', service: service === 'local' });
  const logLevel = readLogLevel(settings);
  const secretsDir = readSecretsDir(settings, cwd);
  const rules = readRules(settings, cwd, service, operations);
  const problems = [...settings.problems, ...rules.problems];
  if (problems.length > 0 || !slack || !service || !store || !rules.rulebook) {
    throw new BellhopError('configuration', problems.join('\n'));
  }
  return deepFreeze({
    production: settings.production,
    slack,
    service,
    store,
    dataDir,
    ...listening,
    logLevel,
    rulebook: rules.rulebook,
    configFile: rules.file,
    secretsDir,
  });
}

interface Rules {
  readonly file?: string;
  readonly rulebook?: Rulebook;
  readonly problems: readonly string[];
}

/** The sample stands in only where the service is local: it never governs machines that somebody relies on. */
function readRules(
  settings: Settings,
  cwd: string,
  service: ServiceChoice | undefined,
  operations: readonly KnownOperation[],
): Rules {
  const named = settings.value('BELLHOP_CONFIG');
  const label = named ?? 'bellhop.yaml';
  const file = resolve(cwd, label);
  if (named !== undefined && !isThere(file)) {
    return {
      problems: [
        `${label} does not exist: set BELLHOP_CONFIG to your bellhop.yaml; bellhop.example.yaml is one to begin with.`,
      ],
    };
  }
  if (named !== undefined || isThere(file))
    return { file, ...outcome(readRulebook(file, label, operations)) };
  if (service === 'local') return outcome(sampleRulebook(operations));
  return {
    problems: [
      `bellhop.yaml is missing in ${cwd}: copy bellhop.example.yaml and fit it to your instances and people, or set BELLHOP_CONFIG.`,
    ],
  };
}

const outcome = (result: RulebookResult): Rules =>
  result.ok ? { rulebook: result.rulebook, problems: [] } : { problems: result.problems };

function readLogLevel(settings: Settings): LogLevel {
  const text = settings.value('LOG_LEVEL') ?? 'info';
  const level = logLevels.find((known) => known === text);
  if (level) return level;
  settings.problem(
    'LOG_LEVEL',
    `is not a level: give one of ${logLevels.join(', ')}.${didYouMean(text, logLevels)}`,
  );
  return 'info';
}

function readSecretsDir(settings: Settings, cwd: string): string | undefined {
  const text = settings.value('BELLHOP_SECRETS_DIR');
  if (text === undefined) return undefined;
  const folder = resolve(cwd, text);
  if (isFolder(folder)) return folder;
  settings.problem(
    'BELLHOP_SECRETS_DIR',
    'is not a folder: give the folder that holds one file for each secret.',
  );
  return undefined;
}

/** A link that leads nowhere is there: the file was meant to be used. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
