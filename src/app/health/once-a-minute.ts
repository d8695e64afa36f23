import type { Clock } from '../../model/ports.ts';

/** The same line is logged once in so long, in milliseconds: a flood must not fill the log. */
const logAgainMs = 60_000;

/** Whether the line of this key is due. There are few keys. */
export function onceAMinute({ now }: Pick<Clock, 'now'>): (key: string) => boolean {
  const logged = new Map<string, number>();
  return (key) => {
    const last = logged.get(key);
    // A clock that was set back would keep it silent for as long.
    if (last !== undefined && Math.abs(now() - last) < logAgainMs) return false;
    logged.set(key, now());
    return true;
  };
}
