import { capacityList } from '../../../src/areas/cdn/client/capacity.ts';
import { endpoint } from '../http/endpoint.ts';
import { seedCapacity } from '../seed/capacity.ts';

export const listCapacity = endpoint({
  name: 'listCapacity',
  method: 'get',
  path: '/cdn/advanced/v1/capacity',
  summary: 'Read the network capacity per country',
  changes: false,
  response: capacityList,
  run: () => seedCapacity,
});
