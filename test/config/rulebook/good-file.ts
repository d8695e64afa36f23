import { parseRulebook, type RulebookResult } from '../../../src/config/rulebook/read-rulebook.ts';
import { knownOperations } from '../known-operations.ts';

export const parse = (yaml: string): RulebookResult =>
  parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);

/** A file with a bit of everything. */
export const goodFile = `
project: 1186668
region: 76
regions: { 76: Luxembourg-2 }
instances:
  web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476, labels: &staging { env: staging, tier: web } }
  web-2: { id: 2f1b7c1e, region: 180, labels: *staging }
  7: { id: seven }
  <!channel>: { id: hostile }
containers:
  api: { project: 5, labels: { env: production } }
roles:
  responders: { users: [U0ALICE, T0OTHER/U0SARA, W0GRID], usergroups: [S0ONCALL] }
  leads: { users: [U0CAROL, U0DAN] }
rules:
  - { name: reads, risk: read, roles: [anyone], then: allow }
  - { risk: [change, destructive], teams: [T0OTHER], then: deny }
  - operations: [cloud.*]
    labels: { env: production }
    channels: [C0OPS, G0PRIVATE, D0ALICE]
    roles: [responders]
    then: approve
    approvers: [leads]
    approvals: 2
    confirm: type-name
    break_glass: [leads]
  - { operations: [cdn.raw-logs], arguments: { enabled: false }, roles: [leads], then: confirm }
  - { name: 7, operations: [storage.*], roles: [leads], then: allow, confirm: never }
  - { roles: [leads], then: allow }
freeze:
  - labels: { env: production }
    from: 2026-12-24T18:00:00+01:00
    to: 2026-12-27T06:00Z
    except: [leads]
    reason: holidays
  - { from: 2027-01-01T00:00:00Z, to: 2027-01-01T12:00:00Z }
limits:
  - { per: person, at_most: 5, within: 10m }
  - { per: target, at_most: 1, within: 60s, operations: [cloud.*], labels: { tier: web } }
guard:
  - { labels: { tier: web }, approvers: [leads] }
announce: { break_glass: C0LEADS }
requests: { expire_after: 1h30m, lease: 45s, drain: 20s, keep: 30d }
extensions: [instance-read]
`;
