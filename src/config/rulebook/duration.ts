const shape = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/u;

/** `90d`, `1h30m`, `15m`, `60s` → milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = text === '' ? undefined : shape.exec(text);
  if (!match) return undefined;
  const [, days, hours, minutes, seconds] = match;
  const allHours = Number(days ?? 0) * 24 + Number(hours ?? 0);
  return ((allHours * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
}
