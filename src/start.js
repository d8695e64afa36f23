import module from 'node:module';
import { fileURLToPath } from 'node:url';

// The start has not read the rules yet, so a request to read them again (SIGHUP) must only not end the process.
process.on('SIGHUP', () => {});

// Any Node can read this file. If Node is too old, the file says so in one line, before TypeScript is loaded.
const needed = 24;
const found = Number(process.versions.node.split('.')[0]);

if (found < needed) {
  const msg = `Bellhop needs Node ${needed} or newer and found ${process.version}: run "npm ci", which brings Node 26, then "npm start"; or install it from https://nodejs.org.`;
  const line = { level: 'error', time: new Date().toISOString(), app: 'bellhop', msg };
  process.stderr.write(`${process.stderr.isTTY ? msg : JSON.stringify(line)}\n`);
  process.exitCode = 1;
} else {
  // Keeps Node's compile cache, so that every later start takes less than half as long. If NODE_COMPILE_CACHE is set, Node has
  // enabled it already, and this folder next to the packages is not used.
  const cache = module.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)),
  );
  const { start } = await import('./main.ts');
  await start(cache);
}
