import { expect, onTestFinished, test } from 'vitest';

import { connectAccounts } from '../../src/app/accounts.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import type { Context } from '../../src/model/ports.ts';
import type { Inventory } from '../../src/model/rulebook/target.ts';

const url = 'https://api.eu.example.com';
const eu = { name: 'eu', url };

/** Accounts of a file that can change, and of secrets that can go. */
function connected() {
  const file: { accounts: Inventory['accounts'] } = { accounts: { eu: { baseUrl: url, key: 'secret:eu' } } };
  const values = new Map([['secret:eu', ['key']]]);
  const accounts = connectAccounts({
    rulebook: () => ({ inventory: file }) as ReturnType<Context['rulebook']>,
    secrets: {
      accepted(reference) {
        const value = values.get(reference);
        if (value) return value;
        throw new BellhopError('configuration', 'The secret does not exist.');
      },
    },
    local: {},
    observer: { service: { afterCall: () => undefined, onBreaker: () => undefined } } as never,
    shared: {},
  });
  onTestFinished(() => accounts.close());
  return { file, values, accounts };
}

test('an account keeps its client, and gets another with another key', () => {
  const { file, values, accounts } = connected();
  const client = accounts.clientOf(eu);
  expect(accounts.clientOf(eu)).toBe(client);
  values.set('secret:new', ['new']);
  file.accounts = { eu: { baseUrl: url, key: 'secret:new' } };
  expect(accounts.clientOf(eu)).not.toBe(client);
});

test.each<[string, Inventory['accounts']]>([
  ['leads elsewhere', { eu: { baseUrl: 'https://other.example.com', key: 'secret:eu' } }],
  ['has another name', { ue: { baseUrl: url, key: 'secret:eu' } }],
  ['is gone', undefined],
])('a confirmed change is not sent once its account %s', (_, accounts) => {
  const stage = connected();
  stage.accounts.clientOf(eu);
  stage.file.accounts = accounts;
  expect(() => stage.accounts.clientOf(eu)).toThrow(
    `The account eu is no longer at ${url} in bellhop.yaml. Nothing was sent.`,
  );
});

test('an account without a key, or of a playground that does not run, sends nothing', () => {
  const { file, values, accounts } = connected();
  values.clear();
  expect(() => accounts.clientOf(eu)).toThrow('The secret does not exist.');
  file.accounts = { eu: { baseUrl: 'local', key: 'secret:eu' } };
  expect(() => accounts.clientOf({ name: 'eu', url: 'local' })).toThrow(/needs API_BASE_URL=local/u);
});
