import { type Clock, within } from './ports.ts';

const maxKept = 5000;

interface Remembering {
  /** In milliseconds: how long an answer is used without another look-up. */
  readonly freshMs: number;
  /** In milliseconds: how long an answer is valid while new ones fail. Default: `freshMs`. */
  readonly keptMs?: number;
  /** In milliseconds: how long a look-up is awaited. A later answer is cached, too. */
  readonly waitMs: number;
  readonly onFailure: (error: unknown, key: string) => void;
}

/** At most one look-up at a time for each key. Failures and late answers resolve to undefined. */
export function remembered<T>(
  clock: Clock,
  look: (key: string) => Promise<T>,
  { freshMs, keptMs = freshMs, waitMs, onFailure }: Remembering,
) {
  const copies = new Map<string, { readonly value: T; readonly at: number }>();
  const asking = new Map<string, Promise<T | undefined>>();
  const copyOf = (key: string, ms: number): T | undefined => {
    const copy = copies.get(key);
    // The difference is absolute, because after the clock was set back the entry would look fresh for longer.
    return copy && Math.abs(clock.now() - copy.at) < ms ? copy.value : undefined;
  };

  const ask = async (key: string): Promise<T | undefined> => {
    try {
      const value = await look(key);
      copies.delete(key);
      copies.set(key, { value, at: clock.now() });
      const [oldest] = copies.keys();
      if (copies.size > maxKept && oldest !== undefined) copies.delete(oldest);
      return value;
    } catch (error) {
      onFailure(error, key);
      return undefined;
    } finally {
      asking.delete(key);
    }
  };

  return async (key: string): Promise<T | undefined> => {
    const copy = copyOf(key, freshMs);
    if (copy !== undefined) return copy;
    const pending = asking.get(key) ?? within(clock, waitMs, () => ask(key));
    asking.set(key, pending);
    return (await pending) ?? copyOf(key, keptMs);
  };
}
