import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { freePort } from '../../free-port.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { startProcess } from '../bot-process.ts';
import { clickOn, gesture, lookAt } from '../workspace-page.ts';

const rules = `project: 1186668
region: 76
accounts: { eu: { base_url: local, key: secret:eu } }
instances:
  web-eu: { id: 11111111-2222-4333-8444-555555555555, account: eu, labels: { env: staging } }
roles: { ops: { users: [U0ALICE] } }
rules: [{ roles: [ops], then: confirm }]
`;

it('an account with “base_url: local” has a local service of its own, which has its instances', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bellhop.yaml');
  writeFileSync(file, rules);
  const bot = await startProcess({
    BELLHOP_CONFIG: file,
    DATA_DIR: folder,
    PORT: String(await freePort()),
    LOCAL_PORT: '0',
    LOCAL_SERVICE_PORT: '0',
  });
  onTestFinished(async () => void (await bot.end('SIGKILL')));
  const [, url = ''] = await until(() => /Open (http:\S+?)(?:"|\\n|\s|$)/u.exec(bot.output()) ?? undefined);
  const workspace = { url };
  const seen = (words: string) =>
    until(
      async () =>
        (await lookAt(workspace, 'U0ALICE')).channels
          .flatMap(({ messages }) => messages)
          .findLast(({ text }) => text.includes(words)),
      () => bot.output(),
    );
  const channel = 'C0OPS';
  expect(await gesture(workspace, 'send', { as: 'U0ALICE', channel, text: '/cloud reboot web-eu' })).toEqual({
    ok: true,
  });
  const card = await seen('proposed');
  await gesture(workspace, 'action', clickOn('U0ALICE', card, 'Reboot web-eu'));
  await seen('succeeded');
  expect(bot.output()).toMatch(/"account":"eu"/u);
});
