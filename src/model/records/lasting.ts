import type { z } from 'zod';

import type { DueDraft, DueKind, Lasting } from './due.ts';

/** With its stored version. */
type Kept<About> = Readonly<About> & Pick<Lasting, 'version'>;

/** Each record is due work of this kind. */
export const lastingRecords = <About extends object>(kind: DueKind, schema: z.ZodType<About>) => ({
  /** @throws ZodError for a record of a newer version */
  read: ({ about, version }: Pick<Lasting, 'about' | 'version'>): Kept<About> => ({
    ...schema.parse(about),
    version,
  }),
  draft: (key: string, { version, ...about }: Kept<About>, at: number): DueDraft => ({
    kind,
    key,
    version: version + 1,
    at,
    about,
  }),
  end: (key: string): DueDraft => ({ kind, key, at: undefined, ends: true }),
});
