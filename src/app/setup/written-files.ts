import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { stringify } from 'yaml';

import { slackHost } from '../../config/environment/variables.ts';
import { type Edit, editYaml } from '../../config/yaml/edit-yaml.ts';
import { badInput, errorCode } from '../../model/values/errors.ts';
import { projectFile } from '../../program/files.ts';
import { readSecretVariable, secretVariableNames } from '../../program/secret-variables.ts';
import { type Answers, holdsSecret } from './asker.ts';
import { instanceIn } from './questions.ts';

/** @throws BellhopError if a file exists, or its folder does not */
export function refuseExisting(files: readonly string[]): void {
  const another = 'or name another file with --config or --env.';
  for (const file of files) {
    if (existsSync(file))
      throw badInput(`${file} exists, and setup never overwrites a file. Move it, ${another}`);
    if (!existsSync(dirname(resolve(file))))
      throw badInput(`The folder of ${file} does not exist. Create it, ${another}`);
  }
}

/** Replaces the rule that needs an approval if there is only one person to give one. */
const deniedAlone = `name: everything else
    risk: [change, destructive]
    # You are the only lead, and can't approve your own requests. Add another lead, then replace the next line with the ones below it.
    then: deny
    # roles: [responders, leads]
    # then: approve
    # approvers: [leads]
    # break_glass: [responders]`;

/**
 * The minimal bellhop.yaml with its comments and the answered ids. Without an answered instance, its instances are those of the local
 * service.
 */
export function rulebookText(answers: Answers): string {
  const [me, group] = [`users: [${answers('me')}]`, answers('group')];
  const groups = group && `usergroups: [${group}]`;
  const [name, id] = instanceIn(answers('instance')).map((one) => stringify(one).trimEnd());
  const minimal = readFileSync(projectFile('examples/bellhop.minimal.yaml'), 'utf8');
  const edits: readonly Edit[] = [
    { path: ['roles', 'responders'], text: `{ ${[me, groups].filter(Boolean).join(', ')} }` },
    { path: ['roles', 'leads'], text: `{ ${groups || me} }` },
    { path: ['rules', 2], text: group ? '' : deniedAlone },
    { path: ['project'], text: answers('project') },
    { path: ['region'], text: answers('region') },
    { path: ['instances'], text: name ? `${name}: { id: ${id}, labels: { env: staging } }` : '' },
  ];
  const given = edits.filter(({ text }) => text !== '');
  return editYaml(minimal.replaceAll('C0OPS', answers('channel')), given);
}

type Setting = readonly [name: string, value: string];

/** If a secret is in a file, its setting is the file's path. */
export function settingsOf(answers: Answers, slackApiUrl: string, config: string): readonly Setting[] {
  const secrets = secretVariableNames.map((name): Setting => {
    const read = readSecretVariable(process.env, name, process.cwd());
    const isInFile = 'file' in read && read.text === answers(name);
    return isInFile && read.file ? [`${name}_FILE`, read.file] : [name, answers(name)];
  });
  const all: readonly Setting[] = [
    ...secrets,
    ['API_BASE_URL', answers('service')],
    ['SLACK_API_URL', slackApiUrl === slackHost ? '' : slackApiUrl],
    ['PUBLIC_URL', answers('address')],
    // The default folder holds the stores of the simulated Slack and service of `npm start`.
    ['DATA_DIR', resolve(process.env.DATA_DIR?.trim() || '.data-slack')],
    ['BELLHOP_CONFIG', config === 'bellhop.yaml' ? '' : resolve(config)],
  ];
  return all.filter(([, value]) => value !== '');
}

export const settingsText = (settings: readonly Setting[], hides = false): string =>
  settings
    .map(([name, value]) => `${name}=${hides && holdsSecret(name) ? '…' : quoted(name, value)}\n`)
    .join('');

/** In quotes only if the value needs them, because Docker keeps them. */
function quoted(name: string, value: string): string {
  const written = [value, `'${value}'`, `"${value}"`, `\`${value}\``].find(
    (one) => parseEnv(`A=${one}`)['A'] === value,
  );
  if (written !== undefined) return written;
  throw badInput(
    `${name} contains every kind of quote. Write it to a file, and set ${name}_FILE to the file's path.`,
  );
}

/** All files or none. Returns a function that removes them. @throws BellhopError */
export function writeFiles(files: readonly (readonly [string, text: string, mode: number])[]): () => void {
  const written: string[] = [];
  const remove = (): void => written.forEach((file) => rmSync(file));
  for (const [file, text, mode] of files)
    try {
      writeFileSync(file, text, { mode, flag: 'wx' });
      written.push(file);
    } catch (error) {
      remove();
      const why = errorCode(error) ?? String(error);
      throw badInput(`${file} cannot be written (${why}). Nothing was written.`, { cause: error });
    }
  return remove;
}
