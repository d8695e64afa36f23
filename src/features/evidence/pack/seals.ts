import { hash } from 'node:crypto';

import { openCheckpointAside, originOf, type SignedCheckpoint } from '../../../audit/tree/checkpoint.ts';
import { createTree, type MerkleTree, treeOfEdge } from '../../../audit/tree/merkle.ts';
import { parseContinuation } from '../../../audit/tree/proof-file.ts';
import { provenEdge, verifyConsistency } from '../../../audit/tree/proofs.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../../audit/tree/signed-note.ts';
import { badInput } from '../../../model/values/errors.ts';
import type { Faults } from './faults.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { type PackFiles, readText } from './pack-files.ts';

type Sealed = SignedCheckpoint & { readonly note: string };

export interface Seals {
  readonly manifest: Manifest;
  readonly first: Sealed;
  readonly last: Sealed;
  /** Covers the entries before the first one in numbers.csv. Reading numbers.csv adds to the tree. */
  readonly tree: MerkleTree;
}

export async function readSeals(files: PackFiles, faults: Faults): Promise<Seals | undefined> {
  const read = <T>(file: string, parse: (text: string) => T): Promise<T | undefined> =>
    faults.in(file, async (name) => parse(await readText(files, name)));
  const manifest = await read('manifest.json', parseManifest);
  const keys = await read('keys.txt', (text) => {
    const found = readKeys(text);
    if (manifest) requireHash(text, manifest.keys);
    return found;
  });
  if (!manifest || !keys) return undefined;
  const readCheckpoint = (which: 'first' | 'last'): Promise<Sealed | undefined> =>
    faults.in(`checkpoints/${which}`, async (name) => {
      const note = await readText(files, name);
      const opened = await openCheckpointAside(note, keys);
      const { size, cosignatures } = manifest.checkpoints[which];
      if (opened.size !== size)
        throw badInput(`It covers ${opened.size} entries, not ${size} as in manifest.json.`);
      requireHash(note, manifest.checkpoints[which]);
      const found = cosignaturesIn(note);
      if (found !== cosignatures)
        faults.add('manifest.json', `It lists ${cosignatures} cosignatures for ${name}, which has ${found}.`);
      return { ...opened, note };
    });
  const [first, last] = [await readCheckpoint('first'), await readCheckpoint('last')];
  if (!first || !last) return undefined;
  if (first.origin !== last.origin)
    return faults.add(
      'checkpoints/last',
      `It belongs to the log ${last.origin}, but checkpoints/first to ${first.origin}.`,
    );
  const { entries } = manifest;
  const begin = first.size < entries.first ? first.size + 1 : 1;
  if (entries.first !== begin || entries.last !== last.size)
    return faults.add('manifest.json', 'Its entries are not those between its checkpoints.');
  const tree = await read('proofs/consistency', (text) => {
    const { from, path, checkpoint } = parseContinuation(text);
    if (checkpoint !== last.note || from !== first.size || !verifyConsistency(first, last, path))
      throw badInput('It does not prove that checkpoints/last continues checkpoints/first.');
    const before =
      begin === 1 ? createTree() : treeOfEdge(first.size, provenEdge(first, last, path) ?? [], first.root);
    if (!before) throw badInput('It does not match checkpoints/first.');
    return before;
  });
  return tree && { manifest, first, last, tree };
}

/** @throws BellhopError `bad-input` */
function requireHash(text: string, { sha256 }: { readonly sha256: string }): void {
  if (hash('sha256', text) !== sha256)
    throw badInput('It was altered: its hash is not the one in manifest.json.');
}

/** Witnesses are omitted, because they sign the checkpoints of any log. */
export const signersOf = ({ signatures, origin }: SignedCheckpoint): readonly VerifierKey[] =>
  signatures.map(({ key }) => key).filter(({ type, name }) => type === 'note' && name === origin);

export const cosignaturesIn = (note: string): number =>
  note.split('\n').filter((line) => line.startsWith('— ') && !line.startsWith(`— ${originOf(note)} `)).length;

/** @throws BellhopError `bad-input` if the text is not what `keysText` writes */
function readKeys(text: string): readonly VerifierKey[] {
  const keys = text.split('\n').slice(0, -1).map(parseVerifierKey);
  if (keys.length === 0 || keysText(keys) !== text)
    throw badInput('It was altered: it is not a list of verifier keys.');
  return keys;
}

/** SHA-256 of the 33 bytes that a verifier key encodes, in hexadecimal, for people to compare. */
export function fingerprintOf(key: VerifierKey): string {
  const encoded = formatVerifierKey(key).slice(`${key.name}+${key.id}+`.length);
  return hash('sha256', Buffer.from(encoded, 'base64'));
}

export const keysText = (keys: readonly VerifierKey[]): string =>
  keys.map((key) => `${formatVerifierKey(key)}\n`).join('');
