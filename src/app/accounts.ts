import { BellhopError, rescue } from '../model/values/errors.ts';
import type { Context } from '../model/ports.ts';
import type { Account } from '../model/rulebook/target.ts';
import type { SecretResolver } from '../config/environment/secrets.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../service/client.ts';
import type { Endpoints } from './endpoints.ts';
import type { Observer } from './health/observer.ts';

interface AccountParts {
  readonly rulebook: Context['rulebook'];
  readonly secrets: Pick<SecretResolver, 'accepted'>;
  readonly local: Endpoints['accounts'];
  readonly observer: Pick<Observer, 'service'>;
  /** What the clients of all accounts share. */
  readonly shared: Omit<ServiceClientOptions, 'baseUrl' | 'apiKeys' | 'clientId' | 'onCall' | 'onBreaker'>;
}

/**
 * A client for each further account, made with its first call, so that each has its own bounds and breaker. An account
 * is refused if it was removed from bellhop.yaml, or got another address, since the command was resolved.
 */
export function connectAccounts({ rulebook, secrets, local, observer, shared }: AccountParts) {
  const clients = new Map<string, ServiceClient>();
  const connect = ({ name, url }: Account, key: string): ServiceClient => {
    const started = url === 'local' ? local[name] : undefined;
    if (url === 'local' && !started)
      throw refusal(name, 'has “base_url: local”, which needs API_BASE_URL=local and a restart');
    return createServiceClient({
      ...shared,
      baseUrl: started?.baseUrl ?? url,
      apiKeys: started ? () => [started.apiKey] : lastGood(() => secrets.accepted(key)),
      settings: { address: `accounts.${name}.base_url`, key: `accounts.${name}.key` },
      onCall: (call) => observer.service.onCall(call, name),
      onBreaker: (open, area) => observer.service.onBreaker(open, area, name),
    });
  };
  return {
    /** @throws BellhopError `configuration`; nothing was sent */
    clientOf(account: Account): ServiceClient {
      const now = rulebook().inventory.accounts?.[account.name];
      if (now?.baseUrl !== account.url)
        throw refusal(account.name, `is no longer at ${account.url} in bellhop.yaml`);
      const id = JSON.stringify([account.name, account.url, now.key]);
      return clients.getOrInsertComputed(id, () => connect(account, now.key));
    },
    async close(): Promise<void> {
      for (const client of clients.values()) await client.close();
    },
  };
}

const refusal = (name: string, why: string): BellhopError =>
  new BellhopError('configuration', `The account ${name} ${why}. Nothing was sent.`);

/** A secret that can't be read any more is used as it was: a file may be missing for a moment while it is replaced. */
function lastGood<T>(read: () => T): () => T {
  let value = read();
  return () => {
    value = rescue(read, () => value);
    return value;
  };
}
