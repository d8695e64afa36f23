import { command, UsageError } from '../../program/run-program.ts';
import { findingLines, type LocatedFinding } from '../../config/yaml/findings.ts';
import { checkSlack } from './check-slack.ts';
import { oneFile, print, readRules, readValidRules, usualFile } from './command.ts';
import { readEnvironment } from '../../config/environment/environment.ts';
import { counted } from '../../text/words.ts';
import { ruleTitle } from '../../policy/policy.ts';
import { policyTestsFile, runPolicyTests } from '../../config/policy/run-tests.ts';
import { readSmallFile } from '../../program/files.ts';
import { largestRulebook } from '../../config/rulebook/read-rulebook.ts';
import { fileError, parseYamlFile } from '../../config/yaml/yaml-file.ts';

export const check = command({
  summary: 'check bellhop.yaml for errors and probable mistakes',
  help: `Usage: npm run config -- check [file] [--strict] [--slack] [--format text|json]
Runs the startup checks on bellhop.yaml (BELLHOP_CONFIG, or the given file). Prints one finding per line with its position.
  --strict         warnings also fail the check: exit code 2
  --slack          asks Slack (SLACK_BOT_TOKEN) about people who have left and groups and channels that are gone,
                   and asks the schedules whether they answer and whom they name
  --format json    an array of { file, line, column, path, severity, message, suggestion }
Exit code: 0 good, 1 errors or Slack unreachable, 2 warnings with --strict, or a usage error.`,
  options: {
    strict: { type: 'boolean', default: false },
    slack: { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
  },
  words: oneFile('check'),
  async run(values, [file = usualFile()]) {
    if (!['text', 'json'].includes(values.format)) throw new UsageError('--format must be text or json.');
    const result = await readRules(file);
    const findings = result.ok
      ? [
          ...variableWarnings(),
          ...result.warnings(),
          ...(values.slack ? await checkSlack(result.rulebook, result.locate) : []),
        ]
      : result.findings;
    const of = (severity: LocatedFinding['severity']): number =>
      findings.filter((finding) => finding.severity === severity).length;
    const [errors, warnings] = [of('error'), of('warning')];
    if (values.format === 'json') print([JSON.stringify(findings, undefined, 2)]);
    else
      print([
        ...findingLines(findings, Infinity),
        errors + warnings === 0
          ? `${file} is good.`
          : `${file}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
      ]);
    if (errors > 0) return 1;
    return values.strict && warnings > 0 ? 2 : 0;
  },
});

const variableWarnings = (): readonly LocatedFinding[] =>
  readEnvironment(process.env, process.cwd()).warnings.map((message) => ({
    file: 'environment:',
    path: '',
    severity: 'warning',
    message,
  }));

export const test = command({
  summary: 'run bellhop.tests.yaml, the tests of the rules',
  help: `Usage: npm run config -- test [file]
Runs the tests of bellhop.yaml (BELLHOP_CONFIG, or the given file) in bellhop.tests.yaml next to it: a list of
  - { as: U0ALICE, in: C0OPS, run: /cloud reboot db-1, expect: approve, rule: production, approvers: [leads] }
docs/policy.md has all the keys. Needs no Slack and no service.
Exit code: 0 if all pass, 1 if any fails.`,
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
    example: 'examples/bellhop.example.tests.yaml',
  });
}
