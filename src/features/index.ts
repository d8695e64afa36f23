import { hooksSection } from '../alerts/section.ts';
import { publicationSection } from '../audit/publish/section.ts';
import type { Section } from '../model/section.ts';
import { identitySection } from '../step-up/section.ts';

/** The sections of bellhop.yaml that belong to features. */
export const sections: readonly Section[] = [identitySection, hooksSection, publicationSection];
