import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../src/model/values/errors.ts';
import { parse } from '../../src/command/grammar/grammar.ts';
import { readInput } from '../../src/command/grammar/check-input.ts';
import { registry, inventory } from './sample-registry.ts';

/** The result of typed text up to the target: the form, the help, or the exact text that the person reads. */
function answerTo(command: string): string {
  const [, area = '', text = ''] = /^\/(\S+) ?(.*)$/su.exec(command) ?? [];
  try {
    const parsed = parse(registry, area, text);
    if (parsed.kind === 'help') return `help of ${parsed.entry?.operation.name ?? `/${parsed.area}`}`;
    if (parsed.kind === 'form')
      return `form of ${parsed.entry.operation.name} with ${JSON.stringify(parsed.values)}`;
    parsed.entry.operation.target(readInput(parsed.entry, parsed.values), inventory);
    return `asks ${parsed.entry.operation.name}`;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const answersTo = (commands: readonly string[]): string =>
  commands.map((command) => `${shown(command)}\n  → ${answerTo(command)}`).join('\n');

const shown = (command: string): string => command.slice(0, 60).replaceAll(/[\u200B\u202E]/gu, '[invisible]');

describe('bad input', () => {
  it('that is not a command', () => {
    expect(
      answersTo([
        '/cluod',
        '/cloud',
        '/cloud  ',
        '/cloud help',
        '/cloud Help',
        '/cloud --help',
        '/cloud -h',
        '/cloud help reboot',
        '/cloud help rebot',
        '/cloud reboot --help',
        '/cloud rebot web-1',
        '/cloud rm -rf /',
        '/cloud load web-1',
        '/cloud Reboot web-1',
        '/cloud 🔥',
        '/cloud <!channel>',
        '/cloud constructor',
      ]),
    ).toMatchInlineSnapshot(`
      "/cluod
        → unknown-command: Unknown command /cluod. Did you mean “/cloud”?
      /cloud
        → help of /cloud
      /cloud  
        → help of /cloud
      /cloud help
        → help of /cloud
      /cloud Help
        → help of /cloud
      /cloud --help
        → help of /cloud
      /cloud -h
        → help of /cloud
      /cloud help reboot
        → help of cloud.reboot
      /cloud help rebot
        → unknown-command: Unknown command “/cloud rebot”. Did you mean “/cloud reboot”?
      /cloud reboot --help
        → help of cloud.reboot
      /cloud rebot web-1
        → unknown-command: Unknown command “/cloud rebot”. Did you mean “/cloud reboot”?
      /cloud rm -rf /
        → unknown-command: Unknown command “/cloud rm”. Available: reboot, stop, container, ips.
      /cloud load web-1
        → unknown-command: /cloud load was removed. For the load of instances, use your monitoring, such as Grafana.
      /cloud Reboot web-1
        → asks cloud.reboot
      /cloud 🔥
        → unknown-command: Unknown command “/cloud 🔥”. Available: reboot, stop, container, ips.
      /cloud <!channel>
        → unknown-command: Unknown command “/cloud <!channel>”. Available: reboot, stop, container, ips.
      /cloud constructor
        → unknown-command: Unknown command “/cloud constructor”. Available: reboot, stop, container, ips."
    `);
  });

  it('that names no target', () => {
    expect(
      answersTo([
        '/cloud reboot',
        '/cloud reboot --reason "it hangs"',
        '/cloud reboot wbe-1',
        '/cloud reboot Web-1',
        '/cloud reboot web-3',
        '/cloud reboot ""',
        '/cloud reboot <!channel>',
        '/cloud reboot 🔥',
        '/cloud reboot __proto__',
        '/cloud reboot 6C6AA80F-7836-4dc2-a2ae-125e248be476',
        '/cloud reboot 1186668/76/../../etc',
        '/cloud reboot 1186668/76/a%2Fb',
        `/cloud reboot ${'x'.repeat(2000)}`,
        '/cloud reboot db-1 --region 76',
        '/cloud reboot 1186668/76/abc --project 2',
        '/cloud reboot web-1 --project abc',
        '/cloud reboot web-1 --region 1.5',
      ]),
    ).toMatchInlineSnapshot(`
      "/cloud reboot
        → form of cloud.reboot with {}
      /cloud reboot --reason "it hangs"
        → form of cloud.reboot with {}
      /cloud reboot wbe-1
        → unknown-target: bellhop.yaml lists no instance “wbe-1”. Did you mean “web-1”?
      /cloud reboot Web-1
        → unknown-target: bellhop.yaml lists no instance “Web-1”. Did you mean “web-1”?
      /cloud reboot web-3
        → unknown-target: bellhop.yaml lists no instance “web-3”. Did you mean “web-1” or “web-2”?
      /cloud reboot ""
        → bad-input: <instance> is empty.
      /cloud reboot <!channel>
        → unknown-target: bellhop.yaml lists no instance “<!channel>”. Use a name from bellhop.yaml, or project/region/id.
      /cloud reboot 🔥
        → unknown-target: bellhop.yaml lists no instance “🔥”. Use a name from bellhop.yaml, or project/region/id.
      /cloud reboot __proto__
        → unknown-target: bellhop.yaml lists no instance “__proto__”. Use a name from bellhop.yaml, or project/region/id.
      /cloud reboot 6C6AA80F-7836-4dc2-a2ae-125e248be476
        → unknown-target: bellhop.yaml lists no instance “6C6AA80F-7836-4dc2-a2ae-125e248be476”. Did you mean “web-1”?
      /cloud reboot 1186668/76/../../etc
        → unknown-target: bellhop.yaml lists no instance “1186668/76/../../etc”. Use a name from bellhop.yaml, or project/region/id.
      /cloud reboot 1186668/76/a%2Fb
        → unknown-target: bellhop.yaml lists no instance “1186668/76/a%2Fb”. Use a name from bellhop.yaml, or project/region/id.
      /cloud reboot xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        → unknown-target: bellhop.yaml lists no instance “xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…”. Use a name from bellhop.yaml, or project/region/id.
      /cloud reboot db-1 --region 76
        → bad-input: “db-1” is in region 180, not 76. Remove --region.
      /cloud reboot 1186668/76/abc --project 2
        → bad-input: “1186668/76/abc” is in project 1186668, not 2. Remove --project.
      /cloud reboot web-1 --project abc
        → bad-input: --project must be a whole number.
      /cloud reboot web-1 --region 1.5
        → bad-input: --region must be a whole number."
    `);
  });

  it('that has words too many or options unknown', () => {
    expect(
      answersTo([
        '/cloud reboot web-1 --forse',
        '/cloud reboot web-1 --reson hangs',
        '/cloud reboot web-1 -reason hangs',
        '/cloud reboot web-1 -f',
        '/cloud reboot web-1 web-2',
        '/cloud reboot web-1 stuck since the deploy',
        '/cloud reboot web-1 --instance web-2',
        '/cloud reboot web-1 --reason',
        '/cloud reboot web-1 --reason ""',
        '/cloud reboot web-1 --reason --project 1',
        '/cloud reboot web-1 --reason a --reason b',
        '/cloud reboot web-1 --project 1 --project 2',
        '/cloud container api --reason "reads take none"',
        '/cloud container api --follow',
        '/cloud container api --brief=maybe',
        '/cdn metrics 5xx --every 1w',
        '/cdn metrics 5xx --by resorce',
      ]),
    ).toMatchInlineSnapshot(`
      "/cloud reboot web-1 --forse
        → bad-input: /cloud reboot has no option “--forse”. Options: --project, --region, --reason, --break-glass.
      /cloud reboot web-1 --reson hangs
        → bad-input: /cloud reboot has no option “--reson”. Did you mean “--reason”?
      /cloud reboot web-1 -reason hangs
        → bad-input: /cloud reboot has no option “-reason”. Did you mean “--reason”?
      /cloud reboot web-1 -f
        → bad-input: /cloud reboot has no option “-f”. Options: --project, --region, --reason, --break-glass.
      /cloud reboot web-1 web-2
        → bad-input: Unexpected argument “web-2”. Name one instance, or several with --each label=value. Put a reason after --reason. Usage: /cloud reboot <instance> [--project <number>] [--region <number>] [--reason "…"].
      /cloud reboot web-1 stuck since the deploy
        → bad-input: Unexpected argument “stuck”. Name one instance, or several with --each label=value. Put a reason after --reason. Usage: /cloud reboot <instance> [--project <number>] [--region <number>] [--reason "…"].
      /cloud reboot web-1 --instance web-2
        → bad-input: Unexpected argument “web-1”. Name one instance, or several with --each label=value. Put a reason after --reason. Usage: /cloud reboot <instance> [--project <number>] [--region <number>] [--reason "…"].
      /cloud reboot web-1 --reason
        → bad-input: --reason needs a value, such as --reason "disk errors".
      /cloud reboot web-1 --reason ""
        → bad-input: --reason needs a value, such as --reason "disk errors".
      /cloud reboot web-1 --reason --project 1
        → bad-input: --reason needs a value, but “--project” looks like the next option. If it is the value, write --reason="…".
      /cloud reboot web-1 --reason a --reason b
        → bad-input: --reason is given twice.
      /cloud reboot web-1 --project 1 --project 2
        → bad-input: --project is given twice.
      /cloud container api --reason "reads take none"
        → bad-input: /cloud container is read-only. Remove --reason.
      /cloud container api --follow
        → bad-input: --follow was removed. Use Refresh under the answer.
      /cloud container api --brief=maybe
        → bad-input: Use --brief without a value, or write --brief=true or --brief=false.
      /cdn metrics 5xx --every 1w
        → bad-input: --every must be one of 1m, 1h, 1d.
      /cdn metrics 5xx --by resorce
        → bad-input: --by must be one of cname, resource. Did you mean “resource”?"
    `);
  });

  it('that is quoted, dashed or pasted oddly', () => {
    expect(
      answersTo([
        '/cloud reboot "web-1',
        '/cloud reboot “web-1” —reason “it hangs”',
        '/cloud reboot web-1 —reason hangs',
        '/cloud reboot web-1 –-reason=“it hangs”',
        '/cloud reboot web-1 —forse',
        '/cloud reboot web\u200B-1',
        '/cloud reboot \u202Eweb-1',
        `/cloud reboot ${'x'.repeat(10_000)}`,
      ]),
    ).toMatchInlineSnapshot(`
      "/cloud reboot "web-1
        → bad-input: The quote before “web-1” is never closed. Add the closing quote after the last word.
      /cloud reboot “web-1” —reason “it hangs”
        → asks cloud.reboot
      /cloud reboot web-1 —reason hangs
        → asks cloud.reboot
      /cloud reboot web-1 –-reason=“it hangs”
        → asks cloud.reboot
      /cloud reboot web-1 —forse
        → bad-input: /cloud reboot has no option “--forse”. Options: --project, --region, --reason, --break-glass.
      /cloud reboot web[invisible]-1
        → bad-input: Your command contains invisible characters. Type it instead of pasting.
      /cloud reboot [invisible]web-1
        → bad-input: Your command contains invisible characters. Type it instead of pasting.
      /cloud reboot xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        → bad-input: Your command has 10,007 characters. The limit is 3,000. Shorten it."
    `);
  });

  it('that would put a secret in the channel', () => {
    expect(
      answersTo([
        '/cdn raw-logs',
        '/cdn raw-logs --s3-secret-key secret:log-bucket',
        '/cdn raw-logs --s3-secret-key wJalrXUtnFEMI',
        '/cdn raw-logs --s3-secret-key="secret:Not a Name"',
      ]),
    ).toMatchInlineSnapshot(`
      "/cdn raw-logs
        → form of cdn.raw-logs with {}
      /cdn raw-logs --s3-secret-key secret:log-bucket
        → form of cdn.raw-logs with {"s3_secret_key":"secret:log-bucket"}
      /cdn raw-logs --s3-secret-key wJalrXUtnFEMI
        → bad-input: --s3-secret-key takes the name of a secret, such as secret:log-bucket, never the secret itself. If that was a secret, it has been sent in chat, so rotate it now.
      /cdn raw-logs --s3-secret-key="secret:Not a Name"
        → bad-input: --s3-secret-key takes the name of a secret, such as secret:log-bucket, never the secret itself. If that was a secret, it has been sent in chat, so rotate it now."
    `);
    expect(answerTo('/cdn raw-logs --s3-secret-key wJalrXUtnFEMI')).not.toContain('wJalr');
  });
});
