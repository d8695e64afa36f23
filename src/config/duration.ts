const shape = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/u;

/** `1h30m`, `15m`, `60s` → milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = text === '' ? undefined : shape.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, seconds] = match;
  return ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
}
