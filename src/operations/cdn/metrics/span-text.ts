const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** A length of time as `--last` takes it, but for the spaces: `1d 12h`, `15m`. Whole seconds. */
export function spanText(milliseconds: number): string {
  let left = milliseconds;
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.length === 0 ? '0s' : parts.join(' ');
}
