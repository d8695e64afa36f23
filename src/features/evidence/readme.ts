import { formatVerifierKey } from '../../audit/tree/signed-note.ts';
import { counted } from '../../text/words.ts';
import { limitsOf } from './account.ts';
import { filterOf, type Manifest, mostProofs } from './pack/manifest.ts';
import type { Shown } from './pack/read-entries.ts';
import { fingerprintOf, type Seals, signersOf } from './pack/seals.ts';

/** Or ''. */
export const sealText = ({ period: { sealed_until: until } }: Manifest): string =>
  until === undefined ? '' : ` The log is sealed only until ${until}, so the pack ends there.`;

export const keyLines = ({ last }: Seals): string =>
  signersOf(last)
    .map((key) => `  ${formatVerifierKey(key)}\n    SHA-256 ${fingerprintOf(key)}`)
    .join('\n');

export function readme(seals: Seals, shown: Shown | undefined): string {
  const { manifest } = seals;
  const { period, entries, changes, count, checkpoints } = manifest;
  const { first, last } = checkpoints;
  return `Evidence from Bellhop's audit log, ${period.from} to ${period.to} (${period.zone}, both days included), made ${manifest.made}
${counted(changes, 'change')}, ${counted(count.in, 'entry', 'entries')} of the log. Filter: ${filterOf(manifest) || 'none'}.${sealText(manifest)}

Open index.html in a browser. It needs no network, and verifies the folder that you choose.

WHAT IT SHOWS
Who changed what, under which rule, with whose approval, and with which outcome: a row for each change in changes.csv. A change belongs
to the day of its proposal; later steps are included up to entry ${last.size}. The page verifies the signatures, that each entry is in the
signed log, that each row matches its entries in the pack, and that no number from ${entries.first} to ${entries.last} is missing.

COMPARE THE KEY
Anyone can invent a pack and sign it with a key of their own. Compare this key with the one that you were given before:
${keyLines(seals)}

WHAT IT CANNOT SHOW
${limitsOf(manifest, shown)
  .map((limit) => `- ${limit}`)
  .join('\n')}

VERIFY IT WITH OTHER TOOLS
  npm run audit -- verify --evidence <this folder> --key <key>
- checkpoints/first and last are C2SP tlog-checkpoints of ${first.size} and ${last.size} entries; keys.txt has their verifier keys.
- entries.jsonl has a leaf on each line, without its line break: its hash is SHA-256 of a zero byte and the line.
- numbers.csv has the leaf hash of every entry from ${entries.first} to ${entries.last}. With proofs/consistency (the body of C2SP add-checkpoint),
  which has the subtrees of the entries before, these hashes make the root of checkpoints/last (RFC 9162).
- settled_by in changes.csv is a person who settled a change whose outcome was unknown: the outcome is what they said.
- proofs/<number>.tlog-proof is a C2SP tlog-proof of one entry, if there are at most ${mostProofs} entries.
- reasons.jsonl has typed texts: SHA-256 of salt, line feed and text is "reason" in the entry, unless the text was removed.
`;
}
