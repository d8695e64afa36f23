import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { leafHash } from '../../../src/audit/tree/merkle.ts';
import { formatManifest, parseManifest } from '../../../src/features/evidence/pack/manifest.ts';

/** A change of a folder, and the part that has to be named. `other` is a pack of another log. */
export interface Alteration {
  readonly what: string;
  readonly alter: (folder: string, other: string) => void;
  readonly named: string;
}

const edit = (folder: string, name: string, change: (text: string) => string): void => {
  const file = join(folder, name);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing was altered in ${name}`);
  writeFileSync(file, after);
};

/** Alters the manifest as someone who knows the format would, with a new hash. */
const editManifest = (folder: string, change: (text: string) => string): void =>
  edit(folder, 'manifest.json', (text) => {
    const { ...manifest } = parseManifest(text);
    return formatManifest(JSON.parse(change(JSON.stringify(manifest))) as ReturnType<typeof parseManifest>);
  });

const withoutLine = (text: string, part: string): string =>
  text
    .split('\n')
    .filter((line) => !line.includes(part))
    .join('\n');

export const alterations: readonly Alteration[] = [
  {
    what: 'a row: another approver',
    alter: (folder) =>
      edit(folder, 'changes.csv', (text) => text.replace('U0CAROL (slack)', 'U0CARL (slack)')),
    named:
      'changes.csv: The row of r-denied (cloud.reboot db-2, 2026-10-06 09:00, U0BOB) was altered: approvers is “denied by U0CARL (slack)”, and by its entries “denied by U0CAROL (slack)”.',
  },
  {
    what: 'a row: one byte of its quotes',
    alter: (folder) => edit(folder, 'changes.csv', (text) => text.replace('""twice""', '""twice""  ')),
    named:
      'changes.csv: The row of r-approved (cloud.reboot db-1, 2026-10-05 09:00, U0ALICE) was altered: reason is “',
  },
  {
    what: 'an entry',
    alter: (folder) => edit(folder, 'entries.jsonl', (text) => text.replace('U0ALICE', 'U0MALLORY')),
    named: "entries.jsonl: Entry 7 was altered. The row of its change can't be checked.",
  },
  {
    what: 'an entry, which loses its reason',
    alter: (folder) => edit(folder, 'entries.jsonl', (text) => text.replace(/,"reason":\{[^}]*\}/u, '')),
    named: "entries.jsonl: Entry 7 was altered. The row of its change can't be checked.",
  },
  {
    what: 'an entry, which gains another change',
    alter: (folder) => edit(folder, 'entries.jsonl', (text) => text.replace('"r-approved"', '"r-invented"')),
    named: "entries.jsonl: Entry 7 was altered. The row of its change can't be checked.",
  },
  {
    what: 'an entry, which names no rollout',
    alter: (folder) =>
      edit(folder, 'entries.jsonl', (text) =>
        text.replaceAll('"rollout":"r-rollout"', '"rollout":"r-nothing"'),
      ),
    named: "entries.jsonl: Entry 20 was altered. The row of its change can't be checked.",
  },
  {
    what: 'an entry with its hash',
    alter(folder) {
      edit(folder, 'entries.jsonl', (text) => text.replace('U0ALICE', 'U0MALLORY'));
      const [entry = ''] = readFileSync(join(folder, 'entries.jsonl'), 'utf8').split('\n');
      const hash = leafHash(entry).toString('hex');
      edit(folder, 'numbers.csv', (text) => text.replace(/^7,[0-9a-f]*/mu, `7,${hash}`));
    },
    named:
      'numbers.csv: A line was altered: the hashes of the lines are not those that the checkpoints signed.',
  },
  {
    what: 'steps passed off as omitted by a filter, of which there is none',
    alter(folder) {
      edit(folder, 'numbers.csv', (text) => text.replaceAll(/^(3[2-5],.*),other/gmu, '$1,change'));
      editManifest(folder, (text) => text.replace('"change":0,"other":6', '"change":4,"other":2'));
    },
    named: 'numbers.csv: It marks entries as “change”, omitted by a filter, but the pack has no filter.',
  },
  {
    what: 'a name with signs that turn the text after it around',
    alter: (folder) =>
      editManifest(folder, (text) => text.replace('"names":{}', '"names":{"U0CAROL":"Carol \u202E"}')),
    named: 'manifest.json: The name of U0CAROL has characters',
  },
  {
    what: 'a name with brackets that look like those of a sign-in',
    alter: (folder) =>
      editManifest(folder, (text) => text.replace('"names":{}', '"names":{"U0CAROL":"Carol ⁾ ⁽okta"}')),
    named: 'manifest.json: The name of U0CAROL has characters',
  },
  {
    what: 'a proof',
    alter: (folder) =>
      edit(folder, 'proofs/9.tlog-proof', (text) =>
        text.replace(/\n[A-Za-z0-9+/]{43}=\n/u, `\n${'A'.repeat(43)}=\n`),
      ),
    named: 'proofs/9.tlog-proof: It does not prove entry 9.',
  },
  {
    what: 'the proof of consistency',
    alter: (folder) => edit(folder, 'proofs/consistency', (text) => text.replace('old 4', 'old 3')),
    named: 'proofs/consistency: It does not prove that checkpoints/last continues checkpoints/first.',
  },
  {
    what: 'a hash of the proof of consistency',
    alter: (folder) =>
      edit(folder, 'proofs/consistency', (text) =>
        text.replace(/\n[A-Za-z0-9+/]{43}=\n/u, `\n${'A'.repeat(43)}=\n`),
      ),
    named: 'proofs/consistency: It does not prove that checkpoints/last continues checkpoints/first.',
  },
  {
    what: 'a checkpoint',
    alter: (folder) => edit(folder, 'checkpoints/last', (text) => text.replace('\n35\n', '\n34\n')),
    named: 'checkpoints/last: The signature of ',
  },
  {
    what: 'a signature line that no key of the pack verifies',
    alter: (folder) =>
      edit(folder, 'checkpoints/first', (text) => text.replace('— stranger.example', '— strangel.example')),
    named: 'checkpoints/first: It was altered: its hash is not the one in manifest.json.',
  },
  {
    what: 'the count',
    alter: (folder) => edit(folder, 'manifest.json', (text) => text.replace('"other": 6', '"other": 7')),
    named: 'manifest.json: It was altered: its own hash does not match.',
  },
  {
    what: 'the count, with a new hash of the manifest',
    alter: (folder) => editManifest(folder, (text) => text.replace('"in":25', '"in":24')),
    named: 'numbers.csv: It has 25 entries as “in”, and manifest.json counts 24.',
  },
  {
    what: 'the number of changes, with a new hash of the manifest',
    alter: (folder) => editManifest(folder, (text) => text.replace('"changes":6', '"changes":5')),
    named: 'manifest.json: It counts 5 changes, and the entries have 6.',
  },
  {
    what: 'the number of cosignatures, with a new hash of the manifest',
    alter: (folder) =>
      editManifest(folder, (text) =>
        text.replace('"size":35,"cosignatures":0', '"size":35,"cosignatures":3'),
      ),
    named: 'manifest.json: It lists 3 cosignatures for checkpoints/last, which has 0.',
  },
  {
    what: 'a cell emptied',
    alter: (folder) => edit(folder, 'changes.csv', (text) => text.replace(',no one answers,', ',,')),
    named:
      'changes.csv: The row of r-glass (cloud.reboot db-1, 2026-10-07 09:00, U0BOB) was altered: break_glass is empty, and by its entries “no one answers”.',
  },
  {
    what: 'the period, with a new hash of the manifest',
    alter: (folder) => editManifest(folder, (text) => text.replace('2026-10-31', '2026-10-30')),
    named: 'manifest.json: The change r-last is outside of the period or the filter.',
  },
  {
    what: 'an entry swapped for another valid one',
    alter: (folder) =>
      edit(folder, 'entries.jsonl', (text) => {
        const lines = text.split('\n');
        return lines.with(1, lines[5] ?? '').join('\n');
      }),
    named: 'entries.jsonl: Instead of entry 8, there is entry 12.',
  },
  {
    what: 'a row deleted with its entries and proofs',
    alter(folder) {
      edit(folder, 'changes.csv', (text) => withoutLine(text, 'r-denied'));
      edit(folder, 'entries.jsonl', (text) => withoutLine(text, '"r-denied"'));
      for (const number of [11, 12]) rmSync(join(folder, `proofs/${number}.tlog-proof`));
    },
    named: 'entries.jsonl: Instead of entry 11, there is entry 13.',
  },
  {
    what: 'a row deleted',
    alter: (folder) => edit(folder, 'changes.csv', (text) => withoutLine(text, 'r-denied')),
    named: 'changes.csv: The row of r-denied (cloud.reboot db-2, 2026-10-06 09:00, U0BOB) is missing.',
  },
  {
    what: 'a row invented',
    alter: (folder) => edit(folder, 'changes.csv', (text) => text.replace('r-denied,', 'r-invented,')),
    named: 'changes.csv: The row of “r-invented” is not a change in entries.jsonl.',
  },
  {
    what: 'a file cut off',
    alter: (folder) => edit(folder, 'entries.jsonl', (text) => text.slice(0, -7)),
    named: 'entries.jsonl: It was cut off: the last line has no line break.',
  },
  {
    what: 'a file cut off at the end of a line',
    alter: (folder) => edit(folder, 'numbers.csv', (text) => text.slice(0, text.lastIndexOf('35,'))),
    named: 'numbers.csv: It ends before entry 35.',
  },
  {
    what: 'a file removed',
    alter: (folder) => rmSync(join(folder, 'reasons.jsonl')),
    named: 'reasons.jsonl: It is missing.',
  },
  {
    what: 'two packs mixed: the checkpoints',
    alter: (folder, other) =>
      cpSync(join(other, 'checkpoints'), join(folder, 'checkpoints'), { recursive: true }),
    named: 'checkpoints/first: ',
  },
  {
    what: 'two packs mixed: the entries with their numbers',
    alter(folder, other) {
      for (const name of ['entries.jsonl', 'numbers.csv', 'reasons.jsonl', 'changes.csv'])
        cpSync(join(other, name), join(folder, name));
    },
    named: 'numbers.csv: ',
  },
  {
    what: 'a reason',
    alter: (folder) => edit(folder, 'reasons.jsonl', (text) => text.replace('not today', 'not tonight')),
    named: "reasons.jsonl: The reason of entry 12 was altered. The row of its change can't be checked.",
  },
  {
    what: 'a reason that a row has, too',
    alter: (folder) => edit(folder, 'reasons.jsonl', (text) => text.replace('HYPERLINK', 'HYPERLUNK')),
    named: "reasons.jsonl: The reason of entry 7 was altered. The row of its change can't be checked.",
  },
  {
    what: 'numbers.csv: a hash',
    alter: (folder) =>
      edit(folder, 'numbers.csv', (text) =>
        text.replace(/^6,./mu, (start) => (start === '6,0' ? '6,1' : '6,0')),
      ),
    named:
      'numbers.csv: A line was altered: the hashes of the lines are not those that the checkpoints signed.',
  },
  {
    what: 'numbers.csv: what an entry is',
    alter: (folder) => edit(folder, 'numbers.csv', (text) => text.replace(/^(32,.*),other/mu, '$1,in')),
    named: 'entries.jsonl: It ends before entry 32.',
  },
  {
    what: 'a key',
    alter: (folder) => edit(folder, 'keys.txt', (text) => text.replace('bellhop-audit/', 'bellhop-odit/')),
    named: 'keys.txt: The verifier key of ',
  },
  {
    what: 'a proof of another entry added',
    alter: (folder) => cpSync(join(folder, 'proofs/9.tlog-proof'), join(folder, 'proofs/6.tlog-proof')),
    named: 'proofs/6.tlog-proof: It is not part of the pack.',
  },
  {
    what: 'a file added',
    alter: (folder) => cpSync(join(folder, 'changes.csv'), join(folder, 'changes-final.csv')),
    named: 'changes-final.csv: It is not part of the pack. Keep other files elsewhere.',
  },
  {
    what: 'a key twice in keys.txt',
    alter: (folder) => edit(folder, 'keys.txt', (text) => text + text),
    named: 'keys.txt: It was altered: its hash is not the one in manifest.json.',
  },
  {
    what: 'the last row moved to the start',
    alter: (folder) =>
      edit(folder, 'changes.csv', (text) => text.replace(/(?<=\n)(r-a.*\n)(r-last.*\n)$/su, '$2$1')),
    named: 'changes.csv: Its rows are not in the order of their proposals, from the row of “r-last” on.',
  },
  {
    what: 'a row twice',
    alter: (folder) => edit(folder, 'changes.csv', (text) => text.replace(/\nr-denied[^\n]*/u, '$&$&')),
    named: 'changes.csv: The row of “r-denied” appears twice.',
  },
  {
    what: 'a quotation mark that takes in the rows after it',
    alter: (folder) => edit(folder, 'changes.csv', (text) => text.replace('r-denied,', '"r-denied,')),
    named: 'changes.csv: The row that starts with “"r-denied,',
  },
  {
    what: 'a cell of many megabytes',
    alter: (folder) =>
      edit(folder, 'changes.csv', (text) => text.replace('no one answers', `"${'x'.repeat(9_000_000)}"`)),
    named: 'changes.csv: The row that starts with “r-glass,',
  },
  {
    what: 'signs in a row that overwrite a terminal, and turn text around',
    alter: (folder) =>
      edit(folder, 'changes.csv', (text) =>
        text.replace('no one answers', '\u001B[1A\u001B[2KIntact \u202E\u009B31m\u200B'),
      ),
    named: String.raw`changes.csv: The row of r-glass (cloud.reboot db-1, 2026-10-07 09:00, U0BOB) was altered: break_glass is “\u{1b}[1A\u{1b}[2KIntact \u{202e}\u{9b}31m\u{200b}”`,
  },
];
