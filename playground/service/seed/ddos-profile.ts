import type { DdosProfile } from '../../../src/service/schemas/ddos-profile.ts';

/** The profile of an instance that has no protection: an object all the same. */
export const emptyDdosProfile: DdosProfile = {
  id: 0,
  site: '',
  options: { active: false, bgp: false },
  status: { status: '', error_description: '' },
  profile_template_description: '',
  protocols: [],
  fields: [],
  profile_template: { id: 0, name: '', description: '', fields: [] },
};

const portRange = {
  type: 'array',
  minItems: 1,
  items: { type: 'integer', minimum: 1, maximum: 65_535 },
};

const listedPorts = {
  id: 118,
  name: 'listening_ports',
  description: 'TCP ports that visitors may reach',
  required: true,
  default: null,
  field_type: null,
  validation_schema: portRange,
};

const rateLimit = {
  id: 119,
  name: 'packets_per_second',
  description: 'Packets a second from one address, before it is challenged',
  required: false,
  default: '20000',
  field_type: 'int',
  validation_schema: {
    type: 'array',
    minItems: 0,
    items: { type: 'integer', minimum: 100, maximum: 1_000_000 },
  },
};

/** The profile of a web server under protection. */
export const webDdosProfile = (id: number, site: string): DdosProfile => ({
  id,
  site,
  options: { active: true, bgp: true },
  status: { status: 'Updated', error_description: '' },
  profile_template_description: 'Web servers behind HTTP and HTTPS',
  protocols: [
    { port: '80', protocols: ['HTTP', 'TCP'] },
    { port: '443', protocols: ['HTTPS', 'TCP', 'UDP'] },
  ],
  fields: [
    { ...listedPorts, id: id * 10, base_field: listedPorts.id, field_value: [80, 443], value: null },
    { ...rateLimit, id: id * 10 + 1, base_field: rateLimit.id, field_value: [35_000], value: '35000' },
  ],
  profile_template: {
    id: 63,
    name: 'web_server',
    description: 'Web servers behind HTTP and HTTPS',
    fields: [listedPorts, rateLimit],
  },
});
