import { instanceMetrics, instanceMetricsQuery } from '../../../src/service/schemas/instance-metrics.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { measureInstance } from '../metrics/measure-instance.ts';
import { readInstance } from '../service.ts';
import { instancePath } from '../http/path-params.ts';

export const measureOneInstance = endpoint({
  name: 'measureInstance',
  method: 'post',
  path: '/cloud/v1/instances/{project_id}/{region_id}/{instance_id}/metrics',
  summary: 'Measure an instance',
  description: 'Processor, memory, network and disks, up to now. What does not run is not measured.',
  extension: 'instance-metrics',
  changes: false,
  params: instancePath,
  body: instanceMetricsQuery,
  response: instanceMetrics,
  failures: { 404: 'no such instance there' },
  run: (call, service) => {
    const instance = readInstance(service, read(instancePath, call.params));
    return measureInstance(instance, read(instanceMetricsQuery, call.json), service.clock.now());
  },
});
