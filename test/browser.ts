import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Nothing of the browser's own goes over the wire, and it needs no GPU. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Of the package's own: one process is fragile with two pages, and the page's security is what we test. */
const unfit = new Set(['--single-process', '--disable-web-security', '--allow-running-insecure-content']);

/**
 * A real headless Chromium: the one inside an npm package on Linux x64, an installed Chrome elsewhere.
 * Close it when done.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return chromium.launch({ channel: 'chrome', args: quiet });
  }
  const args = [...new Set([...chromiumPackage.args, ...quiet])].filter((each) => !unfit.has(each));
  return chromium.launch({ executablePath: await chromiumPackage.executablePath(), args, headless: true });
}
