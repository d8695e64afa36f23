const eachMs = 100;

export interface Progress {
  readonly show: (done: number, all: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Shows how far work is on one line, on a terminal only. */
export function createProgress(what: string): Progress {
  let shownAt: number | undefined;
  return {
    show(done, all) {
      const now = performance.now();
      if (!process.stderr.isTTY || (shownAt !== undefined && now - shownAt < eachMs)) return;
      shownAt = now;
      process.stderr.write(`\r\u001B[K${what}, ${Math.floor((100 * done) / Math.max(all, 1))} %`);
    },
    end() {
      if (shownAt !== undefined) process.stderr.write('\r\u001B[K');
    },
  };
}
