import { parseCheckpoint } from '../../../audit/tree/checkpoint.ts';
import { formatVerifierKey, noteText, parseVerifierKey } from '../../../audit/tree/signed-note.ts';
import { rescue } from '../../../model/values/errors.ts';
import { counted } from '../../../text/words.ts';
import { filterOf, type Manifest } from '../pack/manifest.ts';
import { fingerprintOf, type Seals, signersOf } from '../pack/seals.ts';
import type { Handed, PackVerdict } from '../pack/verify-pack.ts';
import { accountLines, doubtsOf, sealText, signedText, summaryOf } from '../readme.ts';
import { pageButton, element } from './dom.ts';

/** The reader's key or checkpoint to compare with, or a sentence about why it can't be read. */
export interface Given {
  readonly handed?: Handed;
  readonly problem?: string;
}

/** `compare` is called with the text that the reader gave, and `forget` once that is edited. */
interface Comparing {
  readonly compare: (typed: string) => Promise<void>;
  readonly forget: () => void;
}

/** The description of the pack by its maker, and the form to compare the key. */
export const verdictDetails = (seals: Seals, comparing: Comparing): readonly HTMLElement[] => [
  element('p', { class: 'soft claims' }, claimsOf(seals.manifest)),
  comparison(seals, comparing),
];

export const verdictState = ({ faults, unlike, compared }: PackVerdict): 'good' | 'warn' | 'bad' =>
  faults.length > 0 || unlike ? 'bad' : compared ? 'good' : 'warn';

const titled = (text: string): HTMLElement => element('h2', { id: 'verdict-title', tabindex: '-1' }, text);

const paragraph = (text: string): HTMLElement => element('p', {}, text);

export function conclusionOf(verdict: PackVerdict, { handed, problem = '' }: Given): readonly HTMLElement[] {
  const { faults, more, unlike, compared } = verdict;
  const failed = element('p', { id: 'problem', role: 'alert' }, problem);
  if (faults.length > 0) {
    const items = faults.map(({ file, text }) => element('li', {}, element('code', {}, file), `: ${text}`));
    if (more > 0) items.push(element('li', {}, `… and ${more} more.`));
    const also = unlike
      ? [paragraph(`${unlikeTitle[unlike]}, too.`)]
      : compared
        ? [paragraph(signedText)]
        : [];
    return [titled('✗ Altered or incomplete'), element('ul', {}, ...items), ...also, failed];
  }
  if (unlike)
    return [
      titled(`✗ ${unlikeTitle[unlike]}`),
      paragraph(summaryOf(verdict)),
      paragraph(
        'The parts of the pack fit each other, but none of its rows is proved. Either what you gave belongs to another log, or someone else made the pack.',
      ),
      failed,
    ];
  const whole = [...accountLines(verdict), summaryOf(verdict), ...doubtsOf(verdict)].map(paragraph);
  return compared
    ? [titled(`✓ Intact, and compared with ${namedIn(handed)} that you gave`), ...whole, failed]
    : [
        titled('Intact, but not compared'),
        failed,
        paragraph(
          'Each part of the pack fits the others. Anyone can make such a pack with a key of their own, so compare the key.',
        ),
        ...whole,
      ];
}

const unlikeTitle = {
  key: 'Signed by a different key than the one you gave',
  checkpoint: 'From another log than the checkpoint that you gave',
};

function namedIn({ keys = [], fingerprints = [], checkpoints = [] }: Handed = {}): string {
  const [checkpoint] = checkpoints;
  if (checkpoint) return `the checkpoint of ${counted(checkpoint.size, 'entry', 'entries')}`;
  return keys.length > 0 ? 'the key' : fingerprints.length > 0 ? 'the SHA-256' : 'nothing';
}

/** The parts of the manifest that are not signed. */
function claimsOf(manifest: Manifest): string {
  const { period, names, rules, made } = manifest;
  return [
    `No signature covers what the maker of the pack says here: the period is ${period.from} to ${period.to} (${period.zone}), and the pack was made ${made}.`,
    filterOf(manifest) === '' ? ' No filter.' : ` Filter: ${filterOf(manifest)}.`,
    sealText(manifest),
    Object.keys(names).length === 0 ? '' : ' The names of people are from the maker, too.',
    rules ? ' The list of the rules of that day is from the maker, too.' : '',
  ].join('');
}

function comparison({ last }: Seals, { compare, forget }: Comparing): HTMLElement {
  const area = element('textarea', {
    id: 'compared',
    rows: '3',
    spellcheck: 'false',
    'aria-describedby': 'problem',
  });
  area.addEventListener('input', forget);
  const press = pageButton('Compare', () => {
    // Otherwise, the verdict could be about another text than the one in the field.
    [area.readOnly, press.disabled] = [true, true];
    void compare(area.value).finally(() => {
      [area.readOnly, press.disabled] = [false, false];
    });
  });
  const shown = signersOf(last).map((key) =>
    element(
      'li',
      {},
      element('code', {}, formatVerifierKey(key)),
      element('br', {}),
      'SHA-256 ',
      element('code', {}, fingerprintOf(key)),
    ),
  );
  return element(
    'div',
    { id: 'compare' },
    paragraph('This signed the last checkpoint of the pack. Is it the key that you were given separately?'),
    element('ul', {}, ...shown),
    element(
      'label',
      { for: 'compared' },
      'Paste the key that you were given, its SHA-256, or a checkpoint that you kept: not from this folder or page',
    ),
    area,
    press,
  );
}

const fingerprint = /(?<![\w+/])(?:sha-?256[\s:=]*)?((?:[0-9a-f]{2}[\s:]*){32})(?![\w+/])/giu;
/** A key of 33 bytes in base64, which may continue on another line. */
const wholeKey = /[^+]{1,256}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}/gu;

/** Reads what the reader pasted, with quotes, spaces and line breaks around it. Returns a sentence if it can't be read. */
export function handedIn(typed: string): Handed | string {
  const text = typed
    .replaceAll('\r\n', '\n')
    .replaceAll(/["'`“”„\uFEFF]/gu, '')
    .trim();
  if (text === '') return 'Nothing is pasted. Paste a key, its SHA-256, or a checkpoint.';
  if (/^\S+\n\d+\n/u.test(text))
    return rescue(
      () => ({ checkpoints: [{ ...parseCheckpoint(noteText(`${text}\n`)), note: `${text}\n` }] }),
      ({ message }) => message,
    );
  const fingerprints = [...text.matchAll(fingerprint)].map(([, hex = '']) =>
    hex.replaceAll(/[\s:]/gu, '').toLowerCase(),
  );
  const rest = text.replaceAll(fingerprint, '').replaceAll(/\s/gu, '');
  const keys = rest.match(wholeKey) ?? [];
  if (keys.join('') !== rest)
    return 'This is neither a whole key (name+hash+base64), nor the SHA-256 of one (64 hexadecimal digits), nor a checkpoint.';
  return rescue(
    () => ({ keys: keys.map(parseVerifierKey), fingerprints }),
    () =>
      'What you pasted is not a valid key: it was mistyped or cut off. Paste it again. Nothing was compared.',
  );
}
