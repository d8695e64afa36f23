import type { Finding } from '../../model/rulebook/finding.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import { type Identity, identitySection } from './section.ts';

/** The issuer may have another name than bellhop.yaml gives, and the Slack app may lack the scope to look people up by e-mail address. */
export async function checkIssuer(rulebook: Rulebook, api: SlackApi): Promise<readonly Finding[]> {
  const identity = identitySection.of(rulebook);
  return identity ? [...(await lookUpProblems(identity, api)), ...(await issuerProblems(identity))] : [];
}

async function lookUpProblems({ byEmail }: Identity, api: SlackApi): Promise<readonly Finding[]> {
  if (!byEmail) return [];
  try {
    await api.userByEmail('no-one@example.com');
    return [];
  } catch (error) {
    if (!(error instanceof BellhopError) || error.code !== 'configuration') throw error;
    return [{ path: ['identity', 'match'], text: `${error.message}.` }];
  }
}

async function issuerProblems(identity: Identity): Promise<readonly Finding[]> {
  if (identity.issuer === 'local') return [];
  // The issuer's library takes time to load.
  const { describe } = await import('./discovery.ts');
  try {
    await describe(identity.issuer, identity);
    return [];
  } catch (error) {
    const isKnown = error instanceof BellhopError && error.code === 'configuration';
    const text = isKnown
      ? error.message
      : "Bellhop can't read its discovery document from here. Check the address, the network and the proxy.";
    return [{ path: ['identity', 'issuer'], text }];
  }
}
