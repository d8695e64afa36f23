const dayMs = 86_400_000;

/** @type {Readonly<Record<string, Intl.DateTimeFormatOptions>>} */
const formats = {
  date: { month: 'long', day: 'numeric', year: 'numeric' },
  date_long: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  date_long_full: { month: 'long', day: 'numeric', year: 'numeric' },
  date_short: { month: 'short', day: 'numeric', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  time_secs: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
};

/** @param {Date} moment @param {Intl.DateTimeFormatOptions} options */
function inWords(moment, options) {
  return new Intl.DateTimeFormat('en-GB', options).format(moment);
}

/** @param {Date} at */
function dayNumber(at) {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / dayMs;
}

/** @param {number} part */
function pad(part) {
  return String(part).padStart(2, '0');
}

/** Calendar days between two moments. @param {Date} moment @param {Date} now */
function daysAway(moment, now) {
  return dayNumber(moment) - dayNumber(now);
}

/** @param {Date} moment @param {Date} now @returns {string | undefined} */
function relativeDay(moment, now) {
  return { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[String(daysAway(moment, now))];
}

/** @param {Date} moment @param {Date} now */
function ago(moment, now) {
  const seconds = Math.round((moment.getTime() - now.getTime()) / 1000);
  const words = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
  const size = Math.abs(seconds);
  if (size < 60) return words.format(seconds, 'second');
  if (size < 3600) return words.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return words.format(Math.round(seconds / 3600), 'hour');
  return words.format(Math.round(seconds / 86_400), 'day');
}

/** @param {string} token @param {Date} moment @param {Date} now @returns {string | undefined} */
function dateToken(token, moment, now) {
  const [year, month, day] = [
    String(moment.getFullYear()),
    pad(moment.getMonth() + 1),
    pad(moment.getDate()),
  ];
  if (token === 'date_num') return `${year}-${month}-${day}`;
  if (token === 'date_slash') return `${day}/${month}/${year}`;
  if (token === 'ago') return ago(moment, now);
  if (token === 'day_divider_pretty') return relativeDay(moment, now) ?? dayName(moment, now);
  const plain = token.replace(/_pretty$/, '');
  const format = formats[plain];
  if (format === undefined) return undefined;
  const near = plain === token ? undefined : relativeDay(moment, now);
  return near ?? inWords(moment, format);
}

/**
 * Fills the template of `<!date^…>` in the reader's zone.
 * @param {number} seconds since 1970
 * @param {string} template such as `{date_short} at {time}`
 * @param {Date} now
 * @returns {string | undefined} undefined if the number is not a date, or a token is not known: the fallback applies
 */
export function formatSlackDate(seconds, template, now) {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return undefined;
  let known = true;
  const filled = template.replaceAll(/\{(\w+)\}/g, (typed, token) => {
    const words = dateToken(String(token), moment, now);
    if (words === undefined) known = false;
    return words ?? typed;
  });
  return known ? filled : undefined;
}

/** The words of a day divider: Today, Yesterday, or the day's name. @param {Date} moment @param {Date} now */
export function dayName(moment, now) {
  const near = relativeDay(moment, now);
  if (near !== undefined) return `${near.charAt(0).toUpperCase()}${near.slice(1)}`;
  const sameYear = moment.getFullYear() === now.getFullYear();
  return inWords(moment, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: sameYear ? undefined : 'numeric',
  });
}

/** Hours and minutes as shown next to a message. @param {Date} moment */
export function clockTime(moment) {
  return inWords(moment, formats['time'] ?? {});
}

/** The moment of a message, from its `ts` (`1731045600.000100`: seconds and a counter). @param {string} ts */
export function momentOf(ts) {
  return new Date(Number.parseFloat(ts) * 1000);
}
