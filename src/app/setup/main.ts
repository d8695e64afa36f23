import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadEnvFile } from 'node:process';

import { projectFile } from '../../program/files.ts';
import { command, type Program, runProgram } from '../../program/run-program.ts';
import { secretOfEnvironment, secretVariableNames } from '../../program/secret-variables.ts';
import { textMessage } from '../../slack/render/blocks.ts';
import { channelMention, code } from '../../slack/render/text.ts';
import { check } from '../cli/check.ts';
import { readSlackApiUrl } from '../cli/check-slack.ts';
import { note, print, usualFile } from '../cli/command.ts';
import { ask, hasTerminal, type Name, openTerminal, optionNames } from './asker.ts';
import { instanceIn, questions } from './questions.ts';
import { openSlack } from './slack.ts';
import {
  refuseExisting,
  rulebookText,
  settingsOf,
  settingsText,
  withoutSecret,
  writeFiles,
} from './written-files.ts';

const optionLines = optionNames.map(
  (name) => `  --${name.padEnd(12)}${questions.find((one) => one.name === name)?.what}`,
);

const program: Program = {
  command: 'npm run setup --',
  help: `Usage: npm run setup -- [options]
Connects Bellhop to Slack. It asks for missing options, checks the answers, writes bellhop.yaml and a file with settings, and
sends you a direct message. It never overwrites a file.

${optionLines.join('\n')}
  --config      the file for the rules (bellhop.yaml)
  --env         the file for the settings (bellhop.env)
  --start       start Bellhop afterwards
  --dry-run     print what would be written, without secrets, and send nothing

Secrets are never options. They come from SLACK_BOT_TOKEN, SLACK_APP_TOKEN or SLACK_SIGNING_SECRET, and API_KEY (or their _FILE
variables), or are typed without being shown. Exit code: 0, 1 for a wrong or missing answer, 2 for a wrong option.`,
};

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const asked: Readonly<Record<string, typeof text>> = Object.fromEntries(
  optionNames.map((name) => [name, text]),
);

const setup = command({
  options: { ...asked, config: text, env: text, start: flag, 'dry-run': flag },
  async run({ config = usualFile(), env = 'bellhop.env', start, 'dry-run': isDry, ...typed }) {
    refuseExisting([config, env]);
    await using opened = new AsyncDisposableStack();
    const terminal = hasTerminal() ? openTerminal() : undefined;
    opened.defer(() => terminal?.close());
    const slack = openSlack(readSlackApiUrl());
    opened.defer(slack.close);
    const answers = await ask(questions, givenBefore(typed), terminal, slack);
    const settings = settingsOf(answers, slack.slackApiUrl, config);
    if (isDry) {
      print([`# ${config}`, rulebookText(answers), `# ${env}`, settingsText(settings, withoutSecret)]);
      note('Nothing was written, and nothing was sent.');
      return 0;
    }
    const typedYes = start ? 'yes' : await terminal?.read('Start Bellhop now? (yes, or empty for no)');
    const starts = /^y(?:es)?$/iu.test(typedYes ?? '');
    terminal?.close();
    const remove = writeFiles([
      { file: config, text: rulebookText(answers), mode: 0o644 },
      { file: env, text: settingsText(settings), mode: 0o600 },
    ]);
    loadEnvFile(env);
    const exitCode = await check.run(['--slack', config]).catch((error: unknown) => note(String(error)));
    if (exitCode === 1) {
      remove();
      return 1;
    }
    print([`${config} and ${env} are written.`]);
    const [instance = 'web-1'] = instanceIn(answers('instance'));
    const where = `${starts ? 'Go' : 'Start it, and go'} to ${channelMention(answers('channel'))}.`;
    const message = `Bellhop is set up. ${where} Type ${code(`/cloud reboot ${instance}`, 200)}.`;
    await slack.api.postMessage(answers('me'), textMessage(message, []), undefined, false);
    print(['Bellhop has sent you a direct message.']);
    if (starts) return startBellhop(env);
    print([`Start Bellhop: npm start -- --env-file ${env}`]);
    return 0;
  },
});

/** The answers in options and variables. With an app-level token, setup does not ask for an address. @throws UsageError */
function givenBefore(typed: Readonly<Record<string, string | boolean | undefined>>): Map<Name, string> {
  const service = typed['service'] ?? process.env.API_BASE_URL;
  const all: (readonly [Name, unknown])[] = [
    ...optionNames.map((name) => [name, name === 'service' ? service : typed[name]] as const),
    ...secretVariableNames.map((name) => [name, secretOfEnvironment(name)] as const),
  ];
  const given = new Map(
    all.flatMap(([name, value]) => (typeof value === 'string' && value.trim() ? [[name, value.trim()]] : [])),
  );
  if (given.has('SLACK_APP_TOKEN') && !given.has('address')) given.set('address', '');
  return given;
}

/** Resolves to the exit code of Bellhop. */
async function startBellhop(env: string): Promise<number> {
  const args = [projectFile('src/start.js'), '--env-file', env];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both. Bellhop stops on it, and then this program ends, too.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void child.kill('SIGTERM'));
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

await runProgram(program, setup.run);
