/** A moment in the reader's own zone: `14:05`. `at` is epoch milliseconds; the text after `|` is for old clients. */
export const slackTime = (at: number): string => dateToken(at, '{time}', 11, 16);

/** With the day, for what may be read later: `Nov 21, 2026 14:05`. */
export const slackDateTime = (at: number): string => dateToken(at, '{date_short} {time}', 0, 16);

function dateToken(at: number, format: string, from: number, to: number): string {
  const inUtc = new Date(at).toISOString().replace('T', ' ').slice(from, to);
  return `<!date^${Math.floor(at / 1000)}^${format}|${inUtc} UTC>`;
}
