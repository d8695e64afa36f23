import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { freePort } from '../../free-port.ts';
import { shown } from '../../reported/own-stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { alertmanagerCases } from '../endings.ts';
import { change, openExample } from '../example-stage.ts';
import { type Answer, ask, forwardTo, serveStandIn } from '../stand-in.ts';
import { testEndings } from '../test-endings.ts';
import { isReal, start } from './start.ts';

async function startAlertmanager(): Promise<Answer> {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'am.yml'),
    'route: { receiver: none, group_wait: 0s }\nreceivers: [{ name: none }]\n',
  );
  const url = `127.0.0.1:${await freePort()}`;
  const { failed, said } = start('prometheus-alertmanager', [
    `--config.file=${folder}/am.yml`,
    `--storage.path=${folder}/data`,
    `--web.listen-address=${url}`,
    '--cluster.listen-address=',
  ]);
  const ready = () =>
    fetch(`http://${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([until(ready, said), failed]);
  return forwardTo(`http://${url}`);
}

describe.runIf(isReal)('a real Alertmanager', () => {
  testEndings(alertmanagerCases(startAlertmanager));

  it.each<[line: string, alert: Readonly<Record<string, string>>]>([
    ['HighLatency', { alertname: 'HighLatency' }],
    ['"p99 {5m}, all" job=api,v2', { alertname: 'p99 {5m}, all', job: 'api,v2' }],
    ['instance=~"web-[0-9]+" env!=test', { alertname: 'Down', instance: 'web-1', env: 'production' }],
    [`'alertname=say \\ "hi"'`, { alertname: 'say \\ "hi"' }],
    ['alertname=HighLatency severity!~"info|none"', { alertname: 'HighLatency', severity: 'critical' }],
  ])('silences the alert that %s names, and no other', async (words, labels) => {
    const answer = await startAlertmanager();
    const other = { labels: { alertname: 'Other', instance: 'db-1' } };
    await ask(answer, 'POST', '/api/v2/alerts', [{ labels }, other]);
    const service = await serveStandIn(answer);
    const stage = await openExample({
      folder: 'alertmanager',
      addressed: (yaml) => yaml.replace('http://127.0.0.1:9093', service.address),
      now: Date.now(),
    });
    const proposed = await shown(stage.ask(`/am silence ${words} --for 1h`));
    expect(proposed).toContain('"label":"Firing now","value":"1"');
    const request = await change(stage, `/am silence ${words} --for 30m`, service);
    expect(request.state).toBe('succeeded');
    const alerts = z.array(
      z.object({ labels: z.record(z.string(), z.string()), status: z.object({ state: z.string() }) }),
    );
    const states = async () =>
      alerts
        .parse(await ask(answer, 'GET', '/api/v2/alerts'))
        .map(({ labels: of, status }) => `${of['alertname']} ${status.state}`)
        .toSorted();
    await until(async () => (await states()).some((state) => state.endsWith('suppressed')));
    expect(await states()).toEqual([`${labels['alertname']} suppressed`, 'Other active'].toSorted());
    expect(await shown(stage.ask('/am alerts'))).toContain('2 firing, 1 of them silenced');
    expect(await shown(stage.ask('/am silences'))).toContain('1 active or pending');
  });

  it('says why it refuses a matcher', async () => {
    const service = await serveStandIn(await startAlertmanager());
    const stage = await openExample({
      folder: 'alertmanager',
      addressed: (yaml) => yaml.replace('http://127.0.0.1:9093', service.address),
      now: Date.now(),
    });
    expect(await shown(stage.ask('/am silence job=~"("'))).toMatch(/error parsing regexp|bad matcher/u);
    const request = await change(stage, '/am silence job=', service);
    expect([request.state, request.outcome?.error?.message]).toEqual([
      'failed',
      expect.stringContaining('at least one matcher must not match the empty string'),
    ]);
  });
});
