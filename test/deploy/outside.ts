import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { callProgram } from '../call-program.ts';
import { makeAuthority } from '../certificates.ts';
import { startTlsBefore } from '../connect-proxy.ts';
import { startRelay } from '../program/relay.ts';
import { callTotals } from '../program/service-control.ts';
import { startSurroundings } from '../program/surroundings.ts';
import { type People, peopleAt } from '../program/workspace-page.ts';

export const root = join(import.meta.dirname, '../..');

/** The rules that the page starts from, with the key of the audit log that the page adds. */
export const rules = `${readFileSync(join(root, 'examples/bellhop.minimal.yaml'), 'utf8')}audit: { key: secret:audit-key }\n`;

const names = ['slack.test', 'service.test'] as const;

/** Slack and the service over HTTPS, at names that an installation has to resolve to this machine. */
export interface Outside extends People {
  readonly folder: string;
  readonly names: readonly string[];
  /** The authority of the certificates, in PEM. */
  readonly ca: string;
  /** The settings of Bellhop, without those of its store and its rules. */
  readonly env: Readonly<Record<string, string>>;
  reboots(): Promise<number>;
  close(): Promise<void>;
}

/** @param appUrl where the proxy of the installation listens */
export async function startOutside(appUrl: string): Promise<Outside> {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-deploy-'));
  const { service, workspace, env } = await startSurroundings({
    dataDir: join(folder, 'outside'),
    appUrl,
    rulebook: rules,
  });
  const authority = makeAuthority();
  // Both answer only to the name of this machine, which a relay uses.
  const relays = [await startRelay(() => workspace.url), await startRelay(() => service.url)] as const;
  const open = ({ url }: { readonly url: string }) =>
    startTlsBefore(() => Number(new URL(url).port), authority.issue(names), '0.0.0.0');
  const [slack, api] = [await open(relays[0]), await open(relays[1])];
  const { out } = await callProgram('audit', ['new-key']);
  return {
    folder,
    names,
    ca: authority.cert,
    env: {
      API_BASE_URL: `https://service.test:${api.port}`,
      API_KEY: env['API_KEY'] ?? '',
      SLACK_BOT_TOKEN: env['SLACK_BOT_TOKEN'] ?? '',
      SLACK_SIGNING_SECRET: env['SLACK_SIGNING_SECRET'] ?? '',
      SLACK_API_URL: `https://slack.test:${slack.port}/api/`,
      BELLHOP_SECRET_AUDIT_KEY: out.trim(),
    },
    ...peopleAt(workspace),
    reboots: async () => (await callTotals(service))['rebootInstance'] ?? 0,
    async close() {
      for (const each of [slack, api, ...relays, workspace, service]) await each.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A reboot that is requested and confirmed with two clicks at once. @returns the text of its card at the end */
export async function rebootWithDoubleClick(outside: Outside): Promise<string> {
  await outside.say('U0ALICE', '/cloud reboot web-1');
  const card = await outside.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
  await Promise.all([1, 2].map(() => outside.press('U0ALICE', card, 'Reboot web-1')));
  const ended = await outside.seen(
    'U0ALICE',
    ({ ts, text }) => ts === card.ts && /web-1: (?:succeeded|failed|unknown)/u.test(text),
  );
  return ended.text;
}

export const envFile = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
