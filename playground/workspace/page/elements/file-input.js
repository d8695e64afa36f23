import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { labelled, useElement } from './use-element.js';

/**
 * @typedef {import('@slack/types').FileInput} FileInput
 * @typedef {import('../../protocol.ts').WorkspaceFile} WorkspaceFile
 * @typedef {import('../session.js').Session} Session
 */

/** A file's bytes as the upload takes them. @param {File} file @returns {Promise<string>} */
function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,?/, '') : '');
    });
    reader.addEventListener('error', () => reject(new Error(`${file.name} could not be read.`)));
    reader.readAsDataURL(file);
  });
}

/** @param {Session} session @param {File} file @returns {Promise<WorkspaceFile>} */
async function upload(session, file) {
  const content = await base64Of(file);
  const mimetype = file.type === '' ? 'application/octet-stream' : file.type;
  const outcome = await session.gesture('upload', { name: file.name, mimetype, content_base64: content });
  if (!outcome.ok) throw new Error(outcome.message);
  if (outcome.file === undefined) throw new Error(`${file.name} was not kept.`);
  return outcome.file;
}

/**
 * Uploads the files that a person picks, up to a maximum.
 * @param {readonly WorkspaceFile[]} files
 * @param {(files: WorkspaceFile[]) => void} onFiles
 * @param {number} [most]
 */
export function useUploads(files, onFiles, most = 10) {
  const { session, say } = useShell();
  const [busy, setBusy] = useState(false);
  const add = async (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
    const input = event.currentTarget;
    const chosen = [...(input.files ?? [])].slice(0, most - files.length);
    setBusy(true);
    try {
      const added = await Promise.all(chosen.map((file) => upload(session, file)));
      onFiles([...files, ...added]);
    } catch (error) {
      say(error instanceof Error ? error.message : 'The file could not be uploaded.');
    } finally {
      setBusy(false);
      input.value = '';
    }
  };
  return { busy, add };
}

/** @param {{ files: readonly WorkspaceFile[], onFiles: (files: WorkspaceFile[]) => void }} props */
export function PickedFiles({ files, onFiles }) {
  return files.map(
    ({ id, name }) =>
      html`<span class="chip" key=${id}>
        ${name}
        <button
          type="button"
          class="chip-remove"
          aria-label=${`Remove ${name}`}
          onClick=${() => onFiles(files.filter((file) => file.id !== id))}
        >
          ×
        </button>
      </span>`,
  );
}

/** @param {import('./use-element.js').ElementProps<FileInput>} props */
export function FileInputElement({ element, blockId, name, field }) {
  const { value, enter } = useElement({ element, blockId, field });
  const files = value?.type === 'file_input' ? value.files : [];
  const most = element.max_files ?? 10;
  const keep = (/** @type {WorkspaceFile[]} */ kept) => enter({ type: 'file_input', files: kept });
  const { busy, add } = useUploads(files, keep, most);
  return html`<div class=${busy ? 'file-input is-pending' : 'file-input'}>
    <input
      type="file"
      multiple=${most > 1}
      accept=${element.filetypes?.map((kind) => `.${kind}`).join(',')}
      ...${labelled(element, field, name ?? 'File')}
      onChange=${add}
    />
    <${PickedFiles} files=${files} onFiles=${keep} />
  </div>`;
}
