import { ruleTitle } from '../../policy/policy.ts';
import { command } from '../../program/run-program.ts';
import { policyTestsFile, runPolicyTests } from '../../config/policy/run-tests.ts';
import { readSmallFile } from '../../program/files.ts';
import { findingLines } from '../../config/yaml/findings.ts';
import { largestRulebook } from '../../config/rulebook/read-rulebook.ts';
import { fileError, parseYamlFile } from '../../config/yaml/yaml-file.ts';
import { oneFile, print, readValidRules, usualFile } from './command.ts';
import { counted } from '../../text/words.ts';

/** Runs the tests beside the rules. */
export const test = command({
  summary: 'run bellhop.tests.yaml, the tests of the rules',
  help: `Usage: npm run config -- test [file]
Runs the tests of bellhop.yaml (BELLHOP_CONFIG, or the given file) in bellhop.tests.yaml next to it: a list of
  - { as: U0ALICE, in: C0OPS, run: /cloud reboot db-1, expect: approve, rule: production, approvers: [leads] }
docs/policy.md has all the keys. Needs no Slack and no service.
Exit code: 0 all pass, 1 one fails.`,
  options: {},
  words: oneFile('test'),
  async run(_, [given = usualFile()]) {
    const rulesFile = given.replace(/\.tests\.(ya?ml)$/u, '.$1');
    const { rulebook, operations } = await readValidRules(rulesFile);
    const tests = readTests(rulesFile.replace(/(\.ya?ml)?$/u, '.tests$1'));
    if (!tests.ok) {
      print(findingLines(tests.findings, Infinity));
      return 1;
    }
    const { cases, failures, unreached } = await runPolicyTests(rulebook, operations, tests.data, Date.now());
    const titles = unreached.map((index) => ruleTitle(rulebook.policy.rules, index));
    print([
      ...findingLines(tests.locate(failures, 'error'), Infinity),
      `${cases - failures.length} of ${counted(cases, 'case')} pass.`,
      titles.length === 0 ? 'Every rule decides a case.' : `No case reaches ${titles.join(', ')}.`,
    ]);
    return failures.length > 0 ? 1 : 0;
  },
});

function readTests(path: string) {
  const file = readSmallFile(path, largestRulebook);
  if ('problem' in file) return { ok: false as const, findings: [fileError(path, `${file.problem}.`)] };
  return parseYamlFile(file.bytes, path, {
    schema: policyTestsFile,
    example: 'bellhop.example.tests.yaml',
  });
}
