const mostNamed = 10;

/** The numbers of a pack that have only a hash: no verification shows what these entries are. */
export interface Hidden {
  readonly count: number;
  /** The numbers, as ranges; the first of them if there are many. */
  readonly named: string;
}

export function createHidden() {
  const ranges: { from: number; to: number }[] = [];
  let [count, isCut] = [0, false];
  return {
    get count() {
      return count;
    },
    get named() {
      const texts = ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`));
      return [...texts, ...(isCut ? ['…'] : [])].join(', ');
    },
    /** Called with the numbers in order. */
    add(number: number): void {
      count += 1;
      const range = ranges.at(-1);
      if (!isCut && range?.to === number - 1) range.to = number;
      else if (ranges.length < mostNamed) ranges.push({ from: number, to: number });
      else isCut = true;
    },
  };
}
