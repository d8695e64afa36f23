import type { Plugin } from 'rolldown';

import { reword } from './reword.ts';

/** Files whose texts are formats or protocol values. All others are reworded while the bot is built. */
const leftAlone = [
  // Values that the service sends, such as `In progress`.
  /\/src\/service\/schemas\//u,
  // Signed notes and proofs, a public format.
  /\/src\/audit\/tree\//u,
  // Values of OCSF, such as `High`.
  /\/src\/features\/publication\/ocsf\.ts/u,
  // SQL.
  /\/src\/store\/migrations\//u,
  // Columns in a row.
  /\/src\/store\/database\/columns\.ts/u,
];

/** Builds a bot all of whose texts read otherwise. */
export const rewording: Plugin = {
  name: 'rewording',
  transform: {
    filter: { id: { include: /\/src\/.*\.ts$/u, exclude: [/\/node_modules\//u, ...leftAlone] } },
    // The lines stay, but not the columns: no one debugs this build.
    handler: (code) => ({ code: reword(code), map: { mappings: '' } }),
  },
};
