import { dueAfter } from '../../src/features/index.ts';
import * as opening from '../../src/store/open-store.ts';
import * as stores from '../../src/store/store.ts';

/** Opens a store that takes steps, like the bot's store. */
export const openStore: typeof opening.openStore = (location, options) =>
  opening.openStore(location, { dueAfter, ...options });

export const createStore: typeof stores.createStore = (database, options) =>
  stores.createStore(database, { dueAfter, ...options });
