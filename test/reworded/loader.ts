import { registerHooks } from 'node:module';

import { reword } from './reword.ts';

/** Files whose texts are formats or protocol values. All others are reworded while the bot is loaded: `node --import`. */
const leftAlone = [
  // Values that the service sends, such as `In progress`.
  /\/src\/service\/schemas\//u,
  // Signed notes and proofs, a public format.
  /\/src\/audit\/tree\//u,
  // Values of OCSF, such as `High`.
  /\/src\/audit\/publish\/ocsf\.ts/u,
  // Columns in a row.
  /\/src\/store\/cli\/forget\.ts/u,
  // JavaScript, with the check of the version of Node.
  /\/src\/start\.js/u,
];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const { source } = loaded;
    if (
      !url.includes('/src/') ||
      url.includes('/node_modules/') ||
      leftAlone.some((files) => files.test(url))
    )
      return loaded;
    return {
      ...loaded,
      source: reword(typeof source === 'string' ? source : new TextDecoder().decode(source)),
    };
  },
});
