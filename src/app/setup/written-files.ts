import { readFileSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { Document } from 'yaml';

import { editYaml } from '../../config/yaml/edit-yaml.ts';
import { badInput, errorCode } from '../../model/values/errors.ts';
import { projectFile } from '../../program/files.ts';
import type { Setting } from './secret-answers.ts';
import type { Service } from './service-answers.ts';

/** @throws BellhopError if a file exists, or its folder does not */
export function refuseExisting(files: readonly string[]): void {
  for (const file of files) {
    if (existsSync(file))
      throw badInput(
        `${file} exists, and setup never overwrites a file. Move it, or name another with --config or --env.`,
      );
    if (!existsSync(dirname(resolve(file))))
      throw badInput(
        `The folder of ${file} does not exist. Create it, or name another file with --config or --env.`,
      );
  }
}

interface Answers {
  readonly channel: string;
  readonly me: string;
  readonly group: string | undefined;
  readonly inventory: Service['inventory'];
}

/** For one person alone, in place of the rule that needs an approval. */
const deniedAlone = `name: everything else
    risk: [change, destructive]
    # You are the only lead, and can't approve your own requests. Add another lead, then replace the next line with the ones below it.
    then: deny
    # roles: [responders, leads]
    # then: approve
    # approvers: [leads]
    # break_glass: [responders]`;

/** The minimal file, with its comments and these ids. */
export function rulebookText({ channel, me, group, inventory }: Answers): string {
  const groups = group === undefined ? '' : `usergroups: [${group}]`;
  const edits = [
    { path: ['roles', 'responders'], text: `{ ${[`users: [${me}]`, groups].filter(Boolean).join(', ')} }` },
    { path: ['roles', 'leads'], text: `{ ${groups || `users: [${me}]`} }` },
    { path: ['rules', 1, 'channels', 0], text: channel },
    { path: ['announce', 'break_glass'], text: channel },
    ...(group === undefined ? [{ path: ['rules', 2], text: deniedAlone }] : []),
  ];
  const minimal = readFileSync(projectFile('examples/bellhop.minimal.yaml'), 'utf8');
  if (!inventory) return editYaml(minimal, edits);
  const { project, region, instance } = inventory;
  return editYaml(minimal, [
    ...edits,
    { path: ['project'], text: `${project}` },
    { path: ['region'], text: `${region}` },
    { path: ['instances'], text: instanceText(instance) },
  ]);
}

/** The first rules of the minimal file are about staging. */
function instanceText({ name, id }: NonNullable<Answers['inventory']>['instance']): string {
  const document = new Document({ [name]: null });
  document.set(name, document.createNode({ id, labels: { env: 'staging' } }, { flow: true }));
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** @param shown the text of a value */
export const settingsText = (settings: readonly Setting[], shown = quoted): string =>
  settings.map((one) => `${one.name}=${shown(one)}\n`).join('');

/** A value as Node reads it from a file. A value has quotes only if it needs them, because Docker keeps them. */
function quoted({ name, value }: Setting): string {
  const written = [value, `'${value}'`, `"${value}"`, `\`${value}\``].find(
    (one) => parseEnv(`A=${one}`)['A'] === value,
  );
  if (written !== undefined) return written;
  throw badInput(
    `${name} has quotes of every kind. Write it into a file, and set ${name}_FILE to that file's path.`,
  );
}

/** Writes both files or neither. @throws BellhopError */
export function writeBoth(
  files: readonly { readonly file: string; readonly text: string; readonly mode: number }[],
): void {
  const written: string[] = [];
  for (const { file, text, mode } of files)
    try {
      writeFileSync(file, text, { mode, flag: 'wx' });
      written.push(file);
    } catch (error) {
      for (const one of written) rmSync(one);
      throw badInput(
        `${file} cannot be written (${errorCode(error) ?? String(error)}). Nothing was written.`,
        { cause: error },
      );
    }
}
