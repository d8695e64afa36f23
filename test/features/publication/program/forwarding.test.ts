import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startCollector } from '../../../collector.ts';
import { until } from '../../../until.ts';
import { exampleRulebook } from '../../../program/rulebook-text.ts';
import { setStage } from '../../../program/stage.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const wrong = 'wrong-MARKER-4b1f0c';
const right = 'right-MARKER-92ae77';

it('the audit log gets to the collector once its token is right, up to the stop, and no token to the log', async () => {
  const mounted = temporaryFolder();
  const rotate = (token: string): void => writeFileSync(join(mounted, 'siem'), `${token}\n`);
  rotate(wrong);
  const collector = await startCollector(({ authorization }) =>
    authorization === `Bearer ${right}`
      ? 200
      : (response) => response.writeHead(401).end(`no such token: ${String(authorization)}`),
  );
  onTestFinished(() => collector.close());
  const stage = await setStage({
    rulebook: `${exampleRulebook({})}audit: { forward: { url: "${collector.url}", token: secret:siem } }\n`,
    env: { BELLHOP_SECRETS_DIR: mounted },
  });
  onTestFinished(() => stage.close());

  const refused = 'the token for forwarding audit entries is not accepted';
  await until(
    () => stage.bot.output().includes(refused),
    () => stage.bot.output(),
  );
  const ready = await until(async () => {
    const answer = await fetch(`${stage.botUrl}/readyz`);
    const said = (await answer.text()).includes('the collector answered 401 and does not accept the token');
    return said && answer;
  });
  expect(ready.status).toBe(200);
  const metrics = await (await fetch(`${stage.botUrl}/metrics`)).text();
  expect(metrics).toMatch(/^bellhop_audit_unforwarded_entries [1-9]/mu);

  rotate(right);
  await stage.say('U0ALICE', '/cloud reboot web-1');
  await until(() =>
    collector.arrivals.some(
      ({ authorization, events }) =>
        authorization?.endsWith(right) && events.some(({ metadata }) => metadata.event_code === 'proposed'),
    ),
  );
  expect(collector.taken).toEqual(collector.taken.map((_, at) => at + 1));
  expect(await stage.bot.end('SIGTERM')).toBe(0);
  const log = stage.bot.output();
  expect(log.split(refused)).toHaveLength(2);
  expect(log).toContain('audit.forward.token: secret:siem');
  expect(log).not.toContain('MARKER');
});
