const loadInstead = 'look at the load of instances where you monitor them, as in Grafana';

/** What earlier versions took, an option, an operation or a key, and what to do instead. */
const instead: ReadonlyMap<string, string> = new Map([
  ['--follow', 'press Refresh under the answer to look again'],
  ['cloud.load', loadInstead],
  ['instance-metrics', loadInstead],
]);

/** The sentence that answers a word which is no longer taken; undefined for all others. */
export function removedText(word: string, typed = word): string | undefined {
  const found = instead.get(word);
  return found === undefined ? undefined : `${typed} was removed: ${found}.`;
}
