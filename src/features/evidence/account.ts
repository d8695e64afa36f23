import { utc } from '../../text/parts.ts';
import { counted } from '../../text/words.ts';
import { filterOf, type Manifest } from './pack/manifest.ts';
import type { Shown } from './pack/read-entries.ts';
import type { Seals } from './pack/seals.ts';
import type { VerifiedPack } from './pack/verify-pack.ts';

type Texts = readonly (string | false | undefined)[];

const given = (texts: Texts): readonly string[] => texts.filter((text) => typeof text === 'string');

/**
 * Spells out control and invisible characters, such as `\u{1b}`. In a hostile pack, they could overwrite the terminal or reverse the text.
 */
const visible = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );

const unlikeTitle = { key: 'Signed by a different key than', checkpoint: 'From another log than' };

/** @param known what the pack was compared with, such as “the key that you gave” */
export function conclusionOf(pack: VerifiedPack, known: string) {
  const { faults, more, seals, unlike, strangers, compared } = pack;
  const other = unlike && `${unlikeTitle[unlike]} ${known}`;
  const concluded = (state: 'good' | 'warn' | 'bad', title: string, ...texts: Texts) => ({
    /** Good only if a key or a checkpoint from elsewhere vouches for the pack. */
    state,
    title,
    faults: faults.map(({ file, text }) => ({ file: visible(file), text: visible(text) })),
    paragraphs: given(texts).map(visible),
  });
  if (faults.length > 0 || !seals)
    return concluded(
      'bad',
      'Altered or incomplete',
      more > 0 && `… and ${more} more.`,
      other
        ? `${other}, too.`
        : compared && 'Its last checkpoint belongs to the log that you compared it with.',
    );
  const summary = summaryOf(seals, pack);
  if (other)
    return concluded(
      'bad',
      other,
      summary,
      unsignedBy(strangers),
      'The parts of the pack match each other, but no row is proved. The pack belongs to a different log than the one you know, or someone else made it.',
    );
  const whole = [...accountOf(seals, pack), summary, ...doubtsOf(pack)];
  if (compared) return concluded('good', `Intact, and compared with ${known}`, ...whole);
  return concluded(
    'warn',
    'Intact, but not compared',
    'All parts of the pack match each other. Anyone can make such a pack with a key of their own, so compare the key.',
    ...whole,
  );
}

const accountOf = (
  { manifest, first }: Seals,
  { hidden, shown, isInLog }: VerifiedPack,
): readonly string[] => [
  `Each row matches its entries in this pack, and no number from ${manifest.entries.first} to ${manifest.entries.last} is missing.`,
  ...(isInLog
    ? ['The log here has no other entry about a change of this period.']
    : [hiddenIn(manifest, hidden && ` (${hidden})`), spanOf(manifest, shown, first.signatures)]),
];

export function summaryOf({ manifest, last }: Seals, { cosigned, compared, unlike }: VerifiedPack): string {
  const { changes, count, checkpoints } = manifest;
  const witnesses = cosigned.map(
    ({ name, at, isGiven }) =>
      `${name}${at === undefined ? '' : ` at ${utc(at)}`}${isGiven ? '' : ' (with a key that is not compared)'}`,
  );
  const unknown = checkpoints.last.cosignatures - witnesses.length;
  // Until the log was compared with a key or a checkpoint, its name is only a claim.
  const log = compared && !unlike ? 'the log' : 'a log that calls itself';
  return given([
    `${counted(changes, 'change')} with ${counted(count.in, 'entry', 'entries')}, of ${log} ${last.origin}, up to entry ${last.size}.`,
    witnesses.length > 0 && `Cosigned by ${witnesses.join(', ')}.`,
    unknown > 0 && `${counted(unknown, 'cosignature')} by others, which no key in the pack can verify.`,
  ]).join(' ');
}

const unsignedBy = (keys: readonly string[]): string | false =>
  keys.length > 0 && `No part of the pack is signed by ${keys.join(', ')}.`;

const doubtsOf = ({ beyond, continued, cosigned, compared, strangers }: VerifiedPack): readonly string[] => [
  ...beyond.map(
    ({ size }) =>
      `The checkpoint of ${counted(size, 'entry', 'entries')} is outside of this pack. Ask the maker of the pack for a proof that the log continues it (prove --since).`,
  ),
  ...continued.map(
    ({ size }) =>
      `The pack continues the checkpoint of ${counted(size, 'entry', 'entries')} that you gave. But none of the keys that signed yours signed the last checkpoint of the pack. Anyone can add entries of their own to a log, so compare the key.`,
  ),
  ...given([
    unsignedBy(strangers),
    !compared &&
      cosigned.some(({ isGiven }) => isGiven) &&
      'The key that you gave belongs to a witness, which signs the checkpoints of any log. Compare the key of this log, too.',
  ]),
];

/** The facts that no pack proves, and those that this pack does not prove. */
export const limitsOf = (manifest: Manifest | undefined, shown: Shown | undefined): readonly string[] => [
  ...(manifest
    ? [
        `${hiddenIn(manifest)} A maker of a pack could pass off a change as another entry (“other” in numbers.csv).`,
        spanOf(manifest, shown),
      ]
    : ['manifest.json could not be read, so it is unknown which entries the pack has, and which it omits.']),
  "No signature covers the period, the filter, the names of people, the list of that day's rules, and which reasons were removed. The maker of the pack wrote them. The log has ids, the hash of the rules of each day, and the hash of each reason.",
  'index.html and README.txt are from the maker, too, and a changed page can claim anything. To be sure, use your own copy of the page, or your own Bellhop.',
  'A person who has the key of the log can sign any log. Checkpoints that you keep, and witnesses, show whether the log was rewritten.',
];

const againstLog =
  'Ask someone who has the log, such as the people who run Bellhop, to compare the pack with it (npm run audit -- verify --evidence <this folder>).';

/** @param numbers in parentheses, or '' */
function hiddenIn({ entries: { first, last }, count, ...manifest }: Manifest, numbers = ''): string {
  const length = last - first + 1;
  const all = counted(length, 'entry', 'entries');
  const hidden = length - count.in;
  if (hidden === 0) return `Each of the ${all} is in the pack.`;
  const [are, each] = hidden === 1 ? ['is only a hash', 'It'] : ['are only hashes', 'Each'];
  const belong = count.change === 1 ? 'belongs' : 'belong';
  return given([
    `${hidden} of ${all}${numbers} ${are}. ${each} could be a further step of a change here, such as a denial, a break-glass or a settlement, or a step of another change.`,
    count.change > 0 &&
      `The maker of the pack says that ${count.change} of them ${belong} to changes that the filter omits (${filterOf(manifest)}).`,
    againstLog,
  ]).join(' ');
}

function spanOf(
  { entries: { first, last }, period }: Manifest,
  shown: Shown | undefined,
  signatures: Seals['first']['signatures'] = [],
): string {
  const [are, they] =
    first === 2 ? ['Entry 1 is', 'it belongs'] : [`Entries 1 to ${first - 1} are`, 'they belong'];
  const late = signatures.find(({ at = 0 }) => at > Date.parse(period.from))?.at;
  return given([
    ...(first === 1
      ? ['The pack starts at entry 1, the first of the log.']
      : [
          `The pack starts at entry ${first}. ${are} not in it, and the pack can't show whether ${they} to this period.`,
          shown &&
            `The period starts on ${period.from}, and the first entry shown is from ${utc(shown.from)}.`,
          late !== undefined &&
            `A witness signed checkpoints/first at ${utc(late)}, after the start of the period.`,
        ]),
    `The pack ends at entry ${last}, and can't show whether later entries belong to this period.`,
    shown && `The period ends on ${period.to}, and the last entry shown is from ${utc(shown.to)}.`,
  ]).join(' ');
}
