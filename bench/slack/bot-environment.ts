import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SlackStandIn } from './slack-stand-in.ts';

const rules = `roles:\n  unused: { users: [U0NOBODY] }\nrules:\n  - { risk: read, roles: [anyone], then: allow }\n`;

/** The bot's environment: production, with an embedded store and a simulated Slack. */
export interface BotEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Removes the store. */
  remove(): void;
}

/** @param more files next to bellhop.yaml, and further sections of it */
export function botEnvironment(
  slack: SlackStandIn,
  more: { readonly yaml: string; readonly files: Readonly<Record<string, string>> } = { yaml: '', files: {} },
): BotEnvironment {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  writeFileSync(join(folder, 'bellhop.yaml'), rules + more.yaml);
  for (const [name, text] of Object.entries(more.files)) writeFileSync(join(folder, name), text);
  return {
    variables: {
      SLACK_BOT_TOKEN: 'xoxb-bench',
      SLACK_API_URL: slack.apiUrl,
      // The service is never called, because no measured operation needs it.
      API_BASE_URL: 'http://127.0.0.1:9/',
      API_KEY: 'bench',
      DATA_DIR: join(folder, 'data'),
      BELLHOP_CONFIG: join(folder, 'bellhop.yaml'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
