/** Words of alerting tools, from the mildest to the worst. Sources: Prometheus, Grafana, PagerDuty, Zabbix, syslog. */
const words: readonly (readonly string[])[] = [
  'info information informational notice debug low p4 p5 sev4 sev5'.split(' '),
  'warning warn minor medium moderate average p3 sev3'.split(' '),
  'error err major high p2 sev2'.split(' '),
  'critical crit alert fatal emergency emerg disaster urgent page p0 p1 sev0 sev1'.split(' '),
];

const ranks = new Map(words.flatMap((alike, at) => alike.map((word) => [word, at + 1] as const)));

export const highestRank = words.length;

/** 0 without a known word. */
export function rankOf(severity = ''): number {
  const parts = severity
    .toLowerCase()
    .replaceAll(/[-_ ](?=\d)/gu, '')
    // For example `non-critical`, `no longer urgent`, or `warning (was critical)`.
    .replaceAll(
      /\b(?:non|not|no longer|no|un|sub|semi|pre|less|never|was|below|isn['’]?t)[^a-z0-9]+[a-z0-9]+/gu,
      '',
    )
    .split(/[^a-z0-9]+/u);
  return Math.max(...parts.map((part) => ranks.get(part) ?? 0));
}

/** The worst severity. Of several equally bad severities, the first. */
export const worstOf = (severities: readonly (string | undefined)[]): string | undefined =>
  [...new Set(severities)].reduce((worst, each) =>
    worst === undefined || rankOf(each) > rankOf(worst) ? each : worst,
  );
