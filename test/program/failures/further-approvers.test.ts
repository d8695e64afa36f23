import { expect, it } from 'vitest';

import { commonPostgres } from '../../common-postgres.ts';
import { freePort } from '../../free-port.ts';
import { startProcess } from '../bot-process.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage } from '../stage.ts';

const commented = '# approvers_after: { 5m: [managers] }';

it('further approvers are asked once, by one of two replicas, after the one that took the command was killed', async () => {
  const rulebook = exampleRulebook({})
    .replace(commented, 'approvers_after: { 20s: [managers] }')
    .replace('  leads: { users: [U0CAROL] }\n', '$&  managers: { users: [U0BOB] }\n');
  expect(rulebook).toContain('approvers_after: { 20s: [managers] }');
  const env = { DATABASE_URL: await commonPostgres.createDatabase() };
  const stage = await setStage({ rulebook, env });
  const port = await freePort();
  const other = await startProcess({ ...stage.env, PORT: String(port), DATA_DIR: `${stage.dataDir}/other` });
  try {
    await stage.say('U0ALICE', '/cloud reboot db-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('db-1: awaiting approval'));
    expect(JSON.stringify(card.blocks)).toContain('managers can also approve if');
    await stage.press('U0BOB', card, 'Approve');
    await stage.seen('U0BOB', ({ ephemeral, text }) => ephemeral && text.includes("can't approve this"));
    await stage.bot.end('SIGKILL');
    await stage.restart();
    await stage.seen(
      'U0ALICE',
      ({ text }) => text.includes('<@U0BOB> ⏳ Approve') && text.includes('so you can approve it too'),
    );
    const now = await stage.seen(
      'U0ALICE',
      ({ ts, blocks }) => ts === card.ts && JSON.stringify(blocks).includes('managers can also approve.'),
    );
    await stage.press('U0BOB', now, 'Approve');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    const asked = (await stage.messages('U0ALICE')).filter(({ text }) =>
      text.includes('so you can approve it too'),
    );
    expect(asked).toHaveLength(1);
    expect(await stage.calls('rebootInstance')).toBe(1);
  } finally {
    await other.end('SIGKILL');
    await stage.close();
  }
});
