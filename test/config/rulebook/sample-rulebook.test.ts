import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { policyTestsFile, runPolicyTests } from '../../../src/config/policy/run-tests.ts';
import { findingLines } from '../../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { parseYamlFile } from '../../../src/config/yaml/yaml-file.ts';
import { findInstance } from '../../../src/command/inventory.ts';
import { operations } from '../../../src/operations/index.ts';

function sample() {
  const result = readSampleRulebook(operations);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result;
}

describe('the sample', () => {
  it('has no warnings', () => {
    expect(sample().warnings()).toEqual([]);
  });

  it('decides as its own tests say, which reach every rule', async () => {
    const name = 'examples/bellhop.example.tests.yaml';
    const tests = parseYamlFile(readFileSync(join(import.meta.dirname, '../../..', name)), name, {
      schema: policyTestsFile,
      example: name,
    });
    if (!tests.ok) throw new Error(findingLines(tests.findings).join('\n'));
    const { cases, failures, unreached } = await runPolicyTests(sample().rulebook, operations, tests.data, 0);
    expect(findingLines(tests.locate(failures, 'error'))).toEqual([]);
    expect(unreached).toEqual([]);
    expect(cases).toBeGreaterThan(40);
  });

  it('names the instances that the local service has, where they are', () => {
    const { inventory } = sample().rulebook;
    expect(Object.keys(inventory.instances).map((name) => findInstance(inventory, name))).toMatchObject([
      { name: 'web-1', project: 1186668, region: 76, regionName: 'Luxembourg-2' },
      { name: 'web-2', id: '2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10', region: 76 },
      { name: 'web-3', id: '8d3f5a10-4c1e-4f53-9b7e-1e6a7d2c9f34', region: 76 },
      { name: 'db-1', region: 180, regionName: 'Frankfurt-2', labels: { env: 'production' } },
    ]);
  });
});
