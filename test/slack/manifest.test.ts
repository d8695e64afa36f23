import { describe, expect, it } from 'vitest';

import { createRegistry } from '../../src/command/grammar/registry.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleAddress, manifestOf } from '../../src/slack/manifest.ts';

const registry = createRegistry(operations, []);

describe.each([
  ['HTTP', exampleAddress],
  ['Socket Mode', 'socket'],
] as const)('the manifest for %s', (_, mode) => {
  const commands = manifestOf(registry, mode).features.slash_commands;

  it.each(commands)(
    'describes $command in whole sentences, which Slack takes',
    ({ command, description }) => {
      const summaries = (registry.areas.get(command.slice(1)) ?? []).map(
        ({ operation }) => operation.summary,
      );
      const told = summaries.filter((summary) => description.includes(summary));
      expect(told.length).toBeGreaterThan(0);
      expect(description).toBe(told.join(' '));
      expect(description.length).toBeLessThanOrEqual(140);
    },
  );
});
