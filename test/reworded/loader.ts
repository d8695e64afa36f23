import { registerHooks } from 'node:module';

import { reword } from './reword.ts';

/**
 * Rewords what the bot says while it is loaded: `node --import`. Left as they are: the rooms that know SQL and the wire
 * formats, and what tells that the program is ready.
 */
const leftAlone = /\/src\/(?:store|service|program|audit\/tree|app\/(?!cli\/)|main\.ts|start\.js)/u;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const { source } = loaded;
    if (!url.includes('/src/') || url.includes('/node_modules/') || leftAlone.test(url)) return loaded;
    return {
      ...loaded,
      source: reword(typeof source === 'string' ? source : new TextDecoder().decode(source)),
    };
  },
});
