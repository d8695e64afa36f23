import { BellhopError } from '../../../model/values/errors.ts';
import { type Row, rowOfCells } from '../pack/changes.ts';
import { cellsOf, nextRecord } from '../pack/csv.ts';
import { type Manifest, parseManifest } from '../pack/manifest.ts';
import { linesOf, textOf } from '../pack/pack-files.ts';
import { type PackVerdict, verifyPack } from '../pack/verify-pack.ts';
import { limitsOf } from '../readme.ts';
import { type BrowserPack, chosenPack, droppedPack } from './browser-files.ts';
import { button, byId, element, pause } from './dom.ts';
import { filterFields } from './filters.ts';
import { createTable, noFilter } from './table.ts';
import { type Place, timelineOf } from './timeline.ts';
import { unusualIn } from './unusual.ts';
import { conclusionOf, detailsOf, type Given, handedIn, stateOf } from './verdict.ts';

const say = (text: string): void => {
  byId('status').textContent = text;
};

/** The run that is under way. A newer one ends it. */
let current = 0;

async function show(files: BrowserPack): Promise<void> {
  current += 1;
  const run = current;
  byId('pack').hidden = true;
  if (!files.names.has('manifest.json')) {
    say(
      'This folder has no manifest.json, so it is not a pack of evidence. Choose the folder that has it, next to this page.',
    );
    return;
  }
  say('Reading the changes…');
  await pause();
  const manifest = await attempt(async () => parseManifest(await textOf(files, 'manifest.json')));
  const rows = (await attempt(() => readRows(files))) ?? [];
  const altered = new Set<string>();
  const places = new Map<number, Place>();
  const filter = noFilter();
  const timeline = (row: Row) => timelineOf(row, { files, places, names: manifest?.names ?? {} });
  const table = createTable(rows, { filter, altered, timeline, names: manifest?.names ?? {} });
  const refreshUnusual = showUnusual(rows, manifest, filter, table.refresh);
  const fields = filterFields(rows, filter, () => {
    refreshUnusual();
    table.refresh();
  });
  byId('changes').replaceChildren(
    element('h2', { id: 'changes-title' }, 'Changes'),
    ...namesNote(manifest),
    fields,
    ...table.parts,
  );
  byId('limits').replaceChildren(
    element('h2', { id: 'limits-title' }, 'What this cannot show'),
    element('ul', {}, ...(manifest ? limitsOf(manifest) : []).map((limit) => element('li', {}, limit))),
  );
  byId('verdict').className = '';
  byId('verdict').replaceChildren(element('h2', { id: 'verdict-title' }, 'Verifying…'));
  byId('pack').hidden = false;
  await verify({ files, run, places, altered, refresh: table.refresh });
}

const namesNote = (manifest: Manifest | undefined): readonly HTMLElement[] =>
  Object.keys(manifest?.names ?? {}).length === 0
    ? []
    : [
        element(
          'p',
          { class: 'soft' },
          'A name in italics after an id is as the maker of the pack wrote it, and not proved. The id is in the log.',
        ),
      ];

interface Run {
  readonly files: BrowserPack;
  readonly run: number;
  readonly places: Map<number, Place>;
  readonly altered: Set<string>;
  readonly refresh: () => void;
}

async function verify(shown: Run): Promise<void> {
  const { files, run, places, altered, refresh } = shown;
  const verifying = async (handed: Parameters<typeof verifyPack>[1]) =>
    verifyPack(files, handed, {
      onEntry: ({ at, length }, number, reason) => void places.set(number, { at, length, reason }),
      async onProgress(done, all) {
        if (run === current) say(`Verifying, ${Math.floor((100 * done) / Math.max(all, 1))} %`);
        await pause();
      },
    });
  const alone = await verifying({});
  if (run !== current) return;
  if (!alone.fits) places.clear();
  for (const { change } of alone.faults) if (change !== undefined) altered.add(change);
  refresh();
  let isCompared = false;
  const conclude = (verdict: PackVerdict, given: Given = {}): void => {
    if (run !== current) return;
    isCompared = given.handed !== undefined || given.problem !== undefined;
    byId('verdict').className = stateOf(verdict);
    byId('conclusion').replaceChildren(...conclusionOf(verdict, given));
    say(byId('verdict-title').textContent);
  };
  const compare = async (typed: string): Promise<void> => {
    conclude(alone);
    const handed = handedIn(typed);
    if (typeof handed === 'string') return conclude(alone, { problem: handed });
    conclude(await verifying(handed), { handed });
    byId('verdict-title').focus();
  };
  const comparing = {
    compare: async (typed: string) => compare(typed).catch(failed),
    forget: () => {
      if (isCompared) conclude(alone);
    },
  };
  byId('verdict').replaceChildren(
    element('div', { id: 'conclusion' }),
    ...(alone.seals ? detailsOf(alone.seals, comparing) : []),
  );
  conclude(alone);
}

/** @returns what shows which one is chosen */
function showUnusual(
  rows: readonly Row[],
  manifest: Manifest | undefined,
  filter: ReturnType<typeof noFilter>,
  changed: () => void,
): () => void {
  const kinds = unusualIn(manifest?.rules).map((kind) => ({ kind, count: rows.filter(kind.is).length }));
  const buttons = kinds.map(({ kind, count }) => ({
    kind,
    count,
    press: button(`${count} ${kind.title}`, () => {
      filter.unusual = filter.unusual === kind ? undefined : kind;
      refresh();
      changed();
    }),
  }));
  const refresh = (): void => {
    for (const { kind, press } of buttons)
      press.setAttribute('aria-pressed', String(filter.unusual === kind));
  };
  refresh();
  const none = manifest?.rules
    ? []
    : [
        element(
          'p',
          { class: 'soft' },
          'The pack names no rules of today, so no change is compared with them.',
        ),
      ];
  byId('unusual').replaceChildren(
    element('h2', { id: 'unusual-title' }, 'Unusual changes'),
    element(
      'ul',
      {},
      ...buttons.map(({ press, kind, count }) => element('li', {}, count === 0 ? `0 ${kind.title}` : press)),
    ),
    ...none,
  );
  return refresh;
}

async function readRows(files: BrowserPack): Promise<readonly Row[]> {
  const lines = linesOf(files, 'changes.csv');
  await lines.next();
  const rows: Row[] = [];
  for (;;) {
    const record = await nextRecord(lines);
    if (record === undefined) return rows;
    rows.push(rowOfCells(cellsOf(record)));
  }
}

/** The verification reports what can't be read. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BellhopError) return undefined;
    throw error;
  }
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
