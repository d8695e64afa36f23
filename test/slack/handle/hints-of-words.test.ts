import { describe, expect, it } from 'vitest';

import { correctedLines } from '../../../src/text/nearest.ts';
import { hintOf } from './hint-of.ts';

describe('a hint keeps what was typed, as a button', () => {
  it('for a button that was typed as a command, and an option with one dash', async () => {
    expect(
      await hintOf([
        '/bellhop approve r-7df12345ab',
        '/bellhop deny',
        '/bellhop continue',
        '/bellhop settle web-1',
        '/cloud reboot web-1 -reason slow',
        '/cloud reboot web-1 -reason "very slow"',
      ]),
    ).toMatchInlineSnapshot(`
      {
        "/bellhop approve r-7df12345ab": [
          "There is no command “/bellhop approve”. Use the button on the request's card, or under /bellhop requests.",
          "/bellhop requests",
        ],
        "/bellhop continue": [
          "There is no command “/bellhop continue”. Use the button on the request's card, or under /bellhop requests.",
          "/bellhop requests",
        ],
        "/bellhop deny": [
          "There is no command “/bellhop deny”. Use the button on the request's card, or under /bellhop requests.",
          "/bellhop requests",
        ],
        "/bellhop settle web-1": [
          "There is no command “/bellhop settle”. Use the button on the request's card, or under /bellhop requests.",
          "/bellhop requests",
        ],
        "/cloud reboot web-1 -reason "very slow"": [
          "/cloud reboot has no option “-reason”. Did you mean “--reason”?",
          "/cloud reboot web-1 --reason "very slow"",
        ],
        "/cloud reboot web-1 -reason slow": [
          "/cloud reboot has no option “-reason”. Did you mean “--reason”?",
          "/cloud reboot web-1 --reason slow",
        ],
      }
    `);
  });

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
          "Write the whole command after “can”: cloud reboot db-1 --reason why.",
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
          "Write the whole command after “can”: cloud reboot db-1.",
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
