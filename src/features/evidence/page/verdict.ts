import { parseCheckpoint } from '../../../audit/tree/checkpoint.ts';
import { formatVerifierKey, noteText, parseVerifierKey } from '../../../audit/tree/signed-note.ts';
import { rescue } from '../../../model/values/errors.ts';
import { counted } from '../../../text/words.ts';
import { conclusionOf } from '../account.ts';
import { filterOf, type Manifest } from '../pack/manifest.ts';
import { fingerprintOf, type Seals, signersOf } from '../pack/seals.ts';
import type { Handed, VerifiedPack } from '../pack/verify-pack.ts';
import { sealText } from '../readme.ts';
import { pageButton, element } from './dom.ts';

/** `forget` is called when the reader edits the text. */
interface Comparing {
  readonly compare: (typed: string) => Promise<void>;
  readonly forget: () => void;
}

const paragraph = (text: string): HTMLElement => element('p', {}, text);

const signs = { good: '✓ ', warn: '', bad: '✗ ' };

/** @param known see `conclusionOf` @param problem why the reader's text can't be read, or '' */
export function drawConclusion(pack: VerifiedPack, known: string, problem: string) {
  const { state, title, faults, paragraphs } = conclusionOf(pack, known);
  const items = faults.map(({ file, text }) => element('li', {}, element('code', {}, file), `: ${text}`));
  return {
    state,
    parts: [
      element('h2', { id: 'verdict-title', tabindex: '-1' }, signs[state] + title),
      element('p', { id: 'problem', role: 'alert' }, problem),
      ...(items.length > 0 ? [element('ul', {}, ...items)] : []),
      ...paragraphs.map(paragraph),
    ],
  };
}

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

export function verdictDetails(
  { manifest, last }: Seals,
  { compare, forget }: Comparing,
): readonly HTMLElement[] {
  const area = element('textarea', {
    id: 'compared',
    rows: '3',
    spellcheck: 'false',
    'aria-describedby': 'problem',
  });
  area.addEventListener('input', forget);
  const press = pageButton('Compare', () => {
    // Locked meanwhile, so that the verdict is about the text in the field.
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
  const form = element(
    'div',
    { id: 'compare' },
    paragraph(
      'This key signed the last checkpoint of the pack. Is it the key that you were given separately?',
    ),
    element('ul', {}, ...shown),
    element(
      'label',
      { for: 'compared' },
      'Paste the key that you were given, its SHA-256, or a checkpoint that you kept: not from this folder or page',
    ),
    area,
    press,
  );
  return [element('p', { class: 'soft claims' }, claimsOf(manifest)), form];
}

export interface Given extends Handed {
  readonly known: string;
}

const fingerprint = /(?<![\w+/])(?:sha-?256[\s:=]*)?((?:[0-9a-f]{2}[\s:]*){32})(?![\w+/])/giu;
/** A key of 33 bytes in base64, which may continue on another line. */
const wholeKey = /[^+]{1,256}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}/gu;

/** Ignores quotes, spaces and line breaks around the text. Returns a sentence if it can't be read. */
export function readGiven(typed: string): Given | string {
  const text = typed
    .replaceAll('\r\n', '\n')
    .replaceAll(/["'`“”„\uFEFF]/gu, '')
    .trim();
  if (text === '') return 'Nothing is pasted. Paste a key, its SHA-256, or a checkpoint.';
  if (/^\S+\n\d+\n/u.test(text))
    return rescue(
      () => {
        const checkpoint = { ...parseCheckpoint(noteText(`${text}\n`)), note: `${text}\n` };
        const known = `the checkpoint of ${counted(checkpoint.size, 'entry', 'entries')} that you gave`;
        return { checkpoints: [checkpoint], known };
      },
      ({ message }) => message,
    );
  const fingerprints = [...text.matchAll(fingerprint)].map(([, hex = '']) =>
    hex.replaceAll(/[\s:]/gu, '').toLowerCase(),
  );
  const rest = text.replaceAll(fingerprint, '').replaceAll(/\s/gu, '');
  const keys = rest.match(wholeKey) ?? [];
  if (keys.join('') !== rest)
    return 'This is neither a whole key (name+hash+base64), nor the SHA-256 of one (64 hexadecimal digits), nor a checkpoint.';
  const known = `the key${keys.length > 0 ? '' : ' with the SHA-256'} that you gave`;
  return rescue(
    () => ({ keys: keys.map(parseVerifierKey), fingerprints, known }),
    () =>
      'What you pasted is not a valid key: it was mistyped or cut off. Paste it again. Nothing was compared.',
  );
}
