import { describe, expect, it } from 'vitest';

import { openStage } from '../../operations/stage.ts';
import { hintOf } from './hint-of.ts';

describe('a hint keeps what was typed, as a button', () => {
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
        '/cloud reboot --reason site down',
        '/cloud reboot --reason hung zeus',
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
          "The quote before “failover drill” is never closed. Add the closing quote after the last word.",
          "/bellhop hold db-1 --reason "failover drill"",
        ],
        "/cdn metrics 5xx --where cname eq a.example": [
          "Put quotes around the words after --where: --where "cname eq a.example"",
          "/cdn metrics 5xx --where "cname eq a.example"",
        ],
        "/cloud reboot --reason "site is down web-1": [
          "The quote before “site is down web-1” is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot --reason hung zeus": [
          "bellhop.yaml lists no instance “zeus”. Use a name from bellhop.yaml, or project/region/id. Put quotes around the reason: --reason "hung zeus"",
          "/cloud reboot --reason "hung zeus"",
        ],
        "/cloud reboot --reason site down": [
          "bellhop.yaml lists no instance “down”. Use a name from bellhop.yaml, or project/region/id. Put quotes around the reason: --reason "site down"",
          "/cloud reboot --reason "site down"",
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
          "The quote before “site is down” is never closed. Add the closing quote after the last word.",
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
          "The quote before “site is down” is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1 --reason "site is down"",
        ],
        "/cloud reboot “web-1": [
          "The quote before “web-1” is never closed. Add the closing quote after the last word.",
          "/cloud reboot web-1",
        ],
      }
    `);
  });

  it('and no quotes where they could have different places', async () => {
    expect(
      await hintOf([
        '/cloud reboot web-1 --reason “site is down --hard',
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
        "/cloud reboot web-1 --reason “site is down --hard": [
          "The quote before “site is down --hard” is never closed. Add the closing quote after the last word.",
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
});
