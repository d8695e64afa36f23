import { hash } from 'node:crypto';

import { z } from 'zod';

import { badInput } from '../../../model/values/errors.ts';
import { parseJson } from '../../../text/words.ts';
import { nameInRow } from './csv.ts';

export const packFormat = 'bellhop-evidence/1';

/** Packs with more entries have no single proofs: `numbers.csv` proves all entries together. */
export const mostProofs = 5000;

const sealed = z.strictObject({
  size: z.int().min(1),
  cosignatures: z.int().min(0),
  /** The hash of the file. The file may have signatures that no key of the pack can verify. */
  sha256: z.string(),
});

const content = z.strictObject({
  format: z.literal(packFormat),
  made: z.iso.datetime(),
  period: z.strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    zone: z.literal('UTC'),
    /** Set if the log was not sealed to the end of the period. */
    sealed_until: z.iso.datetime().optional(),
  }),
  filter: z.strictObject({ labels: z.record(z.string(), z.string()), operation: z.string() }),
  people: z.enum(['ids', 'names']),
  /** By id, as of the day the pack was made. */
  names: z.record(z.string(), z.string()),
  entries: z.strictObject({ first: z.int().min(1), last: z.int().min(1) }),
  changes: z.int().min(1),
  count: z.strictObject({ in: z.int().min(1), change: z.int().min(0), other: z.int().min(0) }),
  checkpoints: z.strictObject({ first: sealed, last: sealed }),
  keys: z.strictObject({ sha256: z.string() }),
  /** The rules of the day the pack was made, if there was a bellhop.yaml. */
  rules: z.strictObject({ hash: z.string(), names: z.array(z.string()) }).optional(),
});
export type Manifest = Readonly<z.output<typeof content>>;

const withHash = content.extend({ sha256: z.string() });

export function formatManifest(manifest: Manifest): string {
  const ordered = content.parse(manifest);
  const sha256 = hash('sha256', JSON.stringify(ordered));
  return `${JSON.stringify({ ...ordered, sha256 }, undefined, 2)}\n`;
}

/** @throws BellhopError `bad-input` if the text is not what `formatManifest` writes */
export function parseManifest(text: string): Manifest {
  const { data } = withHash.safeParse(parseJson(text));
  if (!data) throw badInput(`It is not a manifest of ${packFormat}.`);
  const { sha256: _, ...manifest } = data;
  for (const [id, name] of Object.entries(manifest.names))
    if (name !== nameInRow(name))
      throw badInput(`The name of ${id} has characters that look like a sign-in, such as parentheses.`);
  if (formatManifest(manifest) !== text) throw badInput('It was altered: its own hash does not match.');
  return manifest;
}

const day = 86_400_000;

/** Times are epoch milliseconds. */
export const selectionOf = ({ period, filter }: Pick<Manifest, 'period' | 'filter'>) => ({
  ...filter,
  from: Date.parse(period.from),
  until: Date.parse(period.to) + day,
});
export type Selection = Readonly<ReturnType<typeof selectionOf>>;

/** Or ''. */
export const filterOf = ({ filter: { labels, operation } }: Pick<Manifest, 'filter'>): string =>
  [
    ...Object.entries(labels).map(([label, value]) => `${label}=${value}`),
    ...(operation === '*' ? [] : [operation]),
  ].join(', ');
