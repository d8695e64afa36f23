const eachMs = 100;

export type ShowProgress = (done: number, all: number) => void;

/** Shows one line, which is removed at the end. Shows nothing if stderr is not a terminal. */
export async function during<T>(what: string, work: (show: ShowProgress) => Promise<T>): Promise<T> {
  let shownAt: number | undefined;
  try {
    return await work((done, all) => {
      if (!process.stderr.isTTY) return;
      const now = performance.now();
      if (shownAt !== undefined && now - shownAt < eachMs) return;
      shownAt = now;
      process.stderr.write(`\r\u001B[K${what}, ${Math.floor((100 * done) / Math.max(all, 1))} %`);
    });
  } finally {
    if (shownAt !== undefined) process.stderr.write('\r\u001B[K');
  }
}
