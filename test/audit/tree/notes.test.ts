import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import {
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from '../../../src/audit/tree/checkpoint.ts';
import { createTree, leafHash } from '../../../src/audit/tree/merkle.ts';
import { formatProof, parseProof, verifyProof } from '../../../src/audit/tree/proof-file.ts';
import { proveInclusion } from '../../../src/audit/tree/proofs.ts';
import {
  formatVerifierKey,
  openNote,
  parseVerifierKey,
  signNote,
  verifierOf,
} from '../../../src/audit/tree/signed-note.ts';
import { cosign } from '../cosign.ts';
import { noteIsSigned, proofHolds } from './independent-verifier.ts';
import { exampleCheckpoint, exampleNote } from './vectors.ts';

const newKey = () => ({ privateKey: generateKeyPairSync('ed25519').privateKey });

const key = newKey();
const origin = 'bellhop.example.com/audit';
const verifier = verifierOf(key, origin);
const text = 'One line.\n\nAnother, after an empty one.\n';
const signed = signNote(text, origin, [key]);
const witness = newKey();

describe('a signed note', () => {
  it('of the specification verifies', () => {
    const opened = openNote(exampleNote.note, [parseVerifierKey(exampleNote.key)]);
    expect(opened.text).toBe('This is an example message.\n');
    expect(opened.signatures).toHaveLength(1);
    expect(formatVerifierKey(parseVerifierKey(exampleNote.key))).toBe(exampleNote.key);
  });

  it('of ours verifies, here and elsewhere', () => {
    expect(openNote(signed, [verifier]).signatures.map(({ key: by }) => by)).toEqual([verifier]);
    expect(noteIsSigned(signed, formatVerifierKey(verifier))).toBe(true);
    expect(noteIsSigned(exampleNote.note, exampleNote.key)).toBe(true);
  });

  it('bears the signatures of several keys, of which unknown ones are ignored', () => {
    const next = newKey();
    const both = signNote(text, origin, [key, next]);
    expect(openNote(both, [verifier, verifierOf(next, origin)]).signatures).toHaveLength(2);
    expect(openNote(both, [verifierOf(next, origin)]).signatures).toHaveLength(1);
    expect(openNote(both, [verifierOf(newKey(), origin)]).signatures).toEqual([]);
    expect(openNote(both, [verifierOf(key, 'elsewhere')]).signatures).toEqual([]);
  });

  it('is refused where a known signature does not fit its text', () => {
    expect(() => openNote(signed.replace('One', 'Two'), [verifier])).toThrow(
      `The signature of ${origin}+${verifier.id} does not match the text.`,
    );
  });

  it.each([
    ['without signatures', text],
    ['without an empty line', 'One line.\n— a AAAAAAAA\n'],
    ['with a control character', signed.replace('One', 'One\t')],
    ['with a carriage return', signed.replaceAll('\n', '\r\n')],
    ['with a line that is not a signature', `${signed}more\n`],
    ['with a signature in another spelling', `${signed}— a AAAAAAA\n`],
    ['that breaks off', signed.slice(0, -1)],
    ['of endless length', 'a'.repeat(200_000) + signed],
    ['with endless signatures', signed + (signed.split('\n\n').at(-1) ?? '').repeat(70)],
  ])('is refused %s', (_, note) => {
    expect(() => openNote(note, [verifier])).toThrow(
      'Not a signed note. A signed note is a text, an empty line, and lines that start with “— ”.',
    );
  });

  it.each([
    'example.com/foo',
    'example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'example.com/bar+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'two words+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv',
  ])('is not verified by the key %s', (damaged) => {
    expect(() => parseVerifierKey(damaged)).toThrow(/verifier key/u);
  });
});

describe('a checkpoint', () => {
  const tree = createTree();
  tree.append(leafHash('a'));
  const checkpoint = { origin, size: 1, root: tree.root() };
  const note = signCheckpoint(checkpoint, [key]);

  it('of the specification is read and written alike', () => {
    const read = parseCheckpoint(exampleCheckpoint);
    expect(read).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(formatCheckpoint(read)).toBe(exampleCheckpoint);
  });

  it.each([
    ['a leading zero', exampleCheckpoint.replace('2085', '02085')],
    ['a size beyond counting', exampleCheckpoint.replace('20852163', '99999999999999999')],
    ['no origin', exampleCheckpoint.replace('example.com/behind-the-sofa', '')],
    ['a root of another length', exampleCheckpoint.replace('CsUY', '')],
    ['an empty extension', `${exampleCheckpoint}\n`],
    ['nothing at its end', exampleCheckpoint.slice(0, -1)],
  ])('is refused with %s', (_, damaged) => {
    expect(() => parseCheckpoint(damaged)).toThrow(
      'Not a checkpoint. The lines of a checkpoint are origin, size and root hash.',
    );
  });

  it('needs the signature of a key of its log, not only that of a witness', () => {
    expect(openCheckpoint(note, [verifier])).toMatchObject(checkpoint);
    expect(() => openCheckpoint(note, [verifierOf(newKey(), origin)])).toThrow(
      'The checkpoint of bellhop.example.com/audit at 1 is not signed by a known key of that log.',
    );
    const other = signNote(formatCheckpoint(checkpoint), 'elsewhere', [key]);
    expect(() => openCheckpoint(other, [verifierOf(key, 'elsewhere')])).toThrow(
      'is not signed by a known key',
    );
    const seen = verifierOf(witness, origin, 'cosignature');
    const onlySeen = `${formatCheckpoint(checkpoint)}\n${cosign(formatCheckpoint(checkpoint), origin, witness, 0)}`;
    expect(() => openCheckpoint(onlySeen, [seen])).toThrow('is not signed by a known key');
  });

  it('is cosigned with the time at which a witness saw it', () => {
    const at = 1_679_315_147_000;
    const seen = verifierOf(witness, 'witness.example.com/w1', 'cosignature');
    const line = cosign(formatCheckpoint(checkpoint), seen.name, witness, at);
    const opened = openCheckpoint(note + line, [verifier, parseVerifierKey(formatVerifierKey(seen))]);
    expect(opened.signatures.map(({ key: by, at: time }) => [by.name, time])).toEqual([
      [origin, undefined],
      ['witness.example.com/w1', at],
    ]);
    const later = line.replace('AAAA', 'AAAB');
    expect(() => openCheckpoint(note + later, [verifier, seen])).toThrow(
      `The signature of ${seen.name}+${seen.id} does not match the text.`,
    );
  });
});

describe('a proof', () => {
  const leaves = Array.from({ length: 7 }, (_, index) => Buffer.from(`{"number":${index + 1}}`));
  const tree = createTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  const checkpoint = signCheckpoint({ origin, size: 7, root: tree.root() }, [key]);
  const read = async (_: number, first: number, count: number) =>
    leaves.slice(first, first + count).map((leaf) => leafHash(leaf));

  it.each([0, 3, 6])('of leaf %i verifies, here and elsewhere', async (index) => {
    const file = formatProof({ index, path: await proveInclusion(read, index, 7), checkpoint });
    const leaf = leaves[index] ?? Buffer.alloc(0);
    expect(verifyProof(parseProof(file), leaf, [verifier])).toMatchObject({ size: 7 });
    expect(proofHolds(file, leaf, formatVerifierKey(verifier))).toBe(true);
    const other = Buffer.from('{"number":8}');
    expect(() => verifyProof(parseProof(file), other, [verifier])).toThrow('was changed');
    expect(proofHolds(file, other, formatVerifierKey(verifier))).toBe(false);
  });

  it('may carry extra data and cosignatures', () => {
    const proof = { index: 2, path: [leafHash('a')], checkpoint };
    const file = formatProof(proof).replace('index', 'extra bW9yZQ==\nindex');
    expect(parseProof(file)).toEqual(proof);
  });

  it.each([
    [
      'of another version',
      (file: string) => file.replace('@v1', '@v2'),
      'its first line is not c2sp.org/tlog-proof@v1',
    ],
    ['without an index', (file: string) => file.replace('index 2\n', ''), 'its index is missing'],
    ['with an invalid number', (file: string) => file.replace('index 2', 'index 02'), 'its index is missing'],
    [
      'with a line that is not a hash',
      (file: string) => file.replace('index 2\n', 'index 2\nAAAA\n'),
      'its path has a line that is not a hash',
    ],
    [
      'with an endless path',
      (file: string) => file.replace('\n\n', '\nAAAA'.repeat(64)),
      'its path is too long',
    ],
    [
      'without a checkpoint',
      (file: string) => file.slice(0, file.indexOf('\n\n')),
      'it has no empty line before its checkpoint',
    ],
  ])('is refused %s', (_, damage, why) => {
    const file = formatProof({ index: 2, path: [leafHash('a')], checkpoint });
    expect(() => parseProof(damage(file))).toThrow(`Not a proof: ${why}.`);
  });
});
