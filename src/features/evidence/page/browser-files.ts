import type { PackFiles } from '../pack/pack-files.ts';

export interface BrowserPack extends PackFiles {
  /** Places are in bytes. */
  readonly textAt: (name: string, place: { readonly at: number; readonly length: number }) => Promise<string>;
}

/** @param files by their paths below the folder */
function packOf(files: ReadonlyMap<string, File>): BrowserPack {
  return {
    names: new Set(files.keys()),
    async *read(name) {
      const reader = files.get(name)?.stream().getReader();
      for (;;) {
        const next = await reader?.read();
        if (!next || next.done) return;
        yield next.value;
      }
    },
    textAt: async (name, { at, length }) =>
      (await files
        .get(name)
        ?.slice(at, at + length)
        .text()) ?? '',
  };
}

/** The files of an input with `webkitdirectory`, whose paths begin with the folder. */
export const chosenPack = (files: Iterable<File>): BrowserPack =>
  packOf(new Map(Array.from(files, (file) => [file.webkitRelativePath.split('/').slice(1).join('/'), file])));

/** As `getAsFileSystemHandle` returns it. */
interface Handle {
  readonly name: string;
  getFile?(): Promise<File>;
  values?(): AsyncIterable<Handle>;
}

type Item = DataTransferItem & { getAsFileSystemHandle?(): Promise<Handle | null> };

/** Must be called while the drop is handled. Handles are tried first, because Chromium refuses entries on `file:` pages. */
export async function droppedPack(item: Item): Promise<BrowserPack> {
  const files = new Map<string, File>();
  const entry = item.webkitGetAsEntry();
  const handle = (await item.getAsFileSystemHandle?.()) ?? (entry && handleOf(entry));
  if (handle) await addFiles(handle, '', files);
  return packOf(files);
}

async function addFiles(folder: Handle, path: string, files: Map<string, File>): Promise<void> {
  for await (const one of folder.values?.() ?? []) {
    const file = await one.getFile?.();
    if (file) files.set(path + one.name, file);
    else await addFiles(one, `${path}${one.name}/`, files);
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** For browsers without handles. */
const handleOf = (entry: FileSystemEntry): Handle => ({
  name: entry.name,
  ...(isFile(entry) && { getFile: () => new Promise((resolve, reject) => entry.file(resolve, reject)) }),
  ...(isFolder(entry) && { values: () => entriesOf(entry) }),
});

async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<Handle, undefined> {
  const reader = folder.createReader();
  for (;;) {
    // A reader gives its entries in parts.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return;
    yield* part.map(handleOf);
  }
}
