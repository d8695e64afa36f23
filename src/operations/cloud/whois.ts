import { isIP } from 'node:net';

import { readAs } from '../../text/words.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { HeldFloatingIpRead } from '../../service/schemas/floating-ip.ts';
import { type Fact, operation, type ProjectTarget, type ReadContext, z } from '../../bellhop/bellhop.ts';
import { nameOf } from '../parts/input.ts';
import { countText, given, givenFacts, replyNotes } from '../parts/report-parts.ts';
import { holderText, dnsName, tagText } from './ips.ts';
import { regionText, listWhere } from './parts.ts';

export const whois = operation({
  name: 'cloud.whois',
  summary: 'Find the instance or load balancer that has this address.',
  risk: 'read',
  extension: 'floating-ip-list',
  input: z.strictObject({
    address: nameOf('an IP address', { most: 64 })
      .transform(readAs(canonicalAddress, 'must be an IPv4 or IPv6 address, such as 203.0.113.7'))
      .describe('A floating IP, or its fixed IP.')
      .meta({ positional: true, placeholder: '203.0.113.7' }),
    ...listWhere,
  }),
  examples: ['/cloud whois 203.0.113.7', '/cloud whois 2001:db8::7 --region 180'],
  async run({ address }, context: ReadContext<ProjectTarget, ServiceClient>) {
    const reply = await context.service.listHeldFloatingIps(context.target, context);
    const { count, results } = reply.value;
    const found = results.filter((ip) => addressesOf(ip).includes(address));
    return { reply, count, listed: results.length, found, inventory: context.inventory };
  },
  report({ reply, count, listed, found, inventory }, { target, input: { address } }) {
    const place = regionText(target);
    const holders = new Set(found.flatMap((ip) => holderText(ip, inventory) ?? []));
    const held = holders.size === 0 ? 'is not assigned to anything' : `belongs to ${[...holders].join(', ')}`;
    return {
      title: found.length === 0 ? `${address} is not a floating IP in ${place}` : `${address} ${held}`,
      headline: found.length === 0 ? 'It may be in another region. Add --region.' : place,
      facts: found.slice(0, 10).flatMap((ip) => factsOf(ip)),
      notes: given(
        listed < count &&
          `Only ${countText(listed)} of the service's ${countText(count)} floating IPs were searched.`,
        replyNotes(reply),
      ),
    };
  },
});

const addressesOf = (ip: HeldFloatingIpRead): readonly (string | undefined)[] =>
  [ip.floating_ip_address, ip.fixed_ip_address].map((text) => text && canonicalAddress(text));

const factsOf = (ip: HeldFloatingIpRead): readonly Fact[] =>
  givenFacts([
    ['Floating IP', ip.floating_ip_address],
    ['Fixed IP', ip.fixed_ip_address ?? 'unassigned'],
    ['Instance', ip.instance?.id],
    ['Load balancer', ip.loadbalancer?.id],
    ['Status', ip.status],
    ['Name', dnsName(ip)],
    ['Tags', tagText(ip)],
  ]);

const mappedIpv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/u;

/** Returns a normalized address such as `2001:db8::7`; undefined for other text. */
function canonicalAddress(text: string): string | undefined {
  const bare = /^\[(.*)\]$/u.exec(text)?.[1] ?? text;
  const version = isIP(bare);
  if (version === 0 || bare.includes('%')) return undefined;
  if (version === 4) return bare;
  const canonical = URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1);
  const [, high, low] = mappedIpv4.exec(canonical ?? '') ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, other >> 8, other & 255].join('.');
}
