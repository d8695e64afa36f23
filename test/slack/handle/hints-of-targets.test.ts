import { describe, expect, it } from 'vitest';

import { openStage } from '../../operations/stage.ts';
import { hintOf } from './hint-of.ts';

describe('a hint keeps what was typed, as a button', () => {
  it('for an instance where a container is named, once the service does not have that container', async () => {
    expect(
      await hintOf(['/cloud container web-1', '/cloud container --region 76 web-1', '/cloud reboot api']),
    ).toMatchInlineSnapshot(`
      {
        "/cloud container --region 76 web-1": [
          "web-1 is an instance, not a container. To see it, use /cloud show web-1.",
        ],
        "/cloud container web-1": [
          "web-1 is an instance, not a container. To see it, use /cloud show web-1.",
          "/cloud show web-1",
        ],
        "/cloud reboot api": [
          "api is a container, not an instance. To see it, use /cloud container api.",
        ],
      }
    `);
    const stage = await openStage({ extensions: [] });
    expect(await stage.refusal('/cloud container web-1')).toMatchInlineSnapshot(
      `"web-1 is an instance, not a container. No command shows instances here."`,
    );
  });

  it('for several targets: one of them to read, and a label that all of them have to change', async () => {
    expect(
      await hintOf([
        '/cloud reboot web-1 web-2',
        '/cloud reboot web-3 web-1 --reason "web-3 web-1 hang"',
        '/cloud reboot web-1 db-1',
        '/cloud reboot web-1,web-2',
        '/cloud reboot web-1, web-2, web-3 --reason "web-1, web-2 hang"',
        '/cloud show web-1 db-1',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/cloud reboot web-1 db-1": [
          "Name one instance at a time. web-1 and db-1 share no label for --each.",
          "/cloud reboot web-1",
          "/cloud reboot db-1",
        ],
        "/cloud reboot web-1 web-2": [
          "Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot web-1",
          "/cloud reboot web-2",
        ],
        "/cloud reboot web-1, web-2, web-3 --reason "web-1, web-2 hang"": [
          "Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot --each tier=web --reason "web-1, web-2 hang"",
        ],
        "/cloud reboot web-1,web-2": [
          "Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot web-1",
          "/cloud reboot web-2",
        ],
        "/cloud reboot web-3 web-1 --reason "web-3 web-1 hang"": [
          "Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot web-3 --reason "web-3 web-1 hang"",
          "/cloud reboot web-1 --reason "web-3 web-1 hang"",
        ],
        "/cloud show web-1 db-1": [
          "Name one instance at a time. Did you mean “web-1” or “db-1”?",
          "/cloud show web-1",
          "/cloud show db-1",
        ],
      }
    `);
  });

  it('for labels in place of a target', async () => {
    expect(
      await hintOf([
        '/cloud reboot tier=web',
        '/cloud reboot tier=web --pause 2m --reason "tier=web hangs"',
        '/cloud reboot env=staging tier=web --hard',
        '/cloud reboot teir=web',
        '/cloud reboot tier=db',
        '/cloud reboot web-1 tier=web',
        '/cloud reboot tier=nothing',
        '/cloud show tier=web',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/cloud reboot env=staging tier=web --hard": [
          "To reboot web-1, web-2 and web-3 one after another, use --each env=staging --each tier=web.",
          "/cloud reboot --each env=staging --each tier=web --hard",
        ],
        "/cloud reboot teir=web": [
          "To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot --each tier=web",
        ],
        "/cloud reboot tier=db": [
          "Only db-1 has tier=db. Did you mean “db-1”?",
          "/cloud reboot db-1",
        ],
        "/cloud reboot tier=nothing": [
          "No target has “tier=nothing”. The values are: tier=web, tier=db.",
        ],
        "/cloud reboot tier=web": [
          "To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot --each tier=web",
        ],
        "/cloud reboot tier=web --pause 2m --reason "tier=web hangs"": [
          "To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot --each tier=web --pause 2m --reason "tier=web hangs"",
        ],
        "/cloud reboot web-1 tier=web": [
          "Unexpected argument “tier=web”. Name one instance, or several with --each label=value. Put a reason after --reason. Usage: /cloud reboot &lt;instance&gt; [--project &lt;number&gt;] [--region &lt;number&gt;] [--hard] [--reason "…"].",
        ],
        "/cloud show tier=web": [
          "Name one instance at a time. Did you mean “web-1”, “web-2” or “web-3”?",
          "/cloud show web-1",
          "/cloud show web-2",
          "/cloud show web-3",
        ],
      }
    `);
  });

  it('for a target in other words, and an option without its dashes, unit or full name', async () => {
    expect(
      await hintOf([
        '/cloud reboot web-1.example.com --reason "web-1.example.com hangs"',
        '/cloud reboot https://grafana.example.com/d/host?var-host=web-1&from=now',
        '/cloud reboot web-1:9100 --hard',
        '/cloud reboot @web-1.',
        '/cloud reboot the web-1',
        '/cloud reboot web 1',
        '/cloud reboot web-1 and web-2',
        '/cloud reboot tier:web',
        '/cloud reboot web-1 hard',
        '/cloud reboot web-1 reason: stuck',
        '/cloud reboot web-1 help',
        '/cloud reboot web-1 -r stuck',
        '/bellhop alerts mine',
        '/bellhop audit --last 24',
        '/bellhop hold db-1 --for 90 --reason x',
        '/cloud reboot --each tier=web --pause 5min',
        '/cloud reboot --each tier=web --pause 2',
        '/storage post reaching_used_space --bucket a --storage b --bytes 10 GB',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop alerts mine": [
          "Unexpected argument “mine”. Did you mean “--mine”?",
          "/bellhop alerts --mine",
        ],
        "/bellhop audit --last 24": [
          "--last must be a duration such as 15m, 2h or 7d, at most 3660d. Did you mean “24m” or “24h”?",
          "/bellhop audit --last 24m",
          "/bellhop audit --last 24h",
        ],
        "/bellhop hold db-1 --for 90 --reason x": [
          "--for must be a duration such as 15m, 2h or 7d, at most 3660d. Did you mean “90m”?",
          "/bellhop hold db-1 --for 90m --reason x",
        ],
        "/cloud reboot --each tier=web --pause 2": [
          "--pause must be a duration from 0s to 1h, such as 30s or 2m, not “2”. Did you mean “2m”?",
          "/cloud reboot --each tier=web --pause 2m",
        ],
        "/cloud reboot --each tier=web --pause 5min": [
          "--pause must be a duration from 0s to 1h, such as 30s or 2m, not “5min”. Did you mean “5m”?",
          "/cloud reboot --each tier=web --pause 5m",
        ],
        "/cloud reboot @web-1.": [
          "bellhop.yaml lists no instance “@web-1.”. Did you mean “web-1”?",
          "/cloud reboot web-1",
        ],
        "/cloud reboot https://grafana.example.com/d/host?var-host=web-1&from=now": [
          "bellhop.yaml lists no instance “https://grafana.example.com/d/host?var-h…”. Did you mean “web-1”?",
          "/cloud reboot web-1",
        ],
        "/cloud reboot the web-1": [
          "No instance is named “the web-1”. Did you mean “web-1”?",
          "/cloud reboot web-1",
        ],
        "/cloud reboot tier:web": [
          "To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot --each tier=web",
        ],
        "/cloud reboot web 1": [
          "No instance is named “web 1”. Did you mean “web-1”?",
          "/cloud reboot web-1",
        ],
        "/cloud reboot web-1 -r stuck": [
          "/cloud reboot has no option “-r”. Did you mean “--reason” or “--region”?",
          "/cloud reboot web-1 --reason stuck",
          "/cloud reboot web-1 --region stuck",
        ],
        "/cloud reboot web-1 and web-2": [
          "Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot web-1",
          "/cloud reboot web-2",
        ],
        "/cloud reboot web-1 hard": [
          "Unexpected argument “hard”. Did you mean “--hard”?",
          "/cloud reboot web-1 --hard",
        ],
        "/cloud reboot web-1 help": [
          "Unexpected argument “help”. Did you mean “--help”?",
          "/cloud reboot web-1 --help",
        ],
        "/cloud reboot web-1 reason: stuck": [
          "Unexpected argument “reason:”. Did you mean “--reason”?",
          "/cloud reboot web-1 --reason stuck",
        ],
        "/cloud reboot web-1.example.com --reason "web-1.example.com hangs"": [
          "bellhop.yaml lists no instance “web-1.example.com”. Did you mean “web-1”?",
          "/cloud reboot web-1 --reason "web-1.example.com hangs"",
        ],
        "/cloud reboot web-1:9100 --hard": [
          "bellhop.yaml lists no instance “web-1:9100”. Did you mean “web-1”?",
          "/cloud reboot web-1 --hard",
        ],
        "/storage post reaching_used_space --bucket a --storage b --bytes 10 GB": [
          "Put quotes around the words after --bytes: --bytes "10 GB"",
          "/storage post reaching_used_space --bucket a --storage b --bytes "10 GB"",
        ],
      }
    `);
  });
});
