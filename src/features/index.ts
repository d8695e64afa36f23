import { hooksSection } from '../alerts/section.ts';
import { publicationSection } from './publication/section.ts';
import type { LinkGate } from '../model/gate.ts';
import type { DemandKey, Section } from '../model/section.ts';
import { signInGate } from '../step-up/gate.ts';
import type { LinkPorts } from '../step-up/links.ts';
import { identitySection, stepUpKey } from '../step-up/section.ts';

/** The sections of bellhop.yaml that belong to features. */
export const sections: readonly Section[] = [identitySection, hooksSection, publicationSection];

/** The keys of rules that make the demands of features. */
export const demandKeys: readonly DemandKey[] = [stepUpKey];

/** The gates that features add to the kernel's, in the order of their questions. */
export const gatesOf = (ports: LinkPorts): readonly LinkGate[] => [signInGate(ports)];
