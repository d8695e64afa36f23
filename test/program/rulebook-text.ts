import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const example = readFileSync(join(import.meta.dirname, '../../examples/bellhop.example.yaml'), 'utf8');

const requestsLine = 'requests: { expire_after: 15m, lease: 60s }';
const secretsLine = 'secrets:\n';
const extensionLines = /^extensions:\n(?:  - .*\n)+/mu;
const onCallLines = [
  /^  oncall: .*\n/mu,
  /^schedules:\n(?:  .*\n)+/mu,
  /^  - name: on call\n(?:    .*\n)+/mu,
];

export interface RulebookTimes {
  readonly expireAfter?: string;
  readonly lease?: string;
  readonly drain?: string;
  readonly readTimeout?: string;
  readonly timeout?: string;
  /** Without this, the state of an instance is not shown. */
  readonly instanceRead?: boolean;
  /** With this, a change runs until its task has ended. */
  readonly tasks?: boolean;
  /** With this, the schedule is read, in a worker at each start. */
  readonly onCall?: boolean;
  /** The fields into which each secret may be sent, by the secret's name. */
  readonly secrets?: Readonly<Record<string, readonly string[]>>;
}

/** The rules that are shipped as an example, with other durations. */
export function exampleRulebook({
  expireAfter = '15m',
  lease = '60s',
  drain = '10s',
  readTimeout = '10s',
  timeout = '30s',
  instanceRead = true,
  tasks = false,
  onCall = false,
  secrets = {},
}: RulebookTimes): string {
  const patterns = [extensionLines, ...onCallLines];
  const fits = patterns.every((pattern) => pattern.test(example));
  if (!fits || !example.includes(requestsLine) || !example.includes(secretsLine))
    throw new Error('examples/bellhop.example.yaml reads differently now: fit the lines here to it');
  const bound = Object.entries(secrets).map(
    ([name, fields]) => `  ${name}: { fields: [${fields.join(', ')}] }\n`,
  );
  const rules = onCall ? example : onCallLines.reduce((text, lines) => text.replace(lines, ''), example);
  return rules
    .replace(secretsLine, secretsLine + bound.join(''))
    .replace(
      requestsLine,
      `requests: { expire_after: ${expireAfter}, lease: ${lease}, drain: ${drain}, read_timeout: ${readTimeout}, timeout: ${timeout} }`,
    )
    .replace(extensionLines, (lines) => (instanceRead ? lines : lines.replace('  - instance-read\n', '')))
    .replace(extensionLines, (lines) => (tasks ? lines : lines.replace('  - tasks\n', '')));
}
