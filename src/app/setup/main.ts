import { loadEnvFile } from 'node:process';

import { command, type Program, runProgram } from '../../program/run-program.ts';
import { secretOfEnvironment, secretVariableNames } from '../../program/secret-variables.ts';
import { textMessage } from '../../slack/render/blocks.ts';
import { channelMention, code } from '../../slack/render/text.ts';
import { SlackError } from '../../slack/web-api/slack-error.ts';
import { check } from '../cli/check.ts';
import { readSlackApiUrl } from '../cli/check-slack.ts';
import { note, print, usualFile } from '../cli/command.ts';
import { ask, hasTerminal, holdsSecret, openTerminal } from './asker.ts';
import { instanceIn, questions } from './questions.ts';
import { openSlack } from './slack.ts';
import { refuseExisting, rulebookText, settingsOf, settingsText, writeFiles } from './written-files.ts';

const options = Object.entries(questions).filter(([name]) => !holdsSecret(name));
const optionLines = options.map(([name, { what }]) => `  --${name.padEnd(12)}${what}`);

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
const asked = Object.fromEntries(options.map(([name]) => [name, text]));

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
      print([`# ${config}`, rulebookText(answers), `# ${env}`, settingsText(settings, true)]);
      note('Nothing was written, and nothing was sent.');
      return 0;
    }
    const typedYes = start ? 'yes' : await terminal?.read('Start Bellhop now? (yes, or empty for no)');
    const starts = /^y(?:es)?$/iu.test(typedYes ?? '');
    terminal?.close();
    const remove = writeFiles([
      [config, rulebookText(answers), 0o644],
      [env, settingsText(settings), 0o600],
    ]);
    loadEnvFile(env);
    // The questions have already looked up in Slack what `check --slack` would look up.
    const exitCode = await check.run([config]);
    if (exitCode !== 0) {
      remove();
      return exitCode;
    }
    print([`${config} and ${env} are written. The store will be in ${process.env.DATA_DIR}.`]);
    const [instance = 'web-1'] = instanceIn(answers('instance'));
    const where = `${starts ? 'Go' : 'Start it, and go'} to ${channelMention(answers('channel'))}.`;
    const message = `Bellhop is set up. ${where} Type ${code(`/cloud reboot ${instance}`, 200)}.`;
    const me = answers('me');
    try {
      await slack.api.postMessage(me, textMessage(message, []), undefined, false);
      print(['Bellhop has sent you a direct message.']);
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      print([`The direct message to ${me} could not be sent (${error.slackCode}). Both files were written.`]);
    }
    if (starts) {
      process.argv.splice(2);
      await import('../../start.js');
    } else print([`Start Bellhop: npm start -- --env-file ${env}`]);
    return Number(process.exitCode ?? 0);
  },
});

/** With an app-level token, setup does not ask for an address. @throws UsageError */
function givenBefore(typed: Readonly<Record<string, string | boolean | undefined>>): Map<string, string> {
  const secrets = Object.fromEntries(secretVariableNames.map((name) => [name, secretOfEnvironment(name)]));
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries({ service: process.env.API_BASE_URL, ...typed, ...secrets }))
    if (typeof value === 'string' && value.trim()) given.set(name, value.trim());
  if (given.has('SLACK_APP_TOKEN') && !given.has('address')) given.set('address', '');
  return given;
}

await runProgram(program, setup.run);
