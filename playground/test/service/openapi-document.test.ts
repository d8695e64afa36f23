import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import committed from '../../service/openapi.json' with { type: 'json' };
import { endpoints } from '../../service/endpoints/index.ts';
import { openApiDocument } from '../../service/openapi-document.ts';
import { sharedService, web1 } from './open-service.ts';
import { problemsOfResponse } from './openapi-response.ts';

const { call } = sharedService();

describe('the OpenAPI description', () => {
  it('is committed as the schemas say', () => {
    expect(JSON.parse(JSON.stringify(openApiDocument()))).toEqual(committed);
  });

  it('is served to anyone', async () => {
    const { status, body } = await call('GET', '/openapi.json', { key: '' });
    expect([status, body]).toEqual([200, committed]);
  });

  it('has every endpoint, each with an id, a summary, a success and 401', () => {
    const operation = z.object({
      operationId: z.string(),
      summary: z.string(),
      responses: z
        .looseObject({ 400: z.object(), 401: z.object(), 413: z.object() })
        .refine((responses) => Object.keys(responses).some((status) => /^20\d$/u.test(status))),
    });
    const operations = Object.values(committed.paths).flatMap((methods): unknown[] => Object.values(methods));
    expect(operations.map((each) => operation.parse(each).operationId)).toEqual(
      expect.arrayContaining(endpoints.map(({ name }) => name)),
    );
  });

  it('lists the fields of a DDoS profile as the interface does', () => {
    const { get } = committed.paths['/cloud/v1/instances/{project_id}/{region_id}/{instance_id}'];
    const profile = get.responses[200].content['application/json'].schema.properties.ddos_profile;
    expect(Object.keys(profile.properties)).toEqual([
      'id',
      'site',
      'options',
      'status',
      'profile_template_description',
      'protocols',
      'fields',
      'profile_template',
    ]);
    const inner = JSON.stringify(profile);
    for (const name of ['bgp', 'error_description', 'base_field', 'field_value', 'minItems', 'maximum'])
      expect(inner).toContain(`"${name}"`);
  });

  it('is clean by its linter', () => {
    const bin = new URL('../../../node_modules/.bin/redocly', import.meta.url).pathname;
    const args = ['lint', '--config', 'playground/service/redocly.yaml', '--format', 'json'];
    const output = execFileSync(bin, args, { encoding: 'utf8', stdio: 'pipe' });
    expect(JSON.parse(output)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  });

  it('describes every field: each property has a description', () => {
    const bare: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties } = value as { properties?: Record<string, { description?: string }> };
      for (const [name, property] of Object.entries(properties ?? {})) {
        if (property.description === undefined && !path.includes('anyOf')) bare.push(`${path}.${name}`);
      }
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`);
    };
    visit(committed.paths, '');
    visit(committed.components.schemas, '');
    expect(bare).toEqual([]);
  });
});

describe('judging a response by it', () => {
  it.each([
    ['a field too many', (body: object) => ({ ...body, extra: 1 })],
    ['a field too few', ({ name: _name, ...rest }: Record<string, unknown>) => rest],
    ['another type', (body: object) => ({ ...body, project_id: '7' })],
    ['a null that the schema does not allow', (body: object) => ({ ...body, task_state: null })],
  ])('finds %s', async (_what, spoil) => {
    const { status, body } = await call('GET', web1);
    expect(problemsOfResponse('GET', web1, { status, body })).toEqual([]);
    const changed = spoil(body as Record<string, unknown>);
    expect(problemsOfResponse('GET', web1, { status, body: changed })).not.toEqual([]);
  });

  it('finds a status that it does not name, and an error of another area', () => {
    expect(problemsOfResponse('GET', web1, { status: 418, body: {} })).not.toEqual([]);
    expect(problemsOfResponse('GET', web1, { status: 404, body: { error: 'no' } })).not.toEqual([]);
  });
});
