import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { findTool } from '../../../src/features/agents/tools.ts';
import { holmes, openAgentStage } from './agent-stage.ts';

const nulls = join(import.meta.dirname, '../../reported/own-input/agents/nulls.json');

describe('null for an omitted argument', () => {
  const calls = z
    .array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .parse(JSON.parse(readFileSync(nulls, 'utf8')));

  it.each(calls)('is absent: $tool', async ({ tool, arguments: given }) => {
    const { context } = await openAgentStage();
    const found = await findTool(context, holmes, tool);
    expect(await found?.run(context, holmes, given)).toHaveProperty('data');
  });

  it('is an error at a required or an unknown argument', async () => {
    const { context } = await openAgentStage();
    const suggest = await findTool(context, holmes, 'suggest_change');
    const given = { command: '/cloud reboot web-1', reason: 'it hangs' };
    await expect(suggest?.run(context, holmes, { ...given, reason: null })).rejects.toThrow(/reason/u);
    await expect(suggest?.run(context, holmes, { ...given, requester: null })).rejects.toThrow(/requester/u);
  });
});
