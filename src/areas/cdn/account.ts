import type { CdnTarget } from '../../bellhop/bellhop.ts';

const account: CdnTarget = { kind: 'cdn', name: 'CDN account', labels: {} };

/** The target of an operation that is about no single CDN resource. */
export const cdnAccount = (): CdnTarget => account;
