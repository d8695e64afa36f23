import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { declarations } from '../../bellhop/declarations.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import { makeFolder } from '../../program/files.ts';
import { command, UsageError } from '../../program/run-program.ts';
import { exampleAddress, manifestOf, newAppLink } from '../../slack/manifest.ts';
import { operations as builtIn } from '../../operations/index.ts';
import { oneFile, parseAs, print, publicAddress, readValidRules, usualRules } from './command.ts';

export const manifest = command({
  summary: "print the app's manifest, with the commands of your own operations",
  help: `Usage: npm run config -- manifest [file] [--link] [--socket | --address https://…]
Prints the app's manifest as JSON, with the commands of bellhop.yaml (BELLHOP_CONFIG, or the given file), including those of
your own operations. Without a bellhop.yaml, it has the built-in commands. Paste it into the app's page, under App Manifest.
  --link                a link that creates the app from the manifest, instead of the manifest
  --socket              for Socket Mode
  --address https://…   where Slack reaches Bellhop; without it, put your own host in place of bellhop.example.com
Exit code: 0, or 1 if the file is invalid.`,
  options: {
    link: { type: 'boolean', default: false },
    socket: { type: 'boolean', default: false },
    address: { type: 'string' },
  },
  words: oneFile('manifest'),
  async run(values, [file]) {
    const rules = await (file === undefined ? usualRules() : readValidRules(file));
    const registry = createRegistry(rules?.operations ?? builtIn, rules?.rulebook.extensions ?? []);
    const printed = manifestOf(registry, modeOf(values));
    print([values.link ? newAppLink(printed) : JSON.stringify(printed, undefined, 2)]);
    return 0;
  },
});

function modeOf({ socket, address }: { readonly socket: boolean; readonly address?: string | undefined }) {
  if (socket && address !== undefined)
    throw new UsageError('Socket Mode needs no address: use --socket or --address.');
  if (address === undefined) return socket ? 'socket' : exampleAddress;
  return { address: parseAs('--address', publicAddress, address) };
}

export const types = command({
  summary: 'write bellhop.d.ts, so that your editor knows the types in your own operations',
  help: `Usage: npm run config -- types <folder>
Writes <folder>/bellhop.d.ts: the types that your operation files import from 'bellhop', including zod. Nothing has to be
installed for it. docs/own-operations.md says how to write such a file.`,
  options: {},
  words: { least: 1, most: 1, otherwise: 'types takes one folder: the one with your operations.' },
  run(_, [folder = '']) {
    makeFolder(folder);
    const file = join(folder, 'bellhop.d.ts');
    writeFileSync(file, declarations());
    print([file]);
    return Promise.resolve(0);
  },
});
