// The one file that any Node can read: where Node is too old it says so in one line, before TypeScript is loaded.
const needed = 24;
const found = Number(process.versions.node.split('.')[0]);

if (found < needed) {
  process.stderr.write(
    `Bellhop needs Node ${needed} or newer and found ${process.version}: run "npm ci", which brings Node 26, then "npm start"; or install it from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  await import('./main.ts');
}
