import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { freePort } from '../../free-port.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { startProcess } from '../bot-process.ts';
import { peopleAt } from '../workspace-page.ts';

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
  const people = peopleAt({ url }, () => bot.output());
  const saying = (words: string) => people.seen('U0ALICE', ({ text }) => text.includes(words));
  expect(await people.say('U0ALICE', '/cloud reboot web-eu')).toEqual({ ok: true });
  await people.press('U0ALICE', await saying('proposed'), 'Reboot web-eu');
  await saying('succeeded');
  expect(bot.output()).toMatch(/"account":"eu"/u);
});
