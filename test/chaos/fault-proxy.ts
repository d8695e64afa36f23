import { startRelay, type Answer, type Passed } from '../program/relay.ts';

/** What happens to the next change of an instance on its way. */
export interface Toll {
  /** Whether the service gets it before it is held. */
  readonly effect: 'before' | 'after';
  /** Told which bot sent it, once it is there. */
  readonly arrived: (bot: number) => void;
  /** It is held until this resolves; then its answer gets lost, or goes through. */
  readonly released: Promise<'lost' | 'answered'>;
}

/** Between each bot and the service: counts every change, holds those that a story waits for. */
export interface Tollgate {
  /** The address of the service as the bot of this number knows it. */
  urlOf(bot: number): string;
  /** Changes that arrived, by what they carry as `X-Request-Id`. */
  readonly changes: ReadonlyMap<string, number>;
  hold(instance: string, toll: Toll): void;
  /** Holds nothing of this instance any more. */
  wave(instance: string): void;
  close(): Promise<void>;
}

export async function startTollgate(serviceUrl: string, bots: number): Promise<Tollgate> {
  const changes = new Map<string, number>();
  const tolls = new Map<string, Toll>();
  const pass = async (
    bot: number,
    { method, path, headers }: Passed,
    forward: () => Promise<Answer>,
  ): Promise<Answer | 'lost'> => {
    if (method === 'GET') return forward();
    const sent = String(headers['x-request-id']);
    changes.set(sent, (changes.get(sent) ?? 0) + 1);
    const instance = path.split('/').at(-2) ?? '';
    const toll = tolls.get(instance);
    tolls.delete(instance);
    if (!toll) return forward();
    const early = toll.effect === 'after' ? await forward() : undefined;
    toll.arrived(bot);
    return (await toll.released) === 'lost' ? 'lost' : (early ?? forward());
  };
  const relays = await Promise.all(
    Array.from({ length: bots }, (_, bot) =>
      startRelay(
        () => serviceUrl,
        (passed, forward) => pass(bot, passed, forward),
      ),
    ),
  );
  return {
    urlOf: (bot) => relays[bot]?.url ?? '',
    changes,
    hold: (instance, toll) => void tolls.set(instance, toll),
    wave: (instance) => void tolls.delete(instance),
    async close() {
      for (const relay of relays) await relay.close();
    },
  };
}
