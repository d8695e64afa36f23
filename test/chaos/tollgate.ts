import type { World } from '../harness/world.ts';

/** How the next change of an instance is treated on its way. */
interface Toll {
  /** Whether the service gets the change before or after it is held. */
  readonly effect: 'before' | 'after';
  /** Called when the change arrives, with the bot that sent it. */
  readonly arrived: (bot: number) => void;
  /** The change is held until this resolves. Then its answer is lost. */
  readonly released: Promise<void>;
}

/** A proxy between each bot and the service, which holds the changes that a story waits for. */
export interface Tollgate {
  hold(instance: string, toll: Toll): void;
  /** Stops holding changes of this instance. */
  wave(instance: string): void;
}

export function openTollgate({ meetService }: Pick<World<never>, 'meetService'>): Tollgate {
  const tolls = new Map<string, Toll>();
  meetService((bot) => async ({ method, path }, forward) => {
    const instance = path.split('/').at(-2) ?? '';
    const toll = method === 'GET' ? undefined : tolls.get(instance);
    if (!toll) return forward();
    tolls.delete(instance);
    if (toll.effect === 'after') await forward();
    toll.arrived(bot);
    await toll.released;
    return 'lost';
  });
  return {
    hold: (instance, toll) => void tolls.set(instance, toll),
    wave: (instance) => void tolls.delete(instance),
  };
}
