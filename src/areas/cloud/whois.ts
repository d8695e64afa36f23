import {
  type Fact,
  given,
  givenFacts,
  type Inventory,
  nameOf,
  operation,
  type ProjectTarget,
  readAs,
  type ReadContext,
  z,
} from '../../bellhop/bellhop.ts';
import { type CloudClient, replyNotes } from './client/calls.ts';
import type { HeldFloatingIpRead } from './client/floating-ip.ts';
import { partText } from './client/pages.ts';
import { fixedIpText, holderText, dnsName, tagText, noFixedIp } from './ips.ts';
import { canonicalAddress, regionText, listWhere } from './parts.ts';

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
  async run({ address }, context: ReadContext<ProjectTarget, CloudClient>) {
    const reply = await context.service.listHeldFloatingIps(context.target, context);
    const { count, results } = reply.value;
    const found = results.filter((ip) => addressesOf(ip).includes(address));
    return { reply, count, listed: results.length, found, inventory: context.inventory };
  },
  report({ reply, count, listed, found, inventory }, { target, input: { address } }) {
    const place = regionText(target);
    const isWhole = listed >= count;
    const missing = isWhole
      ? `${address} is not a floating IP in ${place}`
      : `${address} was not found, but the search is incomplete`;
    return {
      title: found.length === 0 ? missing : `${address} ${heldText(found, inventory)}`,
      headline: found.length === 0 && isWhole ? 'It may be in another region. Add --region.' : place,
      facts: found.slice(0, 10).flatMap((ip) => factsOf(ip)),
      notes: given(
        !isWhole && `Only ${partText(listed, count, "the service's ")} floating IPs were searched.`,
        replyNotes(reply),
      ),
    };
  },
});

const addressesOf = (ip: HeldFloatingIpRead): readonly (string | undefined)[] =>
  [ip.floating_ip_address, ip.fixed_ip_address].map((text) => text && canonicalAddress(text));

function heldText(found: readonly HeldFloatingIpRead[], inventory: Inventory): string {
  const holders = new Set(found.flatMap((ip) => holderText(ip, inventory) ?? []));
  if (holders.size > 0) return `belongs to ${[...holders].join(', ')}`;
  const assigned = new Set(found.map(fixedIpText).filter((text) => text !== noFixedIp));
  return assigned.size === 0 ? 'is not assigned to anything' : `is assigned to ${[...assigned].join(', ')}`;
}

const factsOf = (ip: HeldFloatingIpRead): readonly Fact[] =>
  givenFacts([
    ['Floating IP', ip.floating_ip_address],
    ['Fixed IP', fixedIpText(ip)],
    ['Port', ip.port_id],
    ['Instance', ip.instance?.id],
    ['Load balancer', ip.loadbalancer?.id],
    ['Status', ip.status],
    ['Name', dnsName(ip)],
    ['Tags', tagText(ip)],
  ]);
