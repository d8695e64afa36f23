/** What verification says of the audit log. */
export type Verdict =
  | { readonly intact: true; readonly size: number }
  | {
      readonly intact: false;
      /** The first entry that is concerned. */
      readonly seq: number;
      readonly why: string;
      /** Where all that is wrong is that none of the given keys signed some checkpoints: the number of the last of these. */
      readonly unsignedUntil?: number | undefined;
    };

export type Found = Extract<Verdict, { intact: false }>;

export const broken = (seq: number, why: string): Found => ({ intact: false, seq, why });

/** So many rows are held at a time. */
export const pageLength = 2000;

/**
 * All rows, page by page, from the very first on. A page begins again with the last row of the one before, so that one of the
 * same number beside it is not passed over.
 */
export async function* pagesOf<T extends { readonly number: number }>(
  read: (after: number | undefined, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[], undefined> {
  for (let last: T | undefined; ;) {
    const page = await read(last && last.number - 1, pageLength);
    const known = last !== undefined && page[0]?.number === last.number;
    if (page.length > 0) yield known ? page.slice(1) : page;
    if (page.length < pageLength) return undefined;
    last = page.at(-1);
  }
}
