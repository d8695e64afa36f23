import { describe, expect, it } from 'vitest';

import { helpOf, helpOverview, usage, usageHint } from '../../../src/command/grammar/help.ts';
import type { ChangeWatch } from '../../../src/model/operation.ts';
import { registry, entry } from '../../run/sample-registry.ts';

describe('help', () => {
  it('says how each operation is typed', () => {
    expect(registry.entries.map(usage).join('\n')).toMatchInlineSnapshot(`
      "/cloud reboot <instance> [--project <number>] [--region <number>] [--reason "…"]
      /cloud stop <instance> [--project <number>] [--region <number>] [--reason "…"]
      /cloud container <name> [--brief] [--project <number>] [--region <number>]
      /cloud ips [--project <number>] [--region <number>]
      /cdn metrics <names…> [--every …] [--by …] [--min-share <number>] [--where …] [--like …] [--total=false]
      /cdn raw-logs"
    `);
    expect(usageHint(entry('cloud.ips'))).toBe('ips [--project <number>] [--region <number>]');
  });

  it('lists the operations of a command with their summaries', () => {
    expect(helpOverview({ registry }, 'cloud', () => true)).toMatchInlineSnapshot(`
      {
        "facts": [
          {
            "label": "/cloud reboot <instance>",
            "value": "Reboot an instance.",
          },
          {
            "label": "/cloud stop <instance>",
            "value": "Stop an instance.",
          },
          {
            "label": "/cloud container <name>",
            "value": "Show a container.",
          },
          {
            "label": "/cloud ips",
            "value": "List floating IPs.",
          },
        ],
        "headline": "You confirm changes with a button, unless a rule says otherwise.",
        "notes": [
          "Add --help to a command for its options and examples.",
          "To see whether a change needs approval: /bellhop can cloud reboot web-1.",
          "In threads, where slash commands do not work, mention Bellhop: @bellhop reboot web-1.",
        ],
        "title": "/cloud",
      }
    `);
  });

  it('says that someone who may change nothing can only look', () => {
    const reads = helpOverview({ registry }, 'cloud', ({ operation }) => operation.risk === 'read');
    expect(reads.headline).toBe('You can look, not change.');
  });

  it('offers no rollout where Bellhop could not see that a target is healthy again', () => {
    const labels = helpOf(entry('cloud.reboot'), true).facts?.map(({ label }) => label);
    expect(labels).toContain('--reason');
    expect(labels).not.toContain('--each');
  });

  it('does not name the break-glass option if no rule lets an approval be skipped', () => {
    const labels = helpOf(entry('cloud.reboot'), false).facts?.map(({ label }) => label);
    expect(labels).toContain('--reason');
    expect(labels).not.toContain('--break-glass');
  });

  it('gives an example of its own area', () => {
    const own = helpOverview({ registry }, 'cdn', () => true);
    expect(own.notes?.[1]).toMatch(/@bellhop cdn metrics /u);
  });

  it('lists only the operations that a person may run', () => {
    const mine = helpOverview({ registry }, undefined, ({ operation }) => operation.risk === 'read');
    expect(mine.title).toBe('What you can do here');
    expect(mine.facts).toMatchObject([
      { label: '/cloud: reads' },
      { label: '/cdn: reads', value: '/cdn metrics <names…>: Read metrics.' },
    ]);
    expect(mine.facts?.[0]?.value).toMatch(/^\/cloud container <name>: Show a container\.\n/u);
    expect(helpOverview({ registry }, undefined, () => false)).toMatchObject({
      headline: "You can't run anything in this channel. Ask the owner of bellhop.yaml.",
      facts: [],
    });
  });

  it('explains one operation in full', () => {
    const reboot = entry('cloud.reboot');
    const watch: ChangeWatch = {
      returns: true,
      progress: () => 'there',
      there: () => 'up',
      words: () => 'up',
    };
    const watched = { ...reboot, operation: { ...reboot.operation, watch } };
    expect(helpOf(watched, true)).toMatchInlineSnapshot(`
      {
        "facts": [
          {
            "label": "Usage",
            "value": "/cloud reboot <instance> [--project <number>] [--region <number>] [--reason "…"]",
          },
          {
            "label": "<instance>",
            "value": "Instance name from bellhop.yaml, or project/region/id.",
          },
          {
            "label": "--project",
            "value": "Another project. Optional.",
          },
          {
            "label": "--region",
            "value": "Another region. Optional.",
          },
          {
            "label": "--reason",
            "value": "Reason, shown on the card and kept in the audit log. Optional.",
          },
          {
            "label": "--break-glass",
            "value": "Skip the approval, if a rule allows it. Say why it can't wait. Optional.",
          },
          {
            "label": "--each",
            "value": "label=value: every target with this label, one at a time. Repeat it to require several labels.",
          },
          {
            "label": "--pause",
            "value": "With --each: how long each target must stay healthy before the next one starts, 0s to 1h. Default: 30s.",
          },
          {
            "label": "Examples",
            "value": "/cloud reboot web-1 --reason "stuck"",
          },
        ],
        "headline": "Reboot an instance.",
        "notes": [
          "Interrupts a service; asks you to confirm first, unless a rule says otherwise.",
        ],
        "title": "/cloud reboot",
      }
    `);
    expect(helpOf(entry('cdn.metrics'), true).facts).toMatchInlineSnapshot(`
      [
        {
          "label": "Usage",
          "value": "/cdn metrics <names…> [--every …] [--by …] [--min-share <number>] [--where …] [--like …] [--total=false]",
        },
        {
          "label": "<names>",
          "value": "Metric names.",
        },
        {
          "label": "--every",
          "value": "Granularity. One of: 1m, 1h, 1d. Optional.",
        },
        {
          "label": "--by",
          "value": "Group by. One of: cname, resource. Optional.",
        },
        {
          "label": "--min-share",
          "value": "Only above this share. Optional.",
        },
        {
          "label": "--where",
          "value": "Only what fits. Optional.",
        },
        {
          "label": "--like",
          "value": "Only sites like this. Optional.",
        },
        {
          "label": "--total",
          "value": "With a total. Default: true.",
        },
        {
          "label": "Examples",
          "value": "/cdn metrics 5xx",
        },
      ]
    `);
  });
});
