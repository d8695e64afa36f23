import { originOf } from '../../audit/tree/checkpoint.ts';
import type { CommandPorts } from '../../host/feature.ts';
import { errorCode, rescued } from '../../model/values/errors.ts';
import { type Command, command, UsageError } from '../../program/run-program.ts';
import { conclusionOf } from './account.ts';
import { compareWithLog } from './compare-log.ts';
import { createFaults, type Fault } from './pack/faults.ts';
import { type PackFiles, readText } from './pack/pack-files.ts';
import type { Seals } from './pack/seals.ts';
import { verifyPack } from './pack/verify-pack.ts';
import { packFolder } from './pack-folder.ts';
import { during } from './progress.ts';
import { keyLines } from './readme.ts';

export const verification = (outside: CommandPorts): Command =>
  command({
    help: `       npm run audit -- verify --evidence <folder> [--key <key>]
Verifies a folder that "evidence" made, and names each part that was altered. If this machine has a store, also compares the folder with its log.
  --key <key>           the verifier key of the log, which you got separately from the folder; repeatable.
                        Default: the keys that sign here
Exit code: 0 intact, 1 altered, 2 intact but not compared with a key, or unreadable.`,
    options: { evidence: { type: 'string' }, key: { type: 'string', multiple: true, default: [] } },
    async run({ evidence: folder = '', key: given }) {
      const files = open(folder);
      const keys = given.length > 0 ? await outside.verifiersFor('', given) : await ownKeys(outside, files);
      const alone = await during('Verifying', (onProgress) => verifyPack(files, { keys }, { onProgress }));
      const { seals, unlike } = alone;
      const isSound = alone.faults.length === 0 && !unlike;
      const found = seals && isSound ? await compareHere(outside, files, seals) : undefined;
      const pack = found ? { ...alone, faults: found, isInLog: true } : alone;
      const known = given.length > 0 ? 'the key that you gave' : 'the keys that sign here';
      const { state, title, faults, paragraphs } = conclusionOf(pack, known);
      print(`${folder}: ${title}`, ...faults.map(({ file, text }) => `${file}: ${text}`), ...paragraphs);
      if (seals && state === 'warn')
        print(
          'Get the key separately from the folder, and pass it with --key. The folder itself says:',
          keyLines(seals),
        );
      return { good: 0, bad: 1, warn: 2 }[state];
    },
  });

const print = (...lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** @throws UsageError */
function open(folder: string): PackFiles {
  try {
    return packFolder(folder);
  } catch (cause) {
    throw new UsageError(
      `--evidence: ${folder} can't be read as a folder (${errorCode(cause) ?? 'unknown error'}).`,
      { cause },
    );
  }
}

async function ownKeys({ ownVerifiers }: CommandPorts, files: PackFiles) {
  // The fault is not shown here, because the verification finds it again.
  const note = await createFaults(files).in('checkpoints/last', (name) => readText(files, name));
  return note === undefined ? [] : ownVerifiers(originOf(note), [{ note }]);
}

const notCompared = (why: string): undefined => void process.stderr.write(`${why}\n`);

/** Resolves to the first difference. If the log here can't be compared, says why on stderr and resolves to undefined. */
const compareHere = (
  { withLog }: CommandPorts,
  files: PackFiles,
  { manifest, last }: Seals,
): Promise<readonly Fault[] | undefined> =>
  withLog(async (log) => {
    const newest = await log.newestCheckpoint();
    if (newest && originOf(newest.note) === last.origin && newest.size >= last.size)
      return compareWithLog(files, manifest, log);
    return notCompared(
      'The log here is a different log or an older state, so the pack was not compared with it.',
    );
  }).catch(rescued(({ message }) => notCompared(`The pack was not compared with a log here: ${message}`)));
