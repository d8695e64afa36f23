import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { parseRulebookInWorker, readCalendarInWorker } from '../../../src/app/process/parse-in-worker.ts';
import { rulebookLines, parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { watchRulebook } from '../../../src/config/rulebook/watch-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';
import { readCalendar } from '../../../src/features/on-call/calendar/ical.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const open = new AbortController().signal;
const label = 'bellhop.yaml';

/** How often the event loop comes round until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const controller = new AbortController();
  const { signal } = controller;
  const over = work.finally(() => controller.abort());
  while (!signal.aborted) {
    await nextTurn();
    turns += 1;
  }
  await over;
  return turns;
}

const instances = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `  host-${at}: { id: h${at}, labels: { env: production } }\n`,
  ).join('');

const calendarOf = (...events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.map((lines) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT`),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const turnOf = (name: string, at: number): readonly string[] => [
  `UID:${at}`,
  `DTSTART:20261122T${String(at % 24).padStart(2, '0')}0000Z`,
  'DURATION:PT1H',
  `ATTENDEE:mailto:${name}@example.com`,
];

const noon = Date.UTC(2026, 10, 22, 12);
const window = { from: noon, to: noon + 60_000 };

describe('the event loop continues', () => {
  it('while a bellhop.yaml with thousands of instances is reloaded', async () => {
    const file = join(temporaryFolder(), label);
    const bytes = Buffer.from('project: 1\n');
    writeFileSync(file, bytes);
    const initial = parseRulebook(bytes, label, operations);
    if (!initial.ok) throw new Error('the file is good');
    const watch = watchRulebook({
      file,
      initial: initial.rulebook,
      parse: (changed, name, signal) =>
        parseRulebookInWorker(changed, { label: name, folder: '.' }, {}, signal),
      onLoaded: () => undefined,
      onRejected: (problems) => expect.unreachable(problems.join('\n')),
    });
    onTestFinished(() => watch.close());
    writeFileSync(file, `instances:\n${instances(2000)}`);
    expect(await turnsDuring(watch.reload())).toBeGreaterThan(100);
    expect(Object.keys(watch.current().inventory.instances)).toHaveLength(2000);
  });

  it('while a calendar of thousands of events is read', async () => {
    const text = calendarOf(...Array.from({ length: 2000 }, (_, at) => turnOf('alice', at)));
    const read = readCalendarInWorker(text, window, undefined, open);
    expect(await turnsDuring(read)).toBeGreaterThan(100);
    expect(await read).toEqual(readCalendar(text, window));
  });
});

describe('what comes back is what would have come without it', () => {
  it.each([
    [
      'odd names and warnings',
      'instances:\n  7: { id: a }\n  toString: { id: b }\n  __proto__: { id: c }\nroles: { idle: {} }\n',
    ],
    ['mistakes', 'projcet: 2\nrules:\n  - { risk: raed, then: allow }\n'],
  ])('of a bellhop.yaml with %s', async (_, yaml) => {
    const surroundings = {
      secretNames: ['audit-key'],
      longestCallMs: 600_000,
      unusable: 'warning',
    } as const;
    const { warnings, ...read } = await parseRulebookInWorker(
      Buffer.from(yaml),
      { label: label, folder: '.' },
      surroundings,
      open,
    );
    const { warnings: warningsHere, ...here } = rulebookLines(
      parseRulebook(Buffer.from(yaml), label, operations, surroundings),
    );
    expect(read).toStrictEqual({ ...here, files: [] });
    expect(warnings()).toStrictEqual(warningsHere());
    expect(Object.isFrozen(read.rulebook?.inventory.instances ?? read.problems)).toBe(true);
  });

  it('of an invalid calendar', async () => {
    await expect(readCalendarInWorker('<html>Sign in</html>', window, undefined, open)).rejects.toMatchObject(
      {
        name: 'ScheduleError',
        message: 'answered with something other than a calendar: “<html>Sign in</html>”',
      },
    );
  });
});

describe('a bellhop.yaml that takes more memory than there is', () => {
  it('is refused, and ends nothing but its worker', async () => {
    const yaml = `links: [${'{},'.repeat(400_000)}]`;
    const read = parseRulebookInWorker(Buffer.from(yaml), { label, folder: '.' }, {}, open);
    await expect(read).rejects.toThrow('took too much memory');
  });
});

describe('a worker that is not waited for any more', () => {
  it('ends', async () => {
    const abandoned = new AbortController();
    const read = parseRulebookInWorker(
      Buffer.from('project: 1\n'),
      { label: label, folder: '.' },
      {},
      abandoned.signal,
    );
    abandoned.abort(new Error('closed'));
    await expect(read).rejects.toThrow('closed');
  });
});
