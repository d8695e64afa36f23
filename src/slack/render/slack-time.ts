/** A moment in the reader's own zone: `14:05`. `at` is epoch milliseconds; the text after `|` is for old clients. */
export const slackTime = (at: number): string => dateToken(at, '{time}', 11, 16);

/** How Slack is to write a moment with its day: `Nov 21, 2026 14:05`. */
export const dateFormat = '{date_short} {time}';

/** With the day, for what may be read later. */
export const slackDateTime = (at: number): string => dateToken(at, dateFormat, 0, 16);

function dateToken(at: number, format: string, from: number, to: number): string {
  const inUtc = new Date(at).toISOString().replace('T', ' ').slice(from, to);
  return `<!date^${Math.floor(at / 1000)}^${format}|${inUtc} UTC>`;
}
