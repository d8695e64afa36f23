import { limitsOf } from '../account.ts';
import type { Watch } from '../pack/content.ts';
import { nextRecord, rowOfRecord } from '../pack/csv.ts';
import { createFaults, type Lines } from '../pack/faults.ts';
import { type Manifest, parseManifest } from '../pack/manifest.ts';
import { readText } from '../pack/pack-files.ts';
import { type Handed, type VerifiedPack, verifyPack } from '../pack/verify-pack.ts';
import { type BrowserPack, chosenPack, droppedPack } from './browser-files.ts';
import { byId, element, pause } from './dom.ts';
import { filterForm } from './filters.ts';
import { createTable, type Filter, isProved, type MarkedRow } from './table.ts';
import { type EntryPlace, timelineOf } from './timeline.ts';
import { unusualParts } from './unusual.ts';
import { drawConclusion, readGiven, verdictDetails } from './verdict.ts';

/** @param className `spoken` if the text is on the page already */
const say = (text: string, className = ''): void => {
  byId('status').textContent = text;
  byId('status').className = className;
};

/** An older run draws nothing more. */
let current = 0;

async function show(files: BrowserPack): Promise<void> {
  current += 1;
  const run = current;
  byId('pack').hidden = true;
  if (!files.names.has('manifest.json'))
    return say(
      'This folder has no manifest.json, so it is not a pack of evidence. Choose the folder that has it, next to this page.',
    );
  say('Reading the changes…');
  await pause();
  // These faults are not shown, because the verification finds them again.
  const faults = createFaults(files);
  const manifest = await faults.in('manifest.json', async (name) =>
    parseManifest(await readText(files, name)),
  );
  const claimed = await readRows(faults.lines('changes.csv'));
  const pack: Pack = { files, run, manifest, claimed, places: new Map() };
  byId('verdict').className = '';
  byId('verdict').replaceChildren(element('h2', { id: 'verdict-title' }, 'Verifying…'));
  for (const id of ['unusual', 'limits']) byId(id).replaceChildren();
  drawChanges(paragraph('Not verified yet.'), ...tableOf(pack, claimed).parts);
  byId('pack').hidden = false;
  await verify(pack);
}

interface Pack {
  readonly files: BrowserPack;
  readonly run: number;
  readonly manifest: Manifest | undefined;
  /** Not verified. */
  readonly claimed: readonly MarkedRow[];
  /** By number. */
  readonly places: Map<number, EntryPlace>;
}

async function readRows(lines: Lines): Promise<readonly MarkedRow[]> {
  await lines.next();
  const rows: MarkedRow[] = [];
  for (;;) {
    const record = await nextRecord(lines);
    if (record === undefined) return rows;
    rows.push({ ...rowOfRecord(record), mark: 'unverified' });
  }
}

const paragraph = (text: string): HTMLElement => element('p', { class: 'soft' }, text);

const drawChanges = (...parts: readonly HTMLElement[]): void =>
  byId('changes').replaceChildren(element('h2', { id: 'changes-title' }, 'Changes'), ...parts);

const tableOf = (
  { files, places, manifest }: Pack,
  rows: readonly MarkedRow[],
  filter: Filter = {},
): ReturnType<typeof createTable> => {
  const names = manifest?.names ?? {};
  return createTable(rows, { filter, names, timeline: (row) => timelineOf(row, { files, places, names }) });
};

function showChanges(pack: Pack, rows: readonly MarkedRow[]): void {
  const { manifest } = pack;
  const filter: Filter = {};
  const table = tableOf(pack, rows, filter);
  const changed = (): void => {
    unusual.refresh();
    table.refresh();
  };
  const unusual = unusualParts(rows, manifest?.rules, filter, changed);
  unusual.refresh();
  byId('unusual').replaceChildren(...unusual.parts);
  const notes = notesOn(rows, manifest).map(paragraph);
  drawChanges(...notes, filterForm(rows, filter, changed), ...table.parts);
}

const notesOn = (rows: readonly MarkedRow[], manifest: Manifest | undefined): readonly string[] =>
  [
    !rows.some(isProved) &&
      'No entry proves these rows, or the names in parentheses. They only repeat changes.csv.',
    Object.keys(manifest?.names ?? {}).length > 0 &&
      'The maker of the pack wrote the names in italics, and they are not proved. The ids before them are in the entries.',
  ].filter((note) => note !== false);

async function verify(pack: Pack): Promise<void> {
  const { files, run, manifest, claimed, places } = pack;
  const verifying = (handed: Handed, watch: Watch = {}): Promise<VerifiedPack> =>
    verifyPack(files, handed, {
      ...watch,
      async onProgress(done, all) {
        if (run === current) say(`Verifying, ${Math.floor((100 * done) / Math.max(all, 1))} %`);
        await pause();
      },
    });
  const rows: MarkedRow[] = [];
  const alone = await verifying(
    {},
    {
      onEntry: ({ at, length }, number, reason) => void places.set(number, { at, length, reason }),
      onRow: (row, mark) => void rows.push({ ...row, mark }),
    },
  );
  if (run !== current) return;
  let drawn: readonly MarkedRow[] | undefined;
  let isCompared = false;
  const conclude = (verified: VerifiedPack, known = '', problem = ''): void => {
    if (run !== current) return;
    isCompared = known !== '' || problem !== '';
    const { state, parts } = drawConclusion(verified, known, problem);
    byId('verdict').className = state;
    byId('conclusion').replaceChildren(...parts);
    const shown = rows.length === 0 || verified.unlike ? claimed : rows;
    if (shown !== drawn) showChanges(pack, shown);
    drawn = shown;
    say(byId('verdict-title').textContent, 'spoken');
  };
  const compare = async (typed: string): Promise<void> => {
    conclude(alone);
    const given = readGiven(typed);
    if (typeof given === 'string') return conclude(alone, '', given);
    conclude(await verifying(given), given.known);
    byId('verdict-title').focus();
  };
  const comparing = {
    compare: (typed: string) => compare(typed).catch(failed),
    forget: () => {
      if (isCompared) conclude(alone);
    },
  };
  byId('verdict').replaceChildren(
    element('div', { id: 'conclusion' }),
    ...(alone.seals ? verdictDetails(alone.seals, comparing) : []),
  );
  conclude(alone);
  byId('limits').replaceChildren(
    element('h2', { id: 'limits-title' }, 'What this cannot show'),
    element('ul', {}, ...limitsOf(manifest, alone.shown).map((limit) => element('li', {}, limit))),
  );
}

const failed = (error: unknown): void => say(`This browser can't verify the pack: ${String(error)}`);

const input = byId('folder');
input.addEventListener('change', () => {
  if (input instanceof HTMLInputElement && input.files) show(chosenPack(input.files)).catch(failed);
});
const zone = document.querySelector('.drop');
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  zone?.classList.add('over');
});
document.addEventListener('dragleave', () => zone?.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  zone?.classList.remove('over');
  const [item] = event.dataTransfer?.items ?? [];
  if (item) droppedPack(item).then(show).catch(failed);
});
