import { container } from '../../../src/areas/cloud/client/container.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { Failure } from '../http/failure.ts';
import { readContainer } from '../seed/containers.ts';
import { containerPath } from '../http/path-params.ts';

export const getContainer = endpoint({
  name: 'getContainer',
  method: 'get',
  path: '/cloud/v1/caas/{project_id}/{region_id}/containers/{container_name}',
  summary: 'Read a container',
  changes: false,
  params: containerPath,
  response: container,
  failures: { 404: 'no such container in this project and region' },
  run: (call, { containers, clock, startedAt }) => {
    const { project_id: project, region_id: region, container_name: name } = read(containerPath, call.params);
    const found = readContainer(containers, { project, region, name }, clock.now() - startedAt);
    if (!found) throw new Failure(404, `Container ${name} could not be found`);
    return found;
  },
});
