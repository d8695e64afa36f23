import type { Request } from '../src/model/records/request.ts';
import { type Target, targetKey } from '../src/model/rulebook/target.ts';
import { alice } from './people.ts';

const at = 1_763_700_000_000;
const minute = 60_000;

const web1: Target = {
  kind: 'instance',
  name: 'web-1',
  project: 1186668,
  region: 76,
  regionName: 'Luxembourg-2',
  id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
  labels: { env: 'staging', tier: 'web' },
};

/** A request to reboot web-1 by Alice at 04:40 UTC. */
export const aRequest = (changes: Partial<Request> = {}): Request => ({
  id: 'r-7k3m9qpd',
  version: 1,
  state: 'proposed',
  operation: 'cloud.reboot',
  input: { instance: 'web-1' },
  words: '/cloud reboot web-1',
  target: web1,
  targetKey: targetKey(web1),
  preview: [{ label: 'Sends', value: 'POST /cloud/v1/instances/1186668/76/6c6aa80f/reboot', isCall: true }],
  requester: alice,
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  reason: 'stuck since the deploy',
  decision: { effect: 'confirm', rule: 'rule 3', approvers: [], approvals: 1, typeName: false },
  approvals: [],
  createdAt: at,
  expiresAt: at + 15 * minute,
  policyHash: 'p',
  correlationId: 'c',
  ...changes,
});

/** The same request after Alice confirmed it at 04:41. */
export const confirmed = (changes: Partial<Request>): Request =>
  aRequest({
    decidedBy: alice,
    decidedAt: at + minute,
    startedAt: at + minute,
    endedAt: at + minute + 3_000,
    ...changes,
  });
