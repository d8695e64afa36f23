import { afterEach, beforeEach } from 'vitest';

import { allOrNothingContract } from './contract/all-or-nothing.ts';
import { cardsContract } from './contract/cards.ts';
import { dueContract } from './contract/due.ts';
import { featureTests } from '../features/index.ts';
import { housekeepingContract } from './contract/housekeeping.ts';
import { lastingContract } from './contract/lasting.ts';
import { listsContract } from './contract/lists.ts';
import type { Opened } from './contract/opened.ts';
import { proposalsContract } from './contract/proposals.ts';
import { recordContract } from './contract/record.ts';
import { requestsContract } from './contract/requests.ts';
import { reviewsContract } from './contract/reviews.ts';
import { setBackContract } from './contract/set-back.ts';
import { signInsContract } from './contract/sign-ins.ts';
import { startsContract } from './contract/starts.ts';
import { tamperingContract } from './contract/tampering.ts';
import { checkpointContract } from './contract/tampering-checkpoints.ts';
import { unreadableContract } from './contract/unreadable.ts';

/** The contract of every store. Each test has a database as a migration leaves it. */
export function storeContract(open: () => Promise<Opened>): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const stores = () => opened;
  requestsContract(stores);
  allOrNothingContract(stores);
  proposalsContract(stores);
  listsContract(stores);
  cardsContract(stores);
  recordContract(stores);
  for (const { storeContracts = [] } of featureTests) for (const contract of storeContracts) contract(stores);
  reviewsContract(stores);
  dueContract(stores);
  lastingContract(stores);
  startsContract(stores);
  signInsContract(stores);
  setBackContract(stores);
  tamperingContract(stores);
  checkpointContract(stores);
  housekeepingContract(stores);
  unreadableContract(stores);
}
