import { setTimeout as delay } from 'node:timers/promises';

import { type Dispatcher, Pool } from 'undici';

import { sendOver } from '../measure/contender.ts';
import type { SlackAndService } from './slack-and-service.ts';
import { signedClick, signedCommand } from './slack-payloads.ts';

/** People who each reboot their own instance, confirm it, and start again once its card says `succeeded`. */
export interface ConfirmingPeople {
  /** Starts them. Payloads go to the bots at these addresses in turn. */
  over(urls: readonly string[]): Confirming;
}

export interface Confirming {
  /** The number of requests that succeeded so far. */
  succeeded(): number;
  /** Stops new requests. Resolves once the open ones have succeeded. */
  end(): Promise<void>;
}

const numbers = (people: number) => Array.from({ length: people }, (_, number) => number + 100);
const nameOf = (number: number): string => `web-${number}`;
const userOf = (number: number): string => `U0PERSON${number}`;

/** Rules that allow all of them. */
export const rulesFor = (people: number): string => `
project: 1186668
region: 76
instances:
${numbers(people)
  .map((number) => `  ${nameOf(number)}: { id: 6c6aa80f-7836-4dc2-a2ae-000000000${number} }`)
  .join('\n')}
roles:
  responders: { users: [${numbers(people).map(userOf).join(', ')}] }
rules:
  - { operations: [cloud.*], roles: [responders], then: confirm }
`;

/**
 * @param people at most 899
 * @param lookMs how long they look at a card before they confirm
 */
export function confirmingPeople(
  people: number,
  slackAndService: SlackAndService,
  lookMs = 0,
): ConfirmingPeople {
  const { responseUrl } = slackAndService;
  const confirmOne = async (
    number: number,
    send: (payload: ReturnType<typeof signedClick>) => Promise<void>,
  ) => {
    const [name, user] = [nameOf(number), userOf(number)];
    const proposed = slackAndService.card(name, 'proposed');
    await send(signedCommand({ command: '/cloud', text: `reboot ${name}`, user, responseUrl }));
    const card = await proposed;
    if (lookMs > 0) await delay(lookMs);
    const succeeded = slackAndService.card(name, 'succeeded', card.ts);
    await send(signedClick({ ...card, user, responseUrl }));
    await succeeded;
  };
  return {
    over(urls) {
      const pools: readonly Dispatcher[] = urls.map((url) => new Pool(url, { connections: people }));
      let [turn, done] = [0, 0];
      const ending = new AbortController();
      const send = async (payload: ReturnType<typeof signedClick>): Promise<void> => {
        turn += 1;
        const pool = pools[turn % pools.length];
        if (pool) await sendOver(pool, payload);
      };
      const all = Promise.all(
        numbers(people).map(async (number) => {
          while (!ending.signal.aborted) {
            await confirmOne(number, send);
            done += 1;
          }
        }),
      );
      return {
        succeeded: () => done,
        async end() {
          ending.abort();
          await all;
          await Promise.all(pools.map((pool) => pool.close()));
        },
      };
    },
  };
}

/** How long a person looks at a card, so that each step has its own sealing round. */
export const lookMs = 600;
const loneOperations = 15;

/** One person's operations, one after another. Resolves to their number. */
export async function operationsAlone(
  slackAndService: SlackAndService,
  urls: readonly string[],
): Promise<number> {
  const person = confirmingPeople(1, slackAndService, lookMs);
  for (let left = loneOperations; left > 0; left -= 1) {
    await person.over(urls).end();
    await delay(lookMs);
  }
  return loneOperations;
}
