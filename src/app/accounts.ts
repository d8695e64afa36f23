import { badConfiguration, type BellhopError, rescue } from '../model/values/errors.ts';
import type { Context } from '../model/ports.ts';
import type { Account } from '../model/rulebook/target.ts';
import type { SecretResolver } from '../config/environment/secrets.ts';
import { areas } from '../areas/index.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../service/client.ts';
import type { Endpoints } from './endpoints.ts';
import type { Observer } from './health/observer.ts';

interface AccountParts {
  readonly rulebook: Context['rulebook'];
  readonly secrets: Pick<SecretResolver, 'accepted'>;
  readonly local: Endpoints['accounts'];
  readonly observer: Pick<Observer, 'service'>;
  readonly shared: Omit<ServiceClientOptions, 'baseUrl' | 'apiKeys' | 'clientId' | 'afterCall' | 'onBreaker'>;
}

/**
 * Each further account gets its own client on the first call, with its own limits and circuit breaker. A command is refused if its account
 * was removed from bellhop.yaml, or moved to another address, after the command was resolved.
 */
export function connectAccounts({ rulebook, secrets, local, observer, shared }: AccountParts) {
  const clients = new Map<string, ServiceClient>();
  const connect = ({ name, url }: Account, key: string): ServiceClient => {
    const started = url === 'local' ? local[name] : undefined;
    if (url === 'local' && !started)
      throw refusal(name, 'has “base_url: local”, which needs API_BASE_URL=local and a restart');
    return createServiceClient(areas, {
      ...shared,
      baseUrl: started?.baseUrl ?? url,
      apiKeys: started ? () => [started.apiKey] : lastGood(() => secrets.accepted(key)),
      settings: { address: `accounts.${name}.base_url`, key: `accounts.${name}.key` },
      afterCall: (call) => observer.service.afterCall(call, name),
      onBreaker: (open, area) => observer.service.onBreaker(open, area, name),
    });
  };
  return {
    /** @throws BellhopError `configuration` before anything is sent */
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
  badConfiguration(`The account ${name} ${why}. Nothing was sent.`);

/** The file of a secret may be missing for a moment while it is replaced, so the last readable value stays valid. */
function lastGood<T>(read: () => T): () => T {
  let value = read();
  return () => {
    value = rescue(read, () => value);
    return value;
  };
}
