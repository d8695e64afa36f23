// The one file that any Node can read: it says so in one line where Node is too old, before TypeScript is loaded.
const needed = 24;
const found = Number(process.versions.node.split('.')[0]);

if (found < needed) {
  console.error(
    'Bellhop needs Node ' + needed + ' or newer and found ' + process.version + '. Run "npm ci" (it brings Node 26 with it), then "npm start"; or install Node from https://nodejs.org.',
  );
  process.exitCode = 1;
} else {
  import('./main.ts').catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
