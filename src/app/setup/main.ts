import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';

import { z } from 'zod';

import { createRegistry } from '../../command/grammar/registry.ts';
import { surroundingsOf } from '../../config/load-config.ts';
import { slackHost } from '../../config/environment/variables.ts';
import { loadRulebook } from '../../config/rulebook/read-rulebook.ts';
import { findingLines } from '../../config/yaml/findings.ts';
import { badInput } from '../../model/values/errors.ts';
import { operations } from '../../operations/index.ts';
import { command, runProgram, type Program } from '../../program/run-program.ts';
import { projectFile } from '../../program/files.ts';
import { type SecretVariable, secretVariableNames } from '../../program/secret-variables.ts';
import { standardTimings } from '../../service/http/host.ts';
import { manifestOf, newAppLink, type SlackMode } from '../../slack/manifest.ts';
import type { SlackLanes } from '../../slack/web-api/web-client.ts';
import { textMessage } from '../../slack/render/blocks.ts';
import { channelMention, code } from '../../slack/render/text.ts';
import { checkSlack, readSlackApiUrl } from '../cli/check-slack.ts';
import { print, readPublicAddress, usualFile } from '../cli/command.ts';
import { type Asker, createAsker, note } from './asker.ts';
import type { Setting } from './secret-answers.ts';
import { serviceAnswers } from './service-answers.ts';
import { channelAnswer, groupAnswer, personAnswer, slackAnswers } from './slack-answers.ts';
import { refuseExisting, rulebookText, settingsText, writeBoth } from './written-files.ts';

const program: Program = {
  command: 'npm run setup --',
  help: `Usage: npm run setup -- [options]
Connects Bellhop to Slack. It asks for missing options, checks the answers, writes bellhop.yaml and a file with settings, and
sends you a direct message. It never overwrites a file.

  --channel <id>          the channel for commands, C…
  --me <id>               your member id, U…, or your e-mail address
  --group <id>            the user group of the people on call, S… or @handle; its members may make and approve changes
  --service <address>     the service, https://…, or local to simulate it
  --project <number> --region <number> --instance <name>=<id>
                          one instance of the service, with the name that people type
  --address <address>     where Slack reaches Bellhop, https://…; without it, Socket Mode
  --config <file>         the rules (bellhop.yaml)
  --env <file>            the settings (bellhop.env)
  --start                 start Bellhop afterwards
  --dry-run               print what would be written, without secrets, and send nothing

Secrets are never options. They come from SLACK_BOT_TOKEN, SLACK_APP_TOKEN or SLACK_SIGNING_SECRET, and API_KEY (or their _FILE
variables), or are typed without being shown. Exit code: 0, 1 for a wrong or missing answer, 2 for a wrong option.`,
};

const text = { type: 'string' } as const;
const options = {
  channel: text,
  me: text,
  group: text,
  service: text,
  project: text,
  region: text,
  instance: text,
  address: text,
  config: text,
  env: text,
  start: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const;

const setup = command({
  options,
  async run({ config = usualFile(), env = 'bellhop.env', 'dry-run': isDry, ...given }) {
    refuseExisting([config, env]);
    const asker = createAsker();
    await using opened = new AsyncDisposableStack();
    opened.defer(asker.close);
    const answers = await ask(asker, given, (lanes) => opened.adopt(lanes, () => lanes.close()));
    const rules = rulebookText(answers);
    await check(config, rules, answers.access);
    const start = !isDry && (given.start || (await wantsStart(asker)));
    asker.close();
    const settings = [
      ...answers.settings,
      ...(config === 'bellhop.yaml' ? [] : [{ name: 'BELLHOP_CONFIG', value: resolve(config) }]),
    ];
    if (isDry) {
      print([`# ${config}`, rules, `# ${env}`, settingsText(settings, shown)]);
      return 0;
    }
    writeBoth([
      { file: config, text: rules, mode: 0o644 },
      { file: env, text: settingsText(settings), mode: 0o600 },
    ]);
    print([`${config} and ${env} are written.`]);
    await greet(answers, start);
    if (start) return startBellhop(env);
    print([`Start Bellhop: npm start -- --env-file ${env}`]);
    return 0;
  },
});

type Given = Readonly<
  Partial<Record<Exclude<keyof typeof options, 'start' | 'dry-run'>, string | undefined>>
>;
type Answers = Awaited<ReturnType<typeof ask>>;

async function ask(asker: Asker, given: Given, opened: (lanes: SlackLanes) => SlackLanes) {
  const mode = await modeAnswer(asker, given.address);
  const slackApiUrl = readSlackApiUrl();
  if (asker.isTerminal)
    note(
      `Create the Slack app with this link, and install it in your workspace. If you already have the app, skip this step:\n${newAppLink(manifestOf(createRegistry(operations, []), mode))}`,
    );
  const slack = await slackAnswers(asker, slackApiUrl, mode === 'socket' ? mode : 'http', opened);
  const { access } = slack;
  const channel = await channelAnswer(asker, access, given.channel);
  const me = await personAnswer(asker, access, given.me);
  const group = await groupAnswer(asker, access, given.group);
  const service = await serviceAnswers(asker, {
    ...given,
    service: given.service ?? process.env.API_BASE_URL,
  });
  const settings: Setting[] = [...slack.settings, ...service.settings];
  if (slackApiUrl !== slackHost) settings.push({ name: 'SLACK_API_URL', value: slackApiUrl });
  if (mode !== 'socket') settings.push({ name: 'PUBLIC_URL', value: mode.address });
  return { access: { ...access, slackApiUrl }, channel, me, group, inventory: service.inventory, settings };
}

const isSet = (name: SecretVariable): boolean =>
  Boolean(process.env[name]?.trim() || process.env[`${name}_FILE`]?.trim());

async function modeAnswer(asker: Asker, given: string | undefined): Promise<SlackMode> {
  if (!isSet('SLACK_APP_TOKEN'))
    return asker.answer(
      {
        name: '--address',
        what: 'the address where Slack reaches Bellhop (https://…; empty for Socket Mode, which needs none)',
        given,
        isOptional: !isSet('SLACK_SIGNING_SECRET'),
      },
      (answer) => (answer === '' ? 'socket' : { address: readPublicAddress(answer) }),
    );
  if (given === undefined) return 'socket';
  throw badInput(
    'SLACK_APP_TOKEN is set, which is for Socket Mode. Unset it, or run setup without --address.',
  );
}

/** Prints what `npm run config -- check --slack` finds. @throws BellhopError if Bellhop would not start with the rules */
async function check(config: string, rules: string, access: Answers['access']): Promise<void> {
  const surroundings = surroundingsOf(process.env, undefined, standardTimings.deadlineMs, 'warning');
  const place = { label: config, folder: dirname(resolve(config)) };
  const result = await loadRulebook(Buffer.from(rules), place, operations, surroundings);
  if (!result.ok) throw badInput(findingLines(result.findings).join('\n'));
  const found = await checkSlack(result.rulebook, result.locate, access).catch((error: unknown) => {
    note(error instanceof Error ? error.message : String(error));
    return [];
  });
  for (const line of findingLines([...result.warnings(), ...found])) note(line);
}

const wantsStart = (asker: Asker): Promise<boolean> =>
  asker.isTerminal
    ? asker.answer(
        { name: '--start', what: 'start Bellhop now? (yes, or empty for no)', isOptional: true },
        (answer) => /^y(?:es)?$/iu.test(answer),
      )
    : Promise.resolve(false);

const shown = ({ name, value }: Setting): string =>
  secretVariableNames.some((secret) => secret === name) ? '…' : value;

/** @throws BellhopError */
async function greet({ access, channel, me, inventory }: Answers, isStarting: boolean): Promise<void> {
  const typed = code(`/cloud reboot ${inventory?.instance.name ?? 'web-1'}`, 200);
  const where = `${isStarting ? 'Go' : 'Start it, and go'} to ${channelMention(channel)}.`;
  const message = textMessage(`Bellhop is set up. ${where} Type ${typed}.`, []);
  await access.api.postMessage(me, message, undefined, false);
  print(['Bellhop has sent you a direct message.']);
}

/** Resolves to the exit code of Bellhop. */
async function startBellhop(env: string): Promise<number> {
  const child = spawn(process.execPath, [projectFile('src/start.js'), '--env-file', env], {
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to both. Bellhop stops on it, and then this program ends, too.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void child.kill('SIGTERM'));
  const [exitCode] = z
    .tuple([z.number().nullable()])
    .rest(z.unknown())
    .parse(await once(child, 'exit'));
  return exitCode ?? 1;
}

await runProgram(program, setup.run);
