import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import type { WorkspaceOptions } from '../../../../workspace/start-workspace.ts';
import { openBrowser, type SharedBrowser } from '../../../../../test/browser.ts';
import { builtPage } from '../../../../../test/built-page.ts';
import { freePort } from '../../../../../test/free-port.ts';
import { createTabs, type Tabs } from '../../../../../test/tabs.ts';
import { until } from '../../../../../test/until.ts';
import { MANIFEST, openSlack, type LocalSlack } from '../../open-slack.ts';

const answerSchema = z.looseObject({ ok: z.literal(true), ts: z.string().default('') });
const payloadSchema = z.looseObject({
  type: z.string().default(''),
  value: z.string().default(''),
  actions: z.array(z.looseObject({})).default([]),
  view: z.looseObject({ state: z.looseObject({ values: z.unknown() }) }).optional(),
});
export type Payload = z.infer<typeof payloadSchema>;

/** The commands of the sample app: enough to choose from. */
const COMMANDS = [
  { command: '/cloud', description: 'Instances', usage_hint: 'reboot <instance>', should_escape: true },
  {
    command: '/cdn',
    description: 'Metrics and capacity',
    usage_hint: 'metrics [names…]',
    should_escape: true,
  },
  { command: '/bellhop', description: 'Help', usage_hint: 'help', should_escape: true },
];

export interface OpenOptions extends BrowserContextOptions {
  readonly as?: string;
  /** The place to open: a channel's id or `home`. */
  readonly place?: string;
}

/** A workspace, an app next to it that answers as a test says, and a browser. */
export interface Pages extends LocalSlack {
  /** Opens a separate page, as on another machine, and waits until it is live. */
  open(options?: OpenOptions): Promise<Page>;
  /** Errors of any page: uncaught ones, and what the security policy refused. Closing throws them. */
  readonly problems: string[];
  /** A payload of this type that reached the app. */
  payload(type: string): Promise<Payload>;
  /** The payload that the app got for the first used element. */
  action(): Promise<Record<string, unknown>>;
  /** Posts blocks to #ops as the app. */
  post(blocks: readonly object[], text?: string): Promise<string>;
  /** Opens a modal in answer to the next command, which it types. */
  openModal(page: Page, view: object): Promise<void>;
}

export async function openPages(tabs: Tabs, options: Partial<WorkspaceOptions> = {}): Promise<Pages> {
  const manifest = { ...MANIFEST, features: { ...MANIFEST.features, slash_commands: COMMANDS } };
  const slack = await openSlack({ manifest, pageFolder: await builtPage(), ...options });
  const problems: string[] = [];
  const payload = (type: string) =>
    until(() =>
      slack.app.received.map((one) => payloadSchema.parse(one.payload)).find((one) => one.type === type),
    );
  return {
    ...slack,
    problems,
    payload,
    action: async () => (await payload('block_actions')).actions[0] ?? {},
    async open({ as = 'U0ALICE', place = '', ...context } = {}) {
      const page = await tabs.open({ viewport: { width: 1200, height: 800 }, ...context });
      page.setDefaultTimeout(60_000);
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !/ERR_|status of 404/.test(message.text()))
          problems.push(message.text());
      });
      await page.goto(`${slack.workspace.url}/?as=${as}#${place}`);
      await page.getByText('live', { exact: true }).waitFor({ state: 'attached' });
      return page;
    },
    async post(blocks, text = 'from the app') {
      return answerSchema.parse(await slack.api('chat.postMessage', { channel: 'C0OPS', text, blocks })).ts;
    },
    async openModal(page, view) {
      const before = slack.app.received.length;
      await page.getByRole('combobox', { name: 'Message #ops' }).fill('/cloud open');
      await page.keyboard.press('Enter');
      const command = await until(() => slack.app.received.slice(before).find(({ form }) => form['command']));
      answerSchema.parse(await slack.api('views.open', { trigger_id: command.form['trigger_id'], view }));
    },
    async close() {
      await tabs.giveAllBack();
      await slack.close();
      if (problems.length > 0) throw new Error(`The page had errors:\n${problems.join('\n')}`);
    },
  };
}

/** The payload for the app, as far as tests read it. */
export function readPayload(payload: unknown): Payload {
  return payloadSchema.parse(payload);
}

/** One browser for the tests of a file. Each test gets a new workspace at the same address. */
export function openPagesForEach(
  begin: (opened: Pages, tabs: Tabs) => unknown,
  options: () => Partial<WorkspaceOptions> = () => ({}),
): void {
  let browser: SharedBrowser;
  let tabs: Tabs;
  let port: number;
  let opened: Pages | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
    tabs = createTabs(browser);
    port = await freePort();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    opened = await openPages(tabs, { port, ...options() });
    await begin(opened, tabs);
  });
  afterEach(() => opened?.close());
}
