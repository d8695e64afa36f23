import { startRelay } from '../program/relay.ts';

/** Right before the service: what it took, whatever became of the request and of the answer on their way. */
export interface EffectCounter {
  readonly url: string;
  /** Changes that the service carried out (2xx), by what they carried as `X-Request-Id`. */
  readonly effects: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function countEffects(serviceUrl: string): Promise<EffectCounter> {
  const effects = new Map<string, number>();
  const relay = await startRelay(
    () => serviceUrl,
    async ({ method, headers }, forward) => {
      const answer = await forward();
      if (method !== 'GET' && answer.status >= 200 && answer.status < 300) {
        const id = String(headers['x-request-id']);
        effects.set(id, (effects.get(id) ?? 0) + 1);
      }
      return answer;
    },
  );
  return { url: relay.url, effects, close: () => relay.close() };
}
