import { createHash, createPublicKey, verify } from 'node:crypto';

// Verifies a tlog-proof as an outsider would, from the public specifications alone. It imports nothing of Bellhop on
// purpose, because programs that share code also share its mistakes.

const sha256 = (...parts: readonly Uint8Array[]) => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** RFC 6962, section 2.1.1, read backwards: the root that a path leads to, by the definition of PATH(m, D[n]). */
function rootFrom(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer {
  if (size === 1) {
    if (path.length > 0) throw new Error('the path is too long');
    return leaf;
  }
  const sibling = path.at(-1);
  if (!sibling) throw new Error('the path is too short');
  let split = 1;
  while (split * 2 < size) split *= 2;
  const rest = path.slice(0, -1);
  return index < split
    ? sha256(Uint8Array.of(1), rootFrom(leaf, index, split, rest), sibling)
    : sha256(Uint8Array.of(1), sibling, rootFrom(leaf, index - split, size - split, rest));
}

/** Whether the note has a valid Ed25519 signature by this key, given as `name+hash+base64`. */
export function noteIsSigned(note: string, verifierKey: string): boolean {
  const [name, id, encoded] = verifierKey.split('+', 2).concat(verifierKey.split('+').slice(2).join('+'));
  const key = Buffer.from(encoded ?? '', 'base64');
  const expectedId = sha256(Buffer.from(`${name}\n`), key)
    .toString('hex')
    .slice(0, 8);
  if (key[0] !== 1 || key.length !== 33 || expectedId !== id) return false;
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const end = note.lastIndexOf('\n\n') + 1;
  return note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      if (!line.startsWith(`— ${name} `)) return false;
      const signature = Buffer.from(line.slice(`— ${name} `.length), 'base64');
      return (
        signature.toString('hex', 0, 4) === id &&
        verify(null, Buffer.from(note.slice(0, end)), publicKey, signature.subarray(4))
      );
    });
}

/**
 * RFC 6962, section 2.1.2, read backwards: the roots before and now that a path leads to, by the definition of
 * SUBPROOF(m, D[n], b).
 */
function rootsFrom(
  m: number,
  n: number,
  known: Buffer | undefined,
  path: readonly Buffer[],
): readonly [before: Buffer, now: Buffer] {
  const last = path.at(-1);
  if (m === n) {
    const only = known ?? last;
    if (!only || path.length !== (known ? 0 : 1)) throw new Error('the path has another length');
    return [only, only];
  }
  if (!last) throw new Error('the path is too short');
  let split = 1;
  while (split * 2 < n) split *= 2;
  const rest = path.slice(0, -1);
  if (m <= split) {
    const [before, now] = rootsFrom(m, split, known, rest);
    return [before, sha256(Uint8Array.of(1), now, last)];
  }
  const [before, now] = rootsFrom(m - split, n - split, undefined, rest);
  return [sha256(Uint8Array.of(1), last, before), sha256(Uint8Array.of(1), last, now)];
}

/** Whether the tree of the signed checkpoint in the proof begins with that of an earlier one. */
export function continuationHolds(proof: string, earlier: string, verifierKey: string): boolean {
  const at = proof.indexOf('\n\n');
  const [first, ...lines] = proof.slice(0, at).split('\n');
  const checkpoint = proof.slice(at + 2);
  const [origin, size, root] = checkpoint.split('\n');
  const [oldOrigin, oldSize, oldRoot] = earlier.split('\n');
  if (origin !== oldOrigin || first !== `old ${oldSize}`) return false;
  if (!noteIsSigned(checkpoint, verifierKey) || !noteIsSigned(earlier, verifierKey)) return false;
  const path = lines.map((line) => Buffer.from(line, 'base64'));
  const known = Buffer.from(oldRoot ?? '', 'base64');
  try {
    const [before, now] = rootsFrom(Number(oldSize), Number(size), known, path);
    return before.equals(known) && now.toString('base64') === root;
  } catch {
    return false;
  }
}

/** Whether the bytes are the leaf that the proof says, in a tree that the key has signed. */
export function proofHolds(proof: string, leaf: Uint8Array, verifierKey: string): boolean {
  const at = proof.indexOf('\n\n');
  const [version, ...lines] = proof.slice(0, at).split('\n');
  if (version !== 'c2sp.org/tlog-proof@v1') return false;
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const index = Number(lines.shift()?.replace(/^index /u, ''));
  const checkpoint = proof.slice(at + 2);
  const [origin, size, root] = checkpoint.split('\n');
  if (!verifierKey.startsWith(`${origin}+`) || !noteIsSigned(checkpoint, verifierKey)) return false;
  if (!(index < Number(size))) return false;
  const path = lines.map((line) => Buffer.from(line, 'base64'));
  try {
    return rootFrom(sha256(Uint8Array.of(0), leaf), index, Number(size), path).toString('base64') === root;
  } catch {
    return false;
  }
}
