import type { Feature } from '../../host/feature.ts';
import { makePack } from './command.ts';
import { verification } from './verification.ts';

/** Packs of evidence: the changes of a period with their proofs, which an auditor verifies in a browser. */
export const evidence: Feature = {
  auditCommands: (outside) => ({ evidence: makePack(outside) }),
  verifications: (outside) => ({ evidence: verification(outside) }),
};
