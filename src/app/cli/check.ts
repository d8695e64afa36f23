import { command, UsageError } from '../../program/run-program.ts';
import { findingLines, type LocatedFinding } from '../../config/yaml/findings.ts';
import { checkSlack } from './check-slack.ts';
import { oneFile, print, readRules, usualFile } from './command.ts';
import { counted } from '../../text/words.ts';

/** Runs the startup checks on a file, without a start. */
export const check = command({
  summary: 'check bellhop.yaml for errors and probable mistakes',
  help: `Usage: npm run config -- check [file] [--strict] [--slack] [--format text|json]
Runs the startup checks on bellhop.yaml (BELLHOP_CONFIG, or the given file). Prints one finding per line with its position.
  --strict         warnings, too, fail: exit code 2
  --slack          asks Slack, with SLACK_BOT_TOKEN, for people who left and for groups and channels that are gone,
                   and the schedules, whether they answer and whom they name
  --format json    an array of { file, line, column, path, severity, message, suggestion }
Exit code: 0 good, 1 errors or Slack unreachable, 2 warnings with --strict, or a wrong command.`,
  options: {
    strict: { type: 'boolean', default: false },
    slack: { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
  },
  words: oneFile('check'),
  async run(values, [file = usualFile()]) {
    if (!['text', 'json'].includes(values.format)) throw new UsageError('--format takes text or json.');
    const result = await readRules(file);
    const findings = result.ok
      ? [...result.warnings, ...(values.slack ? await checkSlack(result.rulebook, result.locate) : [])]
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
