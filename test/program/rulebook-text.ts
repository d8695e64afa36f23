import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const example = readFileSync(join(import.meta.dirname, '../../bellhop.example.yaml'), 'utf8');

const requestsLine = 'requests: { expire_after: 15m, lease: 60s }';
const extensionLines = /^extensions:\n(?:  - .*\n)+/mu;

export interface RulebookTimes {
  readonly expireAfter?: string;
  readonly lease?: string;
  readonly drain?: string;
  readonly readTimeout?: string;
  /** Without it nothing is shown of how an instance looked. */
  readonly instanceRead?: boolean;
  /** With it a change runs until its task has ended. */
  readonly tasks?: boolean;
}

/** The rules that are shipped as an example, with other times. */
export function exampleRulebook({
  expireAfter = '15m',
  lease = '60s',
  drain = '10s',
  readTimeout = '10s',
  instanceRead = true,
  tasks = false,
}: RulebookTimes): string {
  if (!example.includes(requestsLine) || !extensionLines.test(example))
    throw new Error('bellhop.example.yaml reads differently now: fit the lines here to it');
  return example
    .replace(
      requestsLine,
      `requests: { expire_after: ${expireAfter}, lease: ${lease}, drain: ${drain}, read_timeout: ${readTimeout} }`,
    )
    .replace(extensionLines, (lines) => (instanceRead ? lines : lines.replace('  - instance-read\n', '')))
    .replace(extensionLines, (lines) => (tasks ? lines : lines.replace('  - tasks\n', '')));
}
