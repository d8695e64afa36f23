import { describe, expect, it } from 'vitest';

import { runTypedCommand } from '../../../src/run/run-command.ts';
import { renderReport } from '../../../src/slack/render/report.ts';
import { reportText } from '../../operations/report-text.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';

const shown = async (stage: ServiceStage, name: string) => {
  const report = await stage.report(`/cloud show ${name}`);
  return [reportText(report), ...(report.next ?? []).map(({ text, words }) => `[${text} ${words}]`)]
    .join('\n')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]+/gu, '<id>');
};

describe('cloud.show', () => {
  it('shows an instance, with the buttons that fit its state', async () => {
    const stage = await openStage();
    expect(await shown(stage, 'web-1')).toMatchInlineSnapshot(`
      "# Instance web-1 (good)
      ACTIVE
      - Status: ACTIVE
      - VM state: active
      - Addresses: 203.0.113.122 ⏎ 10.0.2.235
      - Flavor: g2-memory-8-64, 8 vCPU, 65,536 MiB
      - Volumes: <id> ⏎ <id>
      - Security groups: default, web
      - Name: web-1
      - Description: web-1, from the inventory
      - Tags: env=staging, tier=web, os_distro=ubuntu-24.04
      - Created: 2026-08-14 09:30:00 UTC
      [Reboot… /cloud reboot web-1]
      [Stop… /cloud stop web-1]"
    `);
    await stage.change('/cloud stop web-1');
    expect(await shown(stage, 'web-1')).toMatch(/powering-off(?![\s\S]*…)/u);
    await stage.clock.advance(60_000);
    expect(await shown(stage, 'web-1')).toMatch(/SHUTOFF \(stopped\)[\s\S]*\[Start… \/cloud start web-1\]$/u);
    await stage.change('/cloud start web-1');
    await stage.clock.advance(60_000);
    await stage.change('/cloud suspend web-1');
    await stage.clock.advance(60_000);
    expect(await shown(stage, 'web-1')).toMatch(/SUSPENDED[\s\S]*\[Resume… \/cloud resume web-1\]$/u);
  });

  it('names the last task of the instance if the service has tasks, and since when it has ended', async () => {
    const stage = await openStage({ extensions: ['instance-read', 'tasks'] });
    expect(await shown(stage, 'web-1')).not.toContain('Last task');
    await stage.change('/cloud reboot web-1');
    await stage.change('/cloud stop web-1');
    await stage.change('/cloud stop web-2');
    expect(await shown(stage, 'web-1')).toMatch(/^- Last task: stop_vm, FINISHED \(ended \S/mu);
    await stage.serve('listTasks', 'odd', 500);
    expect(await shown(stage, 'web-1')).toContain('SHUTOFF');
  });

  it('offers only what the reader may run here', async () => {
    const stage = await openStage();
    const report = async (user: string, channel: string) => {
      const place = { team: 'T0LOCAL', channel };
      const caller = { actor: { team: 'T0LOCAL', user }, place, correlationId: 'c' };
      const result = await runTypedCommand(stage.context, caller, 'cloud', 'show web-1');
      return result.kind === 'report' ? (result.report.next ?? []).map(({ text }) => text) : [];
    };
    expect(await report('U0ALICE', 'C0OPS')).toEqual(['Reboot…', 'Stop…']);
    expect(await report('U0BOB', 'C0OPS')).toEqual([]);
    expect(await report('U0ALICE', 'C0GENERAL')).toEqual([]);
  });

  it('offers no start without instance-actions, and needs no tasks', async () => {
    const stage = await openStage({ extensions: ['instance-read'] });
    await stage.change('/cloud stop web-1');
    await stage.clock.advance(60_000);
    expect(await shown(stage, 'web-1')).not.toMatch(/Start…|Last task/u);
    expect(await stage.sent('listTasks')).toBe(0);
  });

  it('shows one that the inventory does not list by project/region/id, and what the service refuses', async () => {
    const stage = await openStage({ extensions: ['instance-read', 'instance-list'] });
    const { csv } = await stage.report('/cloud list edge-cache-1');
    const typed = String(csv?.rows[0]?.[0]);
    expect((await stage.report(`/cloud show ${typed}`)).next?.map(({ words }) => words)).toEqual([
      `/cloud reboot ${typed}`,
      `/cloud stop ${typed}`,
    ]);
    expect(await stage.refusal('/cloud show 1186668/76/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99')).toContain(
      'Instance 0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99 could not be found',
    );
    expect(await stage.refusal('/cloud show 1186668/76/ghost')).toContain('“ghost” is no');
    expect(await stage.refusal('/cloud show wbe-1')).toContain('Did you mean “web-1”?');
  });

  it('has its buttons in the private answer alone: each leads to a card that asks', async () => {
    const stage = await openStage();
    const report = await stage.report('/cloud show web-1');
    const options = { words: '/cloud show web-1', modern: true, now: 0, disclaimers: [] };
    const rendered = (shareable: boolean) =>
      JSON.stringify(renderReport(report, { ...options, shareable }).blocks);
    expect(rendered(true)).toContain('"action_id":"next:0"');
    expect(rendered(true)).toContain('"value":"/cloud stop web-1"');
    expect(rendered(false)).not.toContain('next:');
    expect(await stage.ask(report.next?.[0]?.words ?? '')).toMatchObject({
      kind: 'request',
      request: { operation: 'cloud.reboot', state: 'proposed' },
    });
    expect(await stage.sent('rebootInstance')).toBe(0);
  });
});
