import { expect, it } from 'vitest';
import { z } from 'zod';

import { rulebookFile } from '../../../src/config/rulebook/rulebook-file.ts';
import { mistakesIn } from './mistakes-in.ts';

/** Every key that takes a secret's name, with a secret instead. */
const withSecrets = (secret: string): string => `
accounts: { eu: { base_url: "https://api.example.com", key: ${secret} } }
audit:
  key: [${secret}, ${secret}]
  forward: { url: "https://siem.example.com", token: ${secret} }
hooks: { grafana: { secret: ${secret}, channel: C0OPS, kind: alertmanager } }
agents: { holmes: { token: ${secret}, channel: C0OPS } }
identity: { issuer: "https://login.example.com", client_id: bellhop, client_secret: ${secret}, match: email }
schedules:
  one: { ical: ${secret}, match: email }
  two: { pagerduty: { schedule: P1, token: ${secret} }, match: email }
  three: { jsm: { cloud: a, schedule: b, user: u@example.com, token: ${secret} }, match: { a: U0ALICE } }
secrets: { s3: ${secret} }
`;

/** The keys that are described so, in all the sections of the build. */
const described = (): number =>
  JSON.stringify(z.toJSONSchema(rulebookFile, { io: 'input', unrepresentable: 'any' })).split('`secret:name`')
    .length - 1;

it.each([
  '48151623',
  '0x2DEC0DE',
  '4.8e15',
  'true',
  '"hunter-2"',
  'Hunter_2',
  '{ value: 48151623 }',
  '[48151623]',
])('a secret in place of its name is never repeated: %s', (secret) => {
  const said = mistakesIn(withSecrets(secret));
  const lines = new Set(said.map((line) => line.split(':')[1]));
  expect(lines.size).toBeGreaterThanOrEqual(described());
  expect(said.join('\n')).not.toMatch(
    /48151623|0x2DEC0DE|48155358|4.8e15|4800000000000000|true \(|not true\.|hunter/iu,
  );
});
