import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache');
const unpacked = join(cache, 'chromium');
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** The browser makes no requests of its own, and needs no GPU. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Options of the package that are removed: a single process is fragile with two pages, and the page's security is what
 * we test.
 */
const unfit = new Set(['--single-process', '--disable-web-security', '--allow-running-insecure-content']);

/**
 * A real headless Chromium: the one inside an npm package on Linux x64, an installed Chrome elsewhere.
 * Close it when done.
 */
export async function launchBrowser(): Promise<Browser> {
  if (!isPackaged) return chromium.launch({ channel: 'chrome', args: quiet });
  await setup();
  const args = [...new Set([...chromiumPackage.args, ...quiet])].filter((each) => !unfit.has(each));
  return chromium.launch({ executablePath: join(unpacked, 'chromium'), args, headless: true });
}

/** The part of a browser that the tests of a file use. Closing it closes their pages. */
export type SharedBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>;

/**
 * The browser for the tests of a file. All files of a worker share its process, because a start takes a second of CPU.
 */
export async function openBrowser(): Promise<SharedBrowser> {
  if (!(await shared)?.isConnected()) shared = undefined;
  const browser = await (shared ??= launchBrowser());
  const contexts: BrowserContext[] = [];
  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  };
}
let shared: Promise<Browser> | undefined;

/**
 * Unpacks the browser, once for each `npm ci`, into a folder of the checkout that only its owner may enter. The package
 * itself unpacks to fixed names in the temporary directory, where another user may have put something else.
 * Vitest calls this before the tests.
 */
export async function setup(): Promise<void> {
  if (!isPackaged || existsSync(unpacked)) return;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'chromium-'));
  await chmod(folder, 0o700);
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
  });
  // First rename wins: another process may have unpacked the browser in the meantime.
  await rename(folder, unpacked).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(unpacked)) throw error;
  });
}
