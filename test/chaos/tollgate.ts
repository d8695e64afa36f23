import type { World } from '../harness/world.ts';

/** The treatment of the next change of an instance on its way. */
interface Toll {
  /** Whether the service gets it before it is held. */
  readonly effect: 'before' | 'after';
  /** Called with the bot that sent it, once it arrives. */
  readonly arrived: (bot: number) => void;
  /** It is held until this resolves; then its answer is lost. */
  readonly released: Promise<void>;
}

/** Between each bot and the service: holds the changes that a story waits for. */
export interface Tollgate {
  hold(instance: string, toll: Toll): void;
  /** Holds nothing of this instance any more. */
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
