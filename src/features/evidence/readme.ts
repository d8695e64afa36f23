import { formatVerifierKey } from '../../audit/tree/signed-note.ts';
import { counted } from '../../text/words.ts';
import { filterOf, type Manifest, mostProofs } from './pack/manifest.ts';
import type { Shown } from './pack/read-entries.ts';
import { fingerprintOf, type Seals, signersOf } from './pack/seals.ts';
import type { PackVerdict } from './pack/verify-pack.ts';

const againstLog =
  'Ask people who have the log, such as those who run Bellhop, to compare them with it (npm run audit -- verify --evidence <this folder>).';

/** Says how many entries of a pack are only hashes. @param numbers in parentheses, or '' */
function hiddenIn({ entries: { first, last }, count, ...manifest }: Manifest, numbers = ''): string {
  const omitted =
    count.change === 0
      ? ''
      : ` The maker of the pack says that ${count.change} of them ${count.change === 1 ? 'belongs' : 'belong'} to changes that the filter omits (${filterOf(manifest)}).`;
  const all = last - first + 1;
  const hidden = all - count.in;
  if (hidden === 0) return `Each of the ${counted(all, 'entry', 'entries')} is in the pack.`;
  return `${hidden} of ${counted(all, 'entry', 'entries')}${numbers} ${hidden === 1 ? 'is only a hash' : 'are only hashes'}. ${hidden === 1 ? 'It' : 'Each'} could be a further step of a change here, such as a denial, a break-glass or a settlement, or a step of another change.${omitted} ${againstLog}`;
}

/** Says what may be missing before the first entry of a pack, and after its last. */
function spanOf(
  { entries: { first, last }, period }: Manifest,
  shown: Shown | undefined,
  signatures: Seals['first']['signatures'] = [],
): string {
  const before = first === 2 ? 'Entry 1 is' : `Entries 1 to ${first - 1} are`;
  const whether = first === 2 ? 'it belongs' : 'they belong';
  const starts =
    shown && `The period starts on ${period.from}, and the first entry shown is from ${utc(shown.from)}.`;
  const late = signatures.find(({ at = 0 }) => at > Date.parse(period.from))?.at;
  const witnessed =
    late === undefined
      ? undefined
      : `A witness signed checkpoints/first at ${utc(late)}, after the start of the period.`;
  const start =
    first === 1
      ? ['The pack starts at entry 1, the first of the log.']
      : [
          `The pack starts at entry ${first}. ${before} not in it, and the pack can't show whether ${whether} to this period.`,
          starts,
          witnessed,
        ];
  const ends = shown && `The period ends on ${period.to}, and the last entry shown is from ${utc(shown.to)}.`;
  return [
    ...start,
    `The pack ends at entry ${last}, and can't show whether later entries belong to this period.`,
    ends,
  ]
    .filter((text) => text !== undefined)
    .join(' ');
}

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Says how far an intact pack goes. @param knowsLog whether it was compared with the log */
export function accountLines({ seals, hidden, shown }: PackVerdict, knowsLog = false): readonly string[] {
  if (!seals) return [];
  const { manifest, first } = seals;
  const { entries } = manifest;
  return [
    `Each row matches its entries in this pack, and no number from ${entries.first} to ${entries.last} is missing.`,
    ...(knowsLog
      ? ['The log here has no other entry about a change of this period.']
      : [
          hiddenIn(manifest, hidden?.named && ` (${hidden.named})`),
          spanOf(manifest, shown, first.signatures),
        ]),
  ];
}

/** The limits of what handed keys and checkpoints show. */
export const doubtsOf = ({ beyond, continued, cosigned, compared }: PackVerdict): readonly string[] => [
  ...beyond.map(
    ({ size }) =>
      `The checkpoint of ${counted(size, 'entry', 'entries')} is outside of this pack. Ask the maker of the pack for a proof that the log continues it (prove --since).`,
  ),
  ...continued.map(
    ({ size }) =>
      `The pack continues the checkpoint of ${counted(size, 'entry', 'entries')} that you gave, but none of the keys that signed yours signed its last one. Anyone can continue a log with entries of their own, so compare the key.`,
  ),
  ...(cosigned.some(({ isGiven }) => isGiven) && !compared
    ? [
        'The key that you gave belongs to a witness, which signs the checkpoints of any log. Compare the key of this log, too.',
      ]
    : []),
];

/** Says how large an intact pack is, and who signed it. */
export function summaryOf(verdict: PackVerdict): string {
  if (!verdict.seals) return '';
  const { manifest, last } = verdict.seals;
  const { changes, count, checkpoints } = manifest;
  const witnesses = verdict.cosigned.map(
    ({ name, at, isGiven }) =>
      `${name}${at === undefined ? '' : ` at ${utc(at)}`}${isGiven ? '' : ' (with a key that is not compared)'}`,
  );
  const unknown = checkpoints.last.cosignatures - witnesses.length;
  return [
    `${counted(changes, 'change', 'changes')} with ${counted(count.in, 'entry', 'entries')}, of ${logOf(verdict)}, up to entry ${last.size}.`,
    witnesses.length === 0 ? '' : ` Cosigned by ${witnesses.join(', ')}.`,
    unknown === 0
      ? ''
      : ` ${counted(unknown, 'cosignature', 'cosignatures')} by others, which no key in the pack can verify.`,
  ].join('');
}

/** This sentence is for a pack that was altered, but whose log is the one it was compared with. */
export const signedText = 'Its last checkpoint belongs to the log that you compared it with.';

/** Names the log of a pack. Until the log was compared with a key or checkpoint, its name is only a claim. */
export const logOf = ({ seals, compared, unlike }: PackVerdict): string =>
  `${compared && !unlike ? 'the log' : 'a log that calls itself'} ${seals?.last.origin ?? ''}`;

/** The limits of a pack, for its page, too. */
export const limitsOf = (manifest: Manifest | undefined, shown: Shown | undefined): readonly string[] => [
  ...(manifest
    ? [
        `${hiddenIn(manifest)} A maker of a pack could pass off a change as another entry (“other” in numbers.csv).`,
        spanOf(manifest, shown),
      ]
    : ['manifest.json could not be read, so it is unknown which entries the pack has, and which it omits.']),
  "No signature covers the period, the filter, the names of people, the list of that day's rules, and which reasons were removed. The maker of the pack wrote them. The log has ids, the hash of the rules of each day, and the hash of each reason.",
  'index.html and README.txt are from the maker, too, and a changed page can claim anything. Use a page or a Bellhop of your own to be sure.',
  'A person who has the key of the log can sign any log. Checkpoints that you keep, and witnesses, show whether the log was rewritten.',
];

/** Says that the log was not sealed to the end of the period, or ''. */
export const sealText = ({ period: { sealed_until: until } }: Manifest): string =>
  until === undefined ? '' : ` The log is sealed only until ${until}, so the pack ends there.`;

/** The keys that signed a pack, each with what people compare. */
export const keyLines = ({ last }: Seals): string =>
  signersOf(last)
    .map((key) => `  ${formatVerifierKey(key)}\n    SHA-256 ${fingerprintOf(key)}`)
    .join('\n');

/** README.txt: what the pack shows, what it can't show, and how to verify it without Bellhop. */
export function readme(seals: Seals, shown: Shown | undefined): string {
  const { manifest } = seals;
  const { period, entries, changes, count, checkpoints } = manifest;
  const { first, last } = checkpoints;
  return `Evidence from Bellhop's audit log, ${period.from} to ${period.to} (${period.zone}, both days included), made ${manifest.made}
${counted(changes, 'change', 'changes')}, ${counted(count.in, 'entry', 'entries')} of the log. Filter: ${filterOf(manifest) || 'none'}.${sealText(manifest)}

Open index.html in a browser. It needs no network, and verifies the folder that you give it.

WHAT IT SHOWS
Who changed what, under which rule, with whose approval, and with which outcome: a row for each change in changes.csv. A change belongs
to the day of its proposal; later steps are included up to entry ${last.size}. The page verifies the signatures, that each entry is in the
signed log, that each row matches its entries in the pack, and that no number from ${entries.first} to ${entries.last} is missing.

COMPARE THE KEY
A pack that someone invented has valid signatures by their own key. Compare the key with the one that you were given before:
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
