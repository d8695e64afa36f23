import { type Checkpoint, parseCheckpoint } from '../../../audit/tree/checkpoint.ts';
import {
  formatVerifierKey,
  noteText,
  parseVerifierKey,
  type VerifierKey,
} from '../../../audit/tree/signed-note.ts';
import { rescue } from '../../../model/values/errors.ts';
import { counted } from '../../../text/words.ts';
import type { Seals } from '../pack/seals.ts';
import type { Handed, PackVerdict } from '../pack/verify-pack.ts';
import { fingerprintOf } from '../readme.ts';
import { button, element } from './dom.ts';

/** @param compare verifies again, with what the reader typed, and draws the verdict anew unless that can't be read */
export function verdictOf(verdict: PackVerdict, typed: string, compare: Compare): readonly HTMLElement[] {
  const { seals } = verdict;
  return [
    ...conclusion(verdict),
    ...(seals ? [element('p', {}, summaryOf(seals)), comparison(verdict, seals, typed, compare)] : []),
  ];
}

type Compare = (typed: string) => Promise<void>;

export const stateOf = ({ faults, compared }: PackVerdict): 'good' | 'warn' | 'bad' =>
  faults.length > 0 ? 'bad' : compared ? 'good' : 'warn';

const titled = (text: string): HTMLElement => element('h2', { id: 'verdict-title', tabindex: '-1' }, text);

function conclusion({ faults, more, compared, beyond }: PackVerdict): readonly HTMLElement[] {
  if (faults.length > 0) {
    const items = faults.map(({ file, text }) => element('li', {}, element('code', {}, file), `: ${text}`));
    if (more > 0) items.push(element('li', {}, `… and ${more} more.`));
    return [titled('✗ Altered, or not whole'), element('ul', {}, ...items)];
  }
  const outside = beyond.map(({ size }) =>
    element(
      'p',
      {},
      `The checkpoint of ${size} entries is outside of this pack. Ask for "npm run audit -- prove --since" with it, which proves that the log continues it.`,
    ),
  );
  return compared
    ? [
        titled('✓ Intact, and compared with what you gave'),
        element(
          'p',
          {},
          'Each row is what the signed log says, and no entry between the two checkpoints is missing.',
        ),
        ...outside,
      ]
    : [
        titled('Intact, but not compared'),
        element(
          'p',
          {},
          'Each part of the pack fits the others. Anyone can make such a pack with a key of their own, so compare the key.',
        ),
        ...outside,
      ];
}

function summaryOf({ manifest, last }: Seals): string {
  const { period, filter, changes, count, checkpoints, made } = manifest;
  const labels = Object.entries(filter.labels).map(([label, value]) => `${label}=${value}`);
  const only = [...labels, ...(filter.operation === '*' ? [] : [filter.operation])].join(', ');
  const witnesses = last.signatures.flatMap(({ key, at }) =>
    key.type === 'cosignature'
      ? `${key.name}${at === undefined ? '' : ` at ${new Date(at).toISOString()}`}`
      : [],
  );
  const unknown = checkpoints.last.cosignatures - witnesses.length;
  return [
    `${period.from} to ${period.to} (${period.zone}): ${counted(changes, 'change', 'changes')} with ${counted(count.in, 'entry', 'entries')}, from the log ${last.origin} up to entry ${last.size}. Made ${made}.`,
    only === ''
      ? ''
      : ` Filter: ${only}; it omits ${counted(count.change, 'entry', 'entries')} of other changes.`,
    period.sealed_until === undefined
      ? ''
      : ` The log is sealed only until ${period.sealed_until}, so the pack ends there.`,
    witnesses.length === 0 ? '' : ` Cosigned by ${witnesses.join(', ')}.`,
    unknown === 0
      ? ''
      : ` ${counted(unknown, 'cosignature', 'cosignatures')} by witnesses whose keys are not in the pack.`,
  ].join('');
}

function comparison(
  { compared }: PackVerdict,
  { keys }: Seals,
  typed: string,
  compare: Compare,
): HTMLElement {
  const area = element('textarea', {
    id: 'compared',
    rows: '3',
    spellcheck: 'false',
    'aria-describedby': 'problem',
  });
  area.value = typed;
  const press = button('Compare', () => {
    // The page would lose a text that is typed meanwhile.
    [area.readOnly, press.disabled] = [true, true];
    void compare(area.value).finally(() => {
      [area.readOnly, press.disabled] = [false, false];
    });
  });
  const shown = keys.map((key) =>
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
    element(
      'p',
      {},
      compared
        ? 'The pack is signed with:'
        : 'The pack says that these keys signed it. Are they the ones that you were given some other way?',
    ),
    element('ul', {}, ...shown),
    element(
      'label',
      { for: 'compared' },
      'Paste the key that you were given, its SHA-256, or a checkpoint that you kept',
    ),
    area,
    press,
    element('p', { id: 'problem', role: 'alert' }),
  );
}

/** Reads what the reader pasted. Returns a sentence if it is neither. @param inPack keys that a hash may stand for */
export function handedIn(typed: string, inPack: readonly VerifierKey[]): Handed | string {
  const text = typed.replaceAll('\r\n', '\n').replaceAll('\uFEFF', '');
  const words = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  if (text.includes('\n\n')) return readAs(() => ({ checkpoints: [checkpointIn(text)] }));
  if (/^[0-9a-f]{64}$/u.test(words[0] ?? '')) {
    const named = inPack.filter((key) => words.includes(fingerprintOf(key)));
    return named.length > 0
      ? { keys: named }
      : 'No key of the pack has this SHA-256, so another key signed it.';
  }
  return readAs(() => ({ keys: words.map(parseVerifierKey) }));
}

const checkpointIn = (text: string): Checkpoint => parseCheckpoint(noteText(`${text.trim()}\n`));

const readAs = (read: () => Handed): Handed | string => rescue(read, (error) => error.message);
