import type { Feature } from '../../host/feature.ts';

/** Packs of evidence: the changes of a period with their proofs, which an auditor verifies in a browser. */
export const evidence: Feature = {
  async auditCommands(outside) {
    const { makePack } = await import('./command.ts');
    return { evidence: makePack(outside) };
  },
  async verifications(outside) {
    const { verification } = await import('./verification.ts');
    return { evidence: verification(outside) };
  },
};
