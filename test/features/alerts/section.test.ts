import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../../src/model/section.ts';
import { hooksSection } from '../../../src/features/alerts/group/section.ts';
import { operations } from '../../../src/operations/index.ts';

const parse = (yaml: string, surroundings?: Surroundings) =>
  parseRulebook(Buffer.from(yaml), 'b.yaml', operations, surroundings);

function problems(yaml: string, surroundings?: Surroundings): readonly string[] {
  const result = parse(yaml, surroundings);
  return findingLines(result.ok ? result.warnings() : result.findings);
}

const rules = 'rules: [{ roles: [anyone], then: confirm }]\n';
const inventory = 'project: 1\nregion: 2\ninstances: { web-1: { id: w1 } }\n';
const hook = (body: string): string => `${inventory}hooks:\n  grafana: ${body}\n`;
const alertmanager = 'secret: secret:grafana-hook, channel: C0INC42, kind: alertmanager';
const button = (body: string): string => hook(`{ ${alertmanager}, buttons: [${body}] }`);

describe('hooks of bellhop.yaml', () => {
  it('are read with their buttons', () => {
    const result = parse(`${inventory}hooks:
  grafana:
    secret: secret:grafana-hook
    channel: C0INC42
    kind: alertmanager
    target_label: instance
    buttons:
      - { when: { alertname: InstanceDown, level: [1, 2] }, run: "/cloud reboot {target}" }
      - { run: /cdn metrics 5xx --last 1h, label: Errors }
  phones: { secret: secret:pd, channel: C0INC42, kind: pagerduty }
  own: { secret: secret:own, channel: C0INC42, kind: generic, mapping: { title: [alert.name, msg], status: state, resolved: [1, OK] }, signature: { header: x-signature } }
`);
    expect(result.ok && hooksSection.of(result.rulebook)).toEqual({
      grafana: {
        secret: 'secret:grafana-hook',
        channel: 'C0INC42',
        kind: 'alertmanager',
        reads: [],
        ownForMs: 4 * 3_600_000,
        targetLabel: 'instance',
        buttons: [
          { when: { alertname: ['InstanceDown'], level: ['1', '2'] }, run: '/cloud reboot {target}' },
          { when: {}, run: '/cdn metrics 5xx --last 1h', label: 'Errors' },
        ],
      },
      phones: {
        secret: 'secret:pd',
        channel: 'C0INC42',
        kind: 'pagerduty',
        buttons: [],
        reads: [],
        ownForMs: 4 * 3_600_000,
      },
      own: {
        secret: 'secret:own',
        channel: 'C0INC42',
        kind: 'generic',
        reads: [],
        ownForMs: 4 * 3_600_000,
        buttons: [],
        mapping: { title: ['alert.name', 'msg'], status: ['state'], resolved: ['1', 'OK'] },
        signature: { header: 'x-signature', prefix: '' },
      },
    });
  });

  it.each<[string, string, string]>([
    [
      'a name that cannot be part of a URL',
      `${inventory}hooks:\n  Grafana/1: { ${alertmanager} }\n`,
      'b.yaml:5:3: hooks.Grafana/1: must be at most 64 lower-case letters, digits and -, because it is part of the address: /hooks/<name>.',
    ],
    [
      'two hooks of one name',
      `${inventory}hooks:\n  grafana: { ${alertmanager} }\n  grafana: { ${alertmanager} }\n`,
      'b.yaml:6:3: duplicate key “grafana”.',
    ],
    [
      'an unknown kind',
      hook('{ secret: secret:g, channel: C0INC42, kind: alertmanger }'),
      'b.yaml:5:56: hooks.grafana.kind: must be one of alertmanager, pagerduty, generic. Did you mean “alertmanager”?',
    ],
    [
      'a secret itself instead of its name',
      hook('{ secret: hunter2, channel: C0INC42, kind: alertmanager }'),
      'b.yaml:5:22: hooks.grafana.secret: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
    ],
    [
      'a generic one without a mapping',
      hook('{ secret: secret:g, channel: C0INC42, kind: generic }'),
      'b.yaml:5:12: hooks.grafana.mapping: is missing. A generic hook needs at least the path of the title.',
    ],
    [
      'a mapping of another kind',
      hook(`{ ${alertmanager}, mapping: { title: a } }`),
      'b.yaml:5:90: hooks.grafana.mapping: is only valid with “kind: generic”.',
    ],
    [
      'a signature of a kind that has its own',
      hook(`{ ${alertmanager}, signature: { header: x-signature } }`),
      'b.yaml:5:92: hooks.grafana.signature: is only valid with “kind: generic”.',
    ],
    [
      'a header in capitals',
      hook(
        '{ secret: secret:g, channel: C0INC42, kind: generic, mapping: { title: a }, signature: { header: X-Sig } }',
      ),
      'b.yaml:5:109: hooks.grafana.signature.header: must be a header name in lower case, such as sentry-hook-signature.',
    ],
    [
      'a misspelt operation',
      button('{ run: "/cloud rebot {target}" }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: Unknown command “/cloud rebot”. Did you mean “/cloud reboot”?',
    ],
    [
      'an operation whose extension is off',
      button('{ run: "/cloud show {target}" }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: /cloud show is disabled. To use it, add instance-read to “extensions” in bellhop.yaml.',
    ],
    [
      'an unknown option',
      button('{ run: /cdn metrics 5xx --lsat 1h }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: /cdn metrics has no option “--lsat”. Did you mean “--last”?',
    ],
    [
      'a value that the operation refuses',
      button('{ run: /cdn metrics nonsense-metric }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run:',
    ],
    [
      'a command that is not whole',
      button('{ run: /cloud reboot }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: is not a complete command. A button has no form, so add all required inputs.',
    ],
    [
      'a command entered only in a form',
      button('{ run: /cdn raw-logs }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: is not a complete comma',
    ],
    [
      'a target that the inventory does not have',
      button('{ run: /cloud reboot web-l }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: bellhop.yaml lists no instance “web-l”. Did you mean “web-1”?',
    ],
    [
      'a rollout over nothing',
      button('{ run: /cloud reboot --each teir=web }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: No target has the label “teir”.',
    ],
    [
      'another placeholder',
      button('{ run: "/cloud reboot {instance}" }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: must be a command such as /cloud reboot {target}. {target}, {label.x} and {annotation.x} must',
    ],
    [
      'a label in the place of the operation',
      button('{ run: "/cloud {label.verb} web-1" }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: must be a command such as',
    ],
    [
      'a label in the place of the name of an option',
      button('{ run: "/cloud reboot web-1 --{label.option} x" }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: must be a command such as',
    ],
    [
      'a change among their reads',
      hook('{ secret: secret:g, channel: C0INC42, kind: alertmanager, reads: ["/cloud reboot {target}"] }'),
      'b.yaml:5:78: hooks.grafana.reads[0]: must be a read.',
    ],
    [
      'a placeholder within a word',
      button('{ run: "/cloud reboot x{target}" }'),
      'b.yaml:5:98: hooks.grafana.buttons[0].run: must be a command such as',
    ],
    ['no command', button('{ run: reboot it }'), 'b.yaml:5:98: hooks.grafana.buttons[0].run: must be'],
  ])('with %s are refused', (_, yaml, expected) => {
    const [line = '', ...more] = problems(yaml);
    expect(more).toEqual([]);
    expect(line.slice(0, expected.length)).toBe(expected);
  });

  it('are bounded', () => {
    const many = Array.from({ length: 51 }, (_, at) => `  h${at}: { ${alertmanager} }\n`).join('');
    expect(problems(`${inventory}hooks:\n${many}`)).toEqual(['b.yaml:5:3: hooks: has more than 50 hooks.']);
    const buttons = Array(6).fill('{ run: /cdn metrics }').join(', ');
    expect(problems(button(buttons))).toEqual([expect.stringContaining('must be at most 5')]);
  });

  it('without a value behind their secret are warned of, or refused in production, with the setting', () => {
    const yaml = `${hook(`{ ${alertmanager} }`)}${rules}`;
    const text =
      'hooks.grafana.secret: secret:grafana-hook does not exist, so every alert is rejected. Set BELLHOP_SECRET_GRAFANA_HOOK, or put it into the file grafana-hook in BELLHOP_SECRETS_DIR.';
    const at = 'b.yaml:5:22:';
    const surroundings = { secretNames: ['other'], unusable: 'warning' } as const;
    expect(problems(yaml, surroundings)).toContain(`${at} warning: ${text}`);
    expect(problems(yaml, { ...surroundings, unusable: 'error' })).toEqual([`${at} ${text}`]);
    const named = problems(yaml, { ...surroundings, secretNames: ['grafana-hook'] });
    expect([...named, ...problems(yaml)].join('\n')).not.toContain('grafana-hook');
  });
});
