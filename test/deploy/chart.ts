import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root, rules } from './outside.ts';
import { attempt, holds } from './shell.ts';

const ingress = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"ingress-nginx"}}}]';

/** The commands of the page, without a cluster: the chart is rendered instead of installed. */
export async function testChart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-chart-'));
  const policy = join(folder, 'bellhop.yaml');
  const flags = `--set image.repository=registry.example.com/bellhop --set ingress.host=bellhop.example.com --set-file policy=${policy}`;
  const chart = ['template', 'bellhop', join(root, 'deploy/helm'), ...flags.split(' ')];
  const render = () => attempt('helm', [...chart, '--set-json', `networkPolicy.from=${ingress}`]);
  try {
    writeFileSync(policy, rules);
    const forgetful = await render();
    holds(
      'the chart refuses a log whose checkpoints a replaced pod loses',
      forgetful.code !== 0 && forgetful.text.includes('audit.publish'),
      forgetful.text,
    );
    writeFileSync(policy, rules.replace('secret:audit-key }', 'secret:audit-key, channel: C0OPS }'));
    const rendered = await render();
    holds('the command of the page renders', rendered.code === 0, rendered.text);
    const secret = join(folder, '.env');
    copyFileSync(join(root, 'deploy/bellhop.env.example'), secret);
    const words = `create secret generic bellhop --from-env-file=${secret} --dry-run=client --output=yaml`;
    const made = await attempt('kubectl', words.split(' ')).catch(() => undefined);
    if (made)
      holds(
        'kubectl makes the Secret of the page',
        made.code === 0 && made.text.includes('SLACK_BOT_TOKEN'),
        made.text,
      );
    else process.stdout.write('not checked: kubectl is not installed\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
