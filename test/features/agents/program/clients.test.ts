import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { setStage, type Stage } from '../../../program/stage.ts';
import { type Connect, connect2025, connect2026, connectInspector } from '../../../program/mcp-clients.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

const reads = ['cloud_ips', 'cloud_show', 'cdn_metrics', 'cdn_capacity', 'storage_events'];
const own = ['suggest_change', 'request_status', 'what_can_i_do'];

describe.each<[string, Connect, string]>([
  ['the client of 2026', connect2026, 'web-1'],
  ['the client of 2025', connect2025, 'web-2'],
  ["the inspector's command line", connectInspector, 'db-1'],
])('%s', (_, connect, target) => {
  it('has a tool for each read, with the schema of the operation, and those about suggestions', async () => {
    const agent = await connect(stage.botUrl, 'token-of-holmes');
    const tools = await agent.tools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...reads, ...own]));
    expect(
      names.filter((name) => /confirm|approve|deny|cancel|settle|glass|reboot|bellhop/u.test(name)),
    ).toEqual([]);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('cloud_show')?.inputSchema).toMatchObject({
      required: ['instance'],
      additionalProperties: false,
      properties: {
        instance: { type: 'string', maxLength: 200 },
      },
    });
    for (const { name, annotations } of tools) {
      expect({ name, ...annotations }).toMatchObject(
        name === 'suggest_change'
          ? { readOnlyHint: false, destructiveHint: false, idempotentHint: true }
          : { readOnlyHint: true },
      );
    }
    expect(JSON.stringify(tools)).not.toMatch(/positional|placeholder|Bearer/u);
    await agent.close();
  });

  it('reads as data and as short text', async () => {
    const agent = await connect(stage.botUrl, 'token-of-holmes');
    const { structuredContent, content, isError } = await agent.call('cloud_ips');
    expect(isError).toBeFalsy();
    expect(structuredContent?.['title']).toMatch(/Floating IPs/u);
    expect(JSON.stringify(structuredContent?.['tables'])).toContain('198.51.100.1');
    expect(content.map(({ text }) => text).join('')).toMatch(/Floating IPs/u);
    await agent.close();
  });

  it('suggests, and learns the outcome', async () => {
    const agent = await connect(stage.botUrl, 'token-of-holmes');
    const given = { command: `/cloud reboot ${target}`, reason: `${target} does not answer` };
    const { structuredContent: first } = await agent.call('suggest_change', given);
    expect(first).toMatchObject({ state: 'waiting for a person', channel: 'C0INC42' });
    const { structuredContent: again } = await agent.call('suggest_change', given);
    expect(again).toMatchObject({ id: first?.['id'] });
    expect(again?.['link']).toMatch(/\/archives\/C0INC42\//u);
    const { structuredContent: status } = await agent.call('request_status', { id: String(first?.['id']) });
    expect(status).toMatchObject({ ...again, command: `/cloud reboot ${target}` });
    const { structuredContent: can } = await agent.call('what_can_i_do');
    expect(can).toMatchObject({ agent: 'holmes', suggestions: { most_in_an_hour: 20, most_open: 5 } });
    await agent.close();
  });
});
