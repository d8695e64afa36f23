import type { PackFiles } from '../pack/pack-files.ts';

export interface BrowserPack extends PackFiles {
  /** A part of a large file. Places are in bytes. */
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

interface Handle {
  readonly kind: string;
  readonly name: string;
  getFile?(): Promise<File>;
  values?(): AsyncIterable<Handle>;
}

type Item = DataTransferItem & { getAsFileSystemHandle?(): Promise<Handle | null> };

/**
 * The files of a dropped folder. Must be called while the drop is handled. Chromium refuses entries of `file:` pages, so
 * handles come first.
 */
export async function droppedPack(item: Item): Promise<BrowserPack> {
  const files = new Map<string, File>();
  const entry = item.webkitGetAsEntry();
  const handle = await item.getAsFileSystemHandle?.();
  if (handle) await addHandles(handle, '', files);
  else if (entry) await addEntries(entry, '', files);
  return packOf(files);
}

async function addHandles(folder: Handle, path: string, files: Map<string, File>): Promise<void> {
  for await (const one of folder.values?.() ?? []) {
    const name = path + one.name;
    if (one.kind === 'directory') await addHandles(one, `${name}/`, files);
    else if (one.getFile) files.set(name, await one.getFile());
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

async function addEntries(folder: FileSystemEntry, path: string, files: Map<string, File>): Promise<void> {
  if (!isFolder(folder)) return;
  const reader = folder.createReader();
  // A reader gives its entries in parts.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return;
    for (const one of part) {
      const name = path + one.name;
      await addEntries(one, `${name}/`, files);
      if (!isFile(one)) continue;
      const file = await new Promise<File>((resolve, reject) => {
        one.file(resolve, reject);
      });
      files.set(name, file);
    }
  }
}
