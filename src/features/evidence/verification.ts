import { originOf } from '../../audit/tree/checkpoint.ts';
import type { CommandPorts } from '../../host/feature.ts';
import { BellhopError, errorCode } from '../../model/values/errors.ts';
import { type Command, command, UsageError } from '../../program/run-program.ts';
import { compareWithLog } from './compare-log.ts';
import type { Fault } from './pack/faults.ts';
import { type PackFiles, readText } from './pack/pack-files.ts';
import { packFolder } from './pack-folder.ts';
import { during } from './progress.ts';
import { accountLines, doubtsOf, keyLines, logOf, signedText, summaryOf } from './readme.ts';
import type { Seals } from './pack/seals.ts';
import { verifyPack } from './pack/verify-pack.ts';

/** `verify --evidence`. */
export const verification = (outside: CommandPorts): Command =>
  command({
    help: `       npm run audit -- verify --evidence <folder> [--key <key>]
Verifies a folder that "evidence" made, and names each part that was altered. If there is a store here, compares the folder with its log, too.
  --key <key>           the verifier key of the log, which you got from elsewhere than the folder; repeatable.
                        Default: the keys that sign here
Exit code: 0 intact, 1 altered, 2 intact but compared with no key, or it could not be read.`,
    options: { evidence: { type: 'string' }, key: { type: 'string', multiple: true, default: [] } },
    async run({ evidence: folder = '', key: given }) {
      const files = open(folder);
      const keys = await handedKeys(outside, files, given);
      const verdict = await during('Verifying', (onProgress) => verifyPack(files, { keys }, { onProgress }));
      const { faults, more, seals, compared, unlike } = verdict;
      const found = faults.map(({ file, text }) => `${file}: ${text}`);
      if (unlike && seals && found.length === 0) {
        const known = given.length > 0 ? 'the one you gave' : 'those that sign here';
        print(
          `${folder} is signed by a different key than ${known}. Its parts fit each other, but none of its rows is proved. It belongs to ${logOf(verdict)}.`,
        );
        return 1;
      }
      const log = seals && found.length === 0 ? await compareHere(outside, files, seals) : undefined;
      if (log?.wrong) found.push(`${log.wrong.file}: ${log.wrong.text}`);
      if (found.length > 0 || !seals) {
        const further = more === 0 ? [] : [`… and ${more} more.`];
        const signed = compared ? [signedText] : [];
        print(`${folder} was altered or is incomplete:`, ...found, ...further, ...signed);
        return 1;
      }
      print(`${folder} is intact: ${summaryOf(verdict)}`, ...accountLines(verdict, log !== undefined));
      print(...doubtsOf(verdict));
      if (compared) return 0;
      print(
        'It is not compared: anyone can sign a pack with a key of their own. Get the key of the log from elsewhere, and pass it',
      );
      print('with --key. The folder itself says:', keyLines(seals));
      return 2;
    },
  });

const print = (...lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

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

async function handedKeys(
  { verifiersFor, ownVerifiers }: CommandPorts,
  files: PackFiles,
  given: readonly string[],
) {
  if (given.length > 0) return verifiersFor('', given);
  if (!files.names.has('checkpoints/last')) return [];
  try {
    const note = await readText(files, 'checkpoints/last');
    return await ownVerifiers(originOf(note), [{ note }]);
  } catch (error) {
    // A file that can't be decoded is reported by the verification.
    if (error instanceof BellhopError && error.code === 'bad-input') return [];
    throw error;
  }
}

/** Resolves to how the pack differs from the log here. Says on stderr why there is nothing to compare with. */
async function compareHere(
  { withLog }: CommandPorts,
  files: PackFiles,
  { manifest, last }: Seals,
): Promise<{ readonly wrong: Fault | undefined } | undefined> {
  try {
    return await withLog(async (log) => {
      const newest = await log.newestCheckpoint();
      if (newest && originOf(newest.note) === last.origin && newest.size >= last.size)
        return { wrong: await compareWithLog(files, manifest, log) };
      process.stderr.write(
        'That is another log, or an older state of this one, so the pack is not compared with it.\n',
      );
      return undefined;
    });
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    process.stderr.write(`The pack is not compared with a log here: ${error.message}\n`);
    return undefined;
  }
}
