import type { AuditDraft } from '../../src/model/records/audit.ts';
import type { Proposal, Step } from '../../src/model/records/requests.ts';
import type { Request, State } from '../../src/model/records/request.ts';
import { alice } from '../people.ts';
import { type InstanceTarget, targetKey } from '../../src/model/rulebook/target.ts';
import { aRequest as sampleRequest } from '../sample-request.ts';

const web = (number: number): InstanceTarget => ({
  kind: 'instance',
  name: `web-${number}`,
  project: 1,
  region: 76,
  id: `id-${number}`,
  labels: { env: 'staging' },
});

let made = 0;

/** A proposed request with its own target, due at 1000, and newer than the request made before it. */
export function aRequest(overrides: Partial<Request> = {}): Request {
  made += 1;
  const target = overrides.target ?? web(made);
  return sampleRequest({
    id: `r-${made}`,
    input: { instance: target.name, nested: { list: [1, 'two', null] } },
    words: `/cloud reboot ${target.name}`,
    target,
    targetKey: targetKey(target),
    reason: undefined,
    createdAt: made,
    expiresAt: 1000,
    policyHash: 'policy',
    correlationId: `c-${made}`,
    ...overrides,
  });
}

export const aDraft = (overrides: Partial<AuditDraft> = {}): AuditDraft => ({
  at: 1,
  event: 'read',
  actor: alice,
  operation: 'cloud.ips',
  policyHash: 'policy',
  ...overrides,
});

/** A proposal whose card any replica may show at once. */
export const aProposal = (request: Request, rest: Partial<Proposal> = {}): Proposal => ({
  request,
  at: -12_000,
  audit: [],
  ...rest,
});

/** The step that takes a request from its current state to another one, with one entry. Any replica may show its card. */
export const aStep = (before: Request, to: State, rest: Partial<Step> = {}): Step => ({
  before,
  to,
  changes: {},
  at: -12_000,
  audit: [aDraft({ event: 'confirmed', requestId: before.id, outcome: to })],
  ...rest,
});
