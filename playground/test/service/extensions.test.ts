import { describe, expect, it } from 'vitest';

import { extensions } from '../../service/http/endpoint.ts';
import { extensions as known } from '../../../src/model/rulebook/schema.ts';
import { openService, web1 } from './open-service.ts';

describe('extensions of the service', () => {
  it('are those that bellhop.yaml can name', () => {
    expect(extensions).toEqual(known);
  });

  it('are all there by default, each with its name in the description', async () => {
    const { call } = await openService();
    expect(await call('GET', web1)).toMatchObject({ status: 200 });
    const { body } = await call('GET', '/openapi.json');
    expect(body).toMatchObject({
      paths: {
        '/cloud/v1/instances/{project_id}/{region_id}/{instance_id}': {
          get: { 'x-extension': 'instance-read' },
        },
      },
    });
  });

  it('are not there, nor in the description, where they are off', async () => {
    const { call } = await openService({ extensions: [] });
    expect(await call('GET', web1)).toMatchObject({
      status: 404,
      body: { exception_class: 'NotFoundError' },
    });
    const { body } = await call('GET', '/openapi.json');
    expect(JSON.stringify(body)).not.toContain('x-extension');
  });
});
