import { describe, expect, it } from 'vitest';

import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../../../src/config/yaml/findings.ts';
import type { Surroundings } from '../../../src/model/section.ts';
import { operations } from '../../../src/operations/index.ts';
import { identitySection } from '../../../src/features/step-up/section.ts';
import { http, problems, production, service } from '../../config/loading.ts';
import { signIn } from '../../../src/features/step-up/gate.ts';

const people = 'people: { Carol@Example.com: U0CAROL }\n';
const rule = (more: string): string =>
  `roles: { ops: { users: [U1, U2] }, leads: { users: [U0CAROL, U3] } }\nrules:\n  - { risk: change, roles: [ops], ${more} }\n`;
const identity = (more = ''): string =>
  `identity: { issuer: "https://login.example.com", client_id: bellhop, client_secret: secret:oidc${more} }\n`;
const approved = rule('then: approve, approvers: [leads], step_up: true');

const parse = (yaml: string, surroundings?: Surroundings) =>
  parseRulebook(Buffer.from(yaml), 'bellhop.yaml', operations, surroundings);
function mistakes(yaml: string, surroundings?: Surroundings): readonly string[] {
  const result = parse(yaml, surroundings);
  return result.ok ? [] : findingLines(result.findings);
}
function loginWarnings(yaml: string): readonly string[] {
  const result = parse(yaml);
  return result.ok ? findingLines(result.warnings()).filter((one) => one.includes('step_up')) : ['refused'];
}
function read(yaml: string) {
  const result = parse(yaml);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result.rulebook;
}

describe('a rule with step_up', () => {
  it.each(['approve, approvers: [leads]', 'confirm'])('is allowed with “then: %s”', (then) => {
    const { policy } = read(people + identity() + rule(`then: ${then}, step_up: true`));
    expect(policy.rules.map(({ demands }) => demands)).toEqual([[signIn]]);
  });

  it.each<[string, string, string]>([
    [
      'no identity',
      approved,
      'bellhop.yaml:3:70: rules[0].step_up: needs “identity”, where people sign in: identity: { issuer: https://login.example.com, client_id: bellhop, client_secret: secret:oidc }.',
    ],
    ...['allow, confirm: never', 'deny'].map((then): [string, string, string] => [
      `“then: ${then}”`,
      people + identity() + rule(`then: ${then}, step_up: true`),
      `bellhop.yaml:5:${then === 'deny' ? 47 : 64}: rules[0].step_up: is only valid with “then: confirm” or “then: approve”.`,
    ]),
    [
      'a word for a boolean',
      people + identity() + rule('then: confirm, step_up: yes please'),
      'bellhop.yaml:5:59: rules[0].step_up: must be true or false, not text.',
    ],
    [
      'a misspelt identity, which is said once',
      people + identity().replace('identity', 'identiti') + approved,
      'bellhop.yaml:2:1: identiti: is not a valid key here. Did you mean “identity”?',
    ],
  ])('is refused with %s', (_, yaml, line) => {
    expect(mistakes(yaml)).toEqual([line]);
  });

  it('is refused if no browser finds Bellhop', () => {
    const yaml = people + identity() + approved;
    expect(mistakes(yaml, { isReachable: false })).toEqual([
      'bellhop.yaml:5:70: rules[0].step_up: needs PUBLIC_URL, the address at which browsers reach Bellhop, such as https://bellhop.example.com.',
    ]);
    expect(mistakes(yaml, { isReachable: true })).toEqual([]);
  });
});

describe('identity', () => {
  it('takes e-mail addresses in any capitals, and other claims letter for letter', () => {
    expect(identitySection.of(read(people + identity()))?.people).toEqual({ 'carol@example.com': 'U0CAROL' });
    const bySubject = read(`people: { aB1: U1 }\n${identity(', claim: sub, acr_values: phr  phrh')}`);
    expect(identitySection.of(bySubject)).toMatchObject({
      people: { aB1: 'U1' },
      acrValues: ['phr', 'phrh'],
    });
  });

  it.each([
    ['http://login.example.com', true],
    ['login.example.com', true],
    ['https://user:pw@login.example.com', true],
    ['https://login.example.com?tenant=1', true],
    ['http://127.0.0.1:9000/oidc', false],
    ['http://localhost:9000', false],
    ['https://login.example.com/realms/ops', false],
  ])('with the issuer %s: refused is %s', (issuer, refused) => {
    const found = mistakes(people + identity().replace('https://login.example.com', issuer));
    const line =
      'bellhop.yaml:2:21: identity.issuer: must be an https:// address, such as https://login.example.com, without a user, “?” or “#”; http:// only for this machine.';
    expect(found).toEqual(refused ? [line] : []);
  });

  it.each<[string, string, string]>([
    [
      'a secret by its value',
      people + identity().replace('secret:oidc', 'hunter2hunter2'),
      'bellhop.yaml:2:85: identity.client_secret: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
    ],
    [
      'no one that Slack knows',
      identity(),
      'bellhop.yaml:1:1: identity: lists no one known in Slack. List people: { alice@example.com: U0ALICE }, or set “match: email”.',
    ],
    [
      'a look-up by e-mail address of something else',
      people + identity(', claim: sub, match: email'),
      'bellhop.yaml:2:117: identity.match: needs “claim: email”, because Slack looks people up by e-mail address.',
    ],
  ])('is refused with %s', (_, yaml, line) => {
    expect(mistakes(yaml)).toEqual([line]);
  });

  it('warns of approvers whom nothing maps to a login, but not where Slack is asked', () => {
    const line =
      "bellhop.yaml:5:70: warning: rules[0].step_up: U3 can't sign in, because “people” does not list them. Add them there.";
    expect(loginWarnings(people + identity() + approved)).toEqual([line]);
    expect(loginWarnings(people + identity(', match: email') + approved)).toEqual([]);
    expect(loginWarnings(people + identity() + rule('then: confirm, step_up: true'))).toEqual([
      line.replace('5:70', '5:50').replace('U3', 'U1 and U2'),
    ]);
  });

  it('warns of a secret that has no value', () => {
    const result = parse(people + identity() + approved, { secretNames: [] });
    expect(result.ok && findingLines(result.warnings())).toContain(
      'bellhop.yaml:2:85: warning: identity.client_secret: secret:oidc does not exist, so no one can sign in. Set BELLHOP_SECRET_OIDC, or put it into the file oidc in BELLHOP_SECRETS_DIR.',
    );
  });

  it('takes the issuer of the playground only there', () => {
    const yaml = people + identity().replace('https://login.example.com', 'local') + approved;
    expect(mistakes(yaml)).toEqual([]);
    expect(mistakes(yaml, { unusable: 'error' })).toEqual([
      "bellhop.yaml:2:21: identity.issuer: “local” is the playground's issuer, which is not running here. Use your own issuer's https:// address.",
    ]);
  });
});

describe('PUBLIC_URL', () => {
  it.each([
    [
      'http://bellhop.example.com',
      'starts with http://, so others could read and change what people approve. Use https://.',
    ],
    [
      'bellhop.example.com',
      'is not an address. Use one that starts with https://, such as https://bellhop.example.com.',
    ],
    [
      'https://bellhop.example.com/?a=1',
      'has a “?” or “#” part. Set only the address, such as https://bellhop.example.com.',
    ],
  ])('is not %s', async (PUBLIC_URL, text) => {
    for (const mode of [{}, production])
      expect(await problems({ ...service, ...http, ...mode, PUBLIC_URL })).toBe(`PUBLIC_URL ${text}`);
  });

  it.each(['https://bellhop.example.com', 'http://127.0.0.1:3000', 'http://localhost:3000/ops/'])(
    'is %s',
    async (PUBLIC_URL) => {
      expect(await problems({ ...service, ...http, ...production, PUBLIC_URL })).toBe('no problem');
    },
  );
});
