import { describe, expect, it } from 'vitest';

import { correctedLines } from '../../../src/text/nearest.ts';
import { renderRefusal } from '../../../src/slack/handle/refusal.ts';
import { openStage } from '../../operations/stage.ts';

/** The first sentences of the refusal, and the commands that its buttons run. */
async function hintOf(lines: readonly string[]): Promise<Record<string, readonly string[]>> {
  const stage = await openStage();
  const hints: Record<string, readonly string[]> = {};
  for (const typed of lines) {
    const error: unknown = await stage.ask(typed).catch((refusal: unknown) => refusal);
    const { text, blocks } = renderRefusal(error, { disclaimers: [], typed });
    const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
    const runs = buttons.map((button) => {
      if (button.type !== 'button') throw new Error(`${button.type} instead of a button`);
      expect(`Run ${button.value}`.startsWith(button.text.text.replace(/…$/u, ''))).toBe(true);
      return String(button.value);
    });
    hints[typed] = [text, ...runs];
  }
  return hints;
}

describe('a hint keeps what was typed, as a button', () => {
  it('for a misspelt word of a command', async () => {
    expect(
      await hintOf([
        '/cloud rebot web-1 --reason "rebot it, it hangs"',
        '/cloud reboot wbe-1 --reason "wbe-1 hangs"',
        '/cloud reboot web-1 --resaon "it hangs"',
        '/cloud reboot --each teir=web --pause 2m',
        '/cloud reboot --each tier=wbe --pause 2m',
        '/storage post reaching_used_spaec --bucket b --storage s3.example.com --bytes 10GB',
        '/bellhop can reboot db-1',
        '/bellhop can db-1',
        '/bellhop can @U0BOB db-1',
        '/bellhop can @U0BOB "reboot db-1 --reason why"',
        '/cloud container apii --region 76',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop can @U0BOB "reboot db-1 --reason why"": [
          "The area is missing. After “can”, write: cloud reboot db-1 --reason why.",
          "/bellhop can @U0BOB "cloud reboot db-1 --reason why"",
        ],
        "/bellhop can @U0BOB db-1": [
          "Write a command after “can”, such as: cloud reboot db-1.",
          "/bellhop can @U0BOB cloud reboot db-1",
          "/bellhop can @U0BOB cloud stop db-1",
          "/bellhop can @U0BOB cloud start db-1",
        ],
        "/bellhop can db-1": [
          "Write a command after “can”, such as: cloud reboot db-1.",
          "/bellhop can cloud reboot db-1",
          "/bellhop can cloud stop db-1",
          "/bellhop can cloud start db-1",
        ],
        "/bellhop can reboot db-1": [
          "The area is missing. After “can”, write: cloud reboot db-1.",
          "/bellhop can cloud reboot db-1",
        ],
        "/cloud container apii --region 76": [
          "The service has no container “apii”. Did you mean “api”?",
          "/cloud container api --region 76",
        ],
        "/cloud reboot --each teir=web --pause 2m": [
          "No target has the label “teir”. Did you mean “tier”?",
          "/cloud reboot --each tier=web --pause 2m",
        ],
        "/cloud reboot --each tier=wbe --pause 2m": [
          "No target has “tier=wbe”. Did you mean “tier=web”?",
          "/cloud reboot --each tier=web --pause 2m",
        ],
        "/cloud reboot wbe-1 --reason "wbe-1 hangs"": [
          "bellhop.yaml lists no instance “wbe-1”. Did you mean “web-1”?",
          "/cloud reboot web-1 --reason "wbe-1 hangs"",
        ],
        "/cloud reboot web-1 --resaon "it hangs"": [
          "/cloud reboot has no option “--resaon”. Did you mean “--reason”?",
          "/cloud reboot web-1 --reason "it hangs"",
        ],
        "/cloud rebot web-1 --reason "rebot it, it hangs"": [
          "Unknown command “/cloud rebot”. Did you mean “/cloud reboot”?",
          "/cloud reboot web-1 --reason "rebot it, it hangs"",
        ],
        "/storage post reaching_used_spaec --bucket b --storage s3.example.com --bytes 10GB": [
          "&lt;kind&gt; must be one of reaching_files_quantity, reaching_used_requests, reaching_used_space, reaching_used_traffic. Did you mean “reaching_used_space”?",
          "/storage post reaching_used_space --bucket b --storage s3.example.com --bytes 10GB",
        ],
      }
    `);
  });

  it('for a value in the wrong place or form', async () => {
    expect(
      await hintOf([
        '/bellhop audit --last 5 minutes',
        '/bellhop audit --last "3 hours"',
        '/bellhop audit --last 2days --reads',
        '/cloud reboot --each tier=web --pause 2 minutes',
        '/bellhop audit db-1',
        '/bellhop audit @U0ALICE',
        '/bellhop audit 4h',
        '/bellhop timeline 2h',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop audit --last "3 hours"": [
          "--last must be a duration such as 15m, 2h or 7d, at most 3660d. Did you mean “3h”?",
          "/bellhop audit --last "3h"",
        ],
        "/bellhop audit --last 2days --reads": [
          "--last must be a duration such as 15m, 2h or 7d, at most 3660d. Did you mean “2d”?",
          "/bellhop audit --last 2d --reads",
        ],
        "/bellhop audit --last 5 minutes": [
          "--last takes a duration without a space. Did you mean “5m”?",
          "/bellhop audit --last 5m",
        ],
        "/bellhop audit 4h": [
          "Unexpected argument “4h”. Did you mean “--last 4h”?",
          "/bellhop audit --last 4h",
        ],
        "/bellhop audit @U0ALICE": [
          "Unexpected argument “@U0ALICE”. Did you mean “--actor @U0ALICE”?",
          "/bellhop audit --actor @U0ALICE",
        ],
        "/bellhop audit db-1": [
          "Unexpected argument “db-1”. Did you mean “--target db-1”?",
          "/bellhop audit --target db-1",
        ],
        "/bellhop timeline 2h": [
          "Unexpected argument “2h”. Did you mean “--last 2h”?",
          "/bellhop timeline --last 2h",
        ],
        "/cloud reboot --each tier=web --pause 2 minutes": [
          "--pause takes a duration without a space. Did you mean “2m”?",
          "/cloud reboot --each tier=web --pause 2m",
        ],
      }
    `);
  });

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
          "bellhop.yaml lists no instance “api”. api is a container.",
        ],
      }
    `);
    const stage = await openStage({ extensions: [] });
    expect(await stage.refusal('/cloud container web-1')).toMatchInlineSnapshot(
      `"web-1 is an instance, not a container. No command shows instances here."`,
    );
  });

  it('for names of metrics and zones, also for several at once', async () => {
    expect(
      await hintOf([
        '/cdn metrics reqeusts bandwith --last 2h',
        '/cdn metrics 6xx',
        '/cdn metrics 5xx 2h',
        '/cdn metrics yesterday',
        '/cdn metrics 5xx --from "09:30 Europe/Berln"',
        '/cdn metrics 5xx --where "cnam eq a.example"',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/cdn metrics 5xx --from "09:30 Europe/Berln"": [
          "“Europe/Berln” is not a time zone. Did you mean “Europe/Berlin”?",
          "/cdn metrics 5xx --from "09:30 Europe/Berlin"",
        ],
        "/cdn metrics 5xx --where "cnam eq a.example"": [
          "Unknown filter field “cnam”. Did you mean “cname”?",
          "/cdn metrics 5xx --where "cname eq a.example"",
        ],
        "/cdn metrics 5xx 2h": [
          "2h is not a metric. Did you mean “--last 2h”?",
          "/cdn metrics 5xx --last 2h",
        ],
        "/cdn metrics 6xx": [
          "6xx is not a metric. Did you mean “4xx” or “5xx”?",
          "/cdn metrics 4xx",
          "/cdn metrics 5xx",
        ],
        "/cdn metrics reqeusts bandwith --last 2h": [
          "reqeusts is not a metric. Did you mean “requests”? bandwith is not a metric. Did you mean “bandwidth”?",
          "/cdn metrics requests bandwidth --last 2h",
        ],
        "/cdn metrics yesterday": [
          "yesterday is not a metric. Did you mean “--from yesterday”?",
          "/cdn metrics --from yesterday",
        ],
      }
    `);
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
          "bellhop.yaml lists no instance “tier=nothing”. Use a name from bellhop.yaml, or project/region/id.",
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

  it('for words after an option that only quotes can hold together', async () => {
    expect(
      await hintOf([
        '/cloud reboot web-1 --reason site is down',
        '/cloud reboot --reason site is down web-1',
        '/cloud reboot --reason=site is  down --hard web-1',
        '/cloud reboot web-1 —reason site is down',
        '/cloud reboot web-1 --break-glass site down --reason disk errors',
        '/cloud reboot web-1 --reason “site is down',
        '/cloud reboot web-1 —reason “site is down',
        '/cloud reboot --reason "site is down web-1',
        '/cloud reboot “web-1',
        '/cloud reboot --reason site is down',
        '/cloud reboot wbe-1 --reason site is down',
        '/cloud reboot web-1 web-2 web-3 --reason site is down',
        '/bellhop hold db-1 --reason failover drill',
        '/bellhop hold db-1 --reason ‘failover drill',
        '/cdn metrics 5xx --where cname eq a.example',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop hold db-1 --reason failover drill": [
          "Put quotes around the reason: --reason "failover drill"",
          "/bellhop hold db-1 --reason "failover drill"",
        ],
        "/bellhop hold db-1 --reason ‘failover drill": [
          "The quote at ‘failover drill is never closed. Add the closing quote after the last word.",
          "/bellhop hold db-1 --reason "failover drill"",
        ],
        "/cdn metrics 5xx --where cname eq a.example": [
          "Put quotes around the words after --where: --where "cname eq a.example"",
          "/cdn metrics 5xx --where "cname eq a.example"",
        ],
        "/cloud reboot --reason "site is down web-1": [
          "The quote at "site is down web-1 is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot --reason site is down": [
          "Put quotes around the reason: --reason "site is down"",
          "/cloud reboot --reason "site is down"",
        ],
        "/cloud reboot --reason site is down web-1": [
          "Put quotes around the reason: --reason "site is down"",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot --reason=site is  down --hard web-1": [
          "Put quotes around the reason: --reason "site is down"",
          "/cloud reboot web-1 --hard --reason "site is down"",
        ],
        "/cloud reboot wbe-1 --reason site is down": [
          "Put quotes around the reason: --reason "site is down". bellhop.yaml lists no instance “wbe-1”. Did you mean “web-1”?",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot web-1 --break-glass site down --reason disk errors": [
          "Put quotes around the reason: --break-glass "site down" --reason "disk errors"",
          "/cloud reboot web-1 --reason "disk errors" --break-glass "site down"",
        ],
        "/cloud reboot web-1 --reason site is down": [
          "Put quotes around the reason: --reason "site is down"",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot web-1 --reason “site is down": [
          "The quote at “site is down is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot web-1 web-2 web-3 --reason site is down": [
          "Put quotes around the reason: --reason "site is down". Name one instance at a time. To reboot web-1, web-2 and web-3 one after another, use --each tier=web.",
          "/cloud reboot --each tier=web --reason "site is down"",
        ],
        "/cloud reboot web-1 —reason site is down": [
          "Put quotes around the reason: --reason "site is down"",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot web-1 —reason “site is down": [
          "The quote at “site is down is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot “web-1": [
          "The quote at “web-1 is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1",
        ],
      }
    `);
  });

  it('and no quotes where they could have different places', async () => {
    expect(
      await hintOf([
        '/cloud reboot web-1 --reason “site is down --hard',
        '/cloud reboot --reason site down',
        '/bellhop audit --target db-1 web-1',
        '/bellhop hold db-1 --reason failover web-1',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop audit --target db-1 web-1": [
          "Unexpected argument “web-1”. Usage: /bellhop audit [--target …] [--actor …] [--request …] [--last …] [--reads].",
        ],
        "/bellhop hold db-1 --reason failover web-1": [
          "Put quotes around the reason: --reason "failover web-1"",
          "/bellhop hold db-1 --reason "failover web-1"",
        ],
        "/cloud reboot --reason site down": [
          "bellhop.yaml lists no instance “down”. Use a name from bellhop.yaml, or project/region/id.",
        ],
        "/cloud reboot web-1 --reason “site is down --hard": [
          "The quote at “site is down --hard is never closed. Add the closing quote after the last word.",
        ],
      }
    `);
  });

  it('for words in the wrong order or after the wrong command', async () => {
    expect(
      await hintOf([
        '/cloud web-1 reboot',
        '/cloud web-1',
        '/cloud cloud reboot web-1',
        '/bellhop /cloud reboot web-1 --reason "web-1 hangs"',
        '/bellhop reboot web-1 --hard',
        '/cloud purge 1001 /a.css',
        '/bellhop unhold db-1',
        '/bellhop can cloud reboot web-1 --hard',
        '/bellhop can @U0BOB cloud reboot web-1 --reason disk errors',
        '/bellhop can i reboot web-1',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop /cloud reboot web-1 --reason "web-1 hangs"": [
          "Unknown command “/bellhop /cloud”. Did you mean “/cloud”?",
          "/cloud reboot web-1 --reason "web-1 hangs"",
        ],
        "/bellhop can @U0BOB cloud reboot web-1 --reason disk errors": [
          "Put quotes around the command: "cloud reboot web-1 --reason disk errors"",
          "/bellhop can @U0BOB "cloud reboot web-1 --reason disk errors"",
        ],
        "/bellhop can cloud reboot web-1 --hard": [
          "Put quotes around the command: "cloud reboot web-1 --hard"",
          "/bellhop can "cloud reboot web-1 --hard"",
        ],
        "/bellhop can i reboot web-1": [
          "Write a command after “can”, such as: cloud reboot web-1.",
        ],
        "/bellhop reboot web-1 --hard": [
          "Unknown command “/bellhop reboot”. Did you mean “/cloud reboot”?",
          "/cloud reboot web-1 --hard",
        ],
        "/bellhop unhold db-1": [
          "Unknown command “/bellhop unhold”. Did you mean “/bellhop release”?",
          "/bellhop release db-1",
        ],
        "/cloud cloud reboot web-1": [
          "Unknown command “/cloud cloud”. Did you mean “/cloud”?",
          "/cloud reboot web-1",
        ],
        "/cloud purge 1001 /a.css": [
          "Unknown command “/cloud purge”. Did you mean “/cdn purge”?",
          "/cdn purge 1001 /a.css",
        ],
        "/cloud web-1": [
          "Unknown command “/cloud web-1”. Did you mean “/cloud reboot web-1”, “/cloud stop web-1” or “/cloud start web-1”?",
          "/cloud reboot web-1",
          "/cloud stop web-1",
          "/cloud start web-1",
        ],
        "/cloud web-1 reboot": [
          "Unknown command “/cloud web-1”. Did you mean “/cloud reboot web-1”?",
          "/cloud reboot web-1",
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
        '/bellhop audit last 2h',
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
        "/bellhop audit last 2h": [
          "Unexpected argument “last”. Did you mean “--last”?",
          "/bellhop audit --last 2h",
        ],
        "/bellhop hold db-1 --for 90 --reason x": [
          "--for must be a duration such as 15m, 2h or 7d, at most 3660d. Did you mean “90m”?",
          "/bellhop hold db-1 --for 90m --reason x",
        ],
        "/cloud reboot --each tier=web --pause 2": [
          "--pause takes a time from 0s to 1h, such as 30s or 2m, not “2”. Did you mean “2m”?",
          "/cloud reboot --each tier=web --pause 2m",
        ],
        "/cloud reboot --each tier=web --pause 5min": [
          "--pause takes a time from 0s to 1h, such as 30s or 2m, not “5min”. Did you mean “5m”?",
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

  it('and an unknown option names all options of the help', async () => {
    const stage = await openStage();
    const { facts } = await stage.report('/cloud help reboot');
    const options = facts.flatMap(({ label }) => (label.startsWith('--') ? [label] : []));
    expect(options).toContain('--each');
    expect(await stage.refusal('/cloud reboot web-1 --force')).toContain(` Options: ${options.join(', ')}.`);
  });

  it('and runs nothing that was not typed', async () => {
    expect(
      await hintOf([
        '/cloud reboot web-1 stuck since noon',
        '/cloud frobnicate web-1',
        '/bellhop audit "two words"',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop audit "two words"": [
          "Unexpected argument “two words”. Usage: /bellhop audit [--target …] [--actor …] [--request …] [--last …] [--reads].",
        ],
        "/cloud frobnicate web-1": [
          "Unknown command “/cloud frobnicate”. Available: reboot, stop, start, suspend, resume, list, show, container, ips, whois.",
        ],
        "/cloud reboot web-1 stuck since noon": [
          "Unexpected argument “stuck”. Name one instance, or several with --each label=value. Put a reason after --reason. Usage: /cloud reboot &lt;instance&gt; [--project &lt;number&gt;] [--region &lt;number&gt;] [--hard] [--reason "…"].",
        ],
      }
    `);
  });
});

const corrected = (line: string, typed: string) => correctedLines(line, { typed, words: ['NEW'] });

it('a correction replaces a whole word outside of the reason, and nothing else', () => {
  expect(corrected('/cloud reboot a-1 --reason a', 'a')).toEqual([]);
  expect(corrected('/cloud reboot --reason “a” a', 'a')).toEqual(['/cloud reboot --reason “a” NEW']);
  expect(corrected('/cloud reboot --break-glass=a.b "a.b"', 'a.b')).toEqual([
    '/cloud reboot --break-glass=a.b "NEW"',
  ]);
  expect(corrected('/cdn metrics a,a', 'a')).toEqual(['/cdn metrics NEW,a']);
  expect(corrected('/cloud reboot', '')).toEqual([]);
  expect(corrected('/cloud reboot $&', '$&')).toEqual(['/cloud reboot NEW']);
});
