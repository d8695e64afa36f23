import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { directMessages, fileIn, secrets, surroundings } from '../../app/setup/surroundings.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { gesture, lookAt } from '../workspace-page.ts';

const around = surroundings();
const program = join(import.meta.dirname, '../../../src/app/setup/main.ts');
const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Runs a shell command on a new terminal, with `script` of util-linux. */
function onTerminal(line: string, folder: string, env: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'close');
  let [shown, answered] = ['', 0];
  child.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
  });
  return {
    shown: () => shown,
    /** Waits for a question that was not there before, then types. */
    async answer(question: string, typed: string): Promise<void> {
      await until(
        () => shown.includes(question, answered),
        () => shown,
      );
      answered = shown.indexOf(question, answered) + question.length;
      child.stdin?.write(typed);
    },
    write: (typed: string) => child.stdin?.write(typed),
    code: async (): Promise<unknown> => (await ended)[0],
  };
}

describe.skipIf(!hasTerminals)('npm run setup on a terminal', () => {
  it('goes from nothing to a reboot in a channel, explains a wrong answer, and shows no secret', async () => {
    const folder = temporaryFolder();
    const env = { SLACK_API_URL: around().env['SLACK_API_URL'] ?? '', PORT: '0', LOCAL_SERVICE_PORT: '0' };
    const terminal = onTerminal(`exec "${process.execPath}" "${program}"`, folder, env);
    await terminal.answer('empty for Socket Mode', '\r');
    await terminal.answer('The bot token of the app', 'xoxb-wrong\r');
    await terminal.answer('did not accept SLACK_BOT_TOKEN: invalid_auth', `${secrets.bot}\r`);
    await terminal.answer('An app-level token', `${secrets.app}\r`);
    await terminal.answer('The id of the channel', '#ops\r');
    await terminal.answer('Your answer must be the id of a channel', 'C0OPS\r');
    await terminal.answer('Your member id', 'alice@example.com\r');
    await terminal.answer('was not looked up', 'U0ALICE\r');
    await terminal.answer('The user group', 'S0ONCALL\r');
    await terminal.answer('The address of the service', 'http://127.0.0.1:9\r');
    await terminal.answer('The API key', `${secrets.key}\r`);
    await terminal.answer('number of the project', '1\r');
    await terminal.answer('number of the region', '76\r');
    await terminal.answer('instance as name=id', 'web-1=6c6aa80f-7836-4dc2-a2ae-125e248be476\r');
    await terminal.answer('or local to simulate it [http://127.0.0.1:9/]', 'local\r');
    await terminal.answer('Start Bellhop now?', 'yes\r');
    await until(async () => (await directMessages(around())).length > 0);
    expect(await directMessages(around())).toEqual([
      'Bellhop is set up. Go to <#C0OPS>. Type `/cloud reboot web-1`.',
    ]);
    await until(() => terminal.shown().includes('Bellhop is ready'), terminal.shown);
    // A wrong answer leaves nothing behind.
    expect(fileIn(folder, 'bellhop.env')).not.toContain('API_KEY');
    await gesture(around().workspace, 'send', {
      as: 'U0ALICE',
      channel: 'C0OPS',
      text: '/cloud reboot web-1',
    });
    await until(async () => {
      const { channels } = await lookAt(around().workspace, 'U0ALICE');
      return channels.some(({ messages }) => messages.some(({ text }) => text.includes('proposed')));
    });
    terminal.write('\u0003');
    expect(await terminal.code()).toBe(0);
    for (const secret of [...Object.values(secrets), 'xoxb-wrong'])
      expect(terminal.shown()).not.toContain(secret);
    expect(terminal.shown()).toContain(
      'https://api.slack.com/apps?new_app=1&manifest_json=%7B%22display_information',
    );
  });

  it('offers earlier answers again after the service refuses, and begins at the wrong one', async () => {
    const folder = temporaryFolder();
    const instance = 'web-1=6c6aa80f-7836-4dc2-a2ae-125e248be476';
    const line = [process.execPath, program, '--channel', 'C0OPS', '--me', 'U0ALICE', '--group', 'S0ONCALL'];
    const terminal = onTerminal(`exec ${line.join(' ')}`, folder, around().env);
    await terminal.answer('The address of the service', 'http://127.0.0.1:9\r');
    await terminal.answer('The API key of the service, not shown: ', 'wrong\r');
    await terminal.answer('number of the project', '1\r');
    await terminal.answer('number of the region', '76\r');
    await terminal.answer('instance as name=id', `${instance}\r`);
    await terminal.answer('http://127.0.0.1:9/ did not answer: the connection was refused.', '');
    await terminal.answer('[http://127.0.0.1:9/]', `${around().service.url}\r`);
    await terminal.answer('not shown (empty for the last one)', '\r');
    for (const offered of ['project [1]', 'region [76]', `[${instance}]`])
      await terminal.answer(offered, '\r');
    await terminal.answer('Check API_KEY: the service does not accept it.', '');
    await terminal.answer('not shown (empty for the last one)', `${secrets.key}\r`);
    for (const offered of ['project [1]', 'region [76]', `[${instance}]`])
      await terminal.answer(offered, '\r');
    await terminal.answer(
      'The service has no instance 6c6aa80f-7836-4dc2-a2ae-125e248be476 in project 1',
      '',
    );
    await terminal.answer('project [1]', '1186668\r');
    for (const offered of ['region [76]', `[${instance}]`]) await terminal.answer(offered, '\r');
    await terminal.answer('in project 1186668, region 76. It has web-1.', '');
    await terminal.answer('Start Bellhop now?', '\r');
    expect(await terminal.code()).toBe(0);
    expect(terminal.shown()).not.toContain('Bellhop is fine');
    expect(fileIn(folder, 'bellhop.env')).toContain(`API_KEY=${secrets.key}\n`);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('leaves nothing behind after %s, and the echo on', async (_, key) => {
    const folder = temporaryFolder();
    const line = `"${process.execPath}" "${program}"; echo "ended with $?"; stty -a`;
    const terminal = onTerminal(line, folder, { SLACK_API_URL: around().env['SLACK_API_URL'] ?? '' });
    await terminal.answer('empty for Socket Mode', '\r');
    await terminal.answer('The bot token of the app', `half-a-secret`);
    terminal.write(key === '\u0004' ? `\u0015${key}` : key);
    expect(await terminal.code()).toBe(0);
    expect(terminal.shown()).toContain('Nothing was written.');
    expect(terminal.shown()).toContain('ended with 130');
    expect(terminal.shown()).toMatch(/ echo /u);
    expect(terminal.shown()).not.toMatch(/ -echo |half-a-secret/u);
    expect(readdirSync(folder)).toEqual([]);
  });
});
