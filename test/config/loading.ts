import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Variables } from '../../src/config/environment/environment.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import { knownOperations } from './known-operations.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const service = { API_BASE_URL: 'https://api.example.com/v9/', API_KEY: 'key-Zx81' };
export const http = { SLACK_BOT_TOKEN: 'xoxb-12-ab', SLACK_SIGNING_SECRET: 'f00dfeed' };
export const socket = { SLACK_BOT_TOKEN: 'xoxb-12-ab', SLACK_APP_TOKEN: 'xapp-1-ab' };
export const production = { NODE_ENV: 'production' };

export function folderWithRules(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'bellhop.yaml'), 'rules:\n  - { risk: read, roles: [anyone], then: allow }\n');
  return folder;
}

export const load = async (env: Variables, cwd = folderWithRules()) =>
  (await loadConfig(env, cwd, knownOperations)).config;

export async function problems(env: Variables, cwd?: string): Promise<string> {
  try {
    await load(env, cwd);
  } catch (error) {
    if (!(error instanceof BellhopError) || error.code !== 'configuration') throw error;
    return error.message.replaceAll(cwd ?? '/nowhere', '<cwd>');
  }
  return 'no problem';
}
