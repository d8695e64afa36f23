import { createServer } from 'node:http';

/** A page of believable floating IPs, some of them unassigned. */
function floatingIps(count: number): string {
  const results = Array.from({ length: count }, (_, index) => {
    const assigned = index % 3 !== 0;
    return {
      id: `6c6aa80f-7836-4dc2-a2ae-${String(index).padStart(12, '0')}`,
      floating_ip_address: `198.51.${index >> 8}.${index & 255}`,
      fixed_ip_address: assigned ? `10.0.${index >> 8}.${index & 255}` : '',
      port_id: assigned ? `0d9c0a3a-52a5-4a1b-8f0e-${String(index).padStart(12, '0')}` : '',
      router_id: assigned ? '2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10' : '',
      subnet_id: assigned ? 'b0a4c1de-3c5e-4d1c-9a44-2f1d6a1f7c55' : null,
      dns_domain: 'example.net.',
      dns_name: `ip-${index}`,
      status: assigned ? 'ACTIVE' : 'DOWN',
      project_id: 1186668,
      region: 'Luxembourg-2',
      region_id: 76,
      creator_task_id: 'f2c0e6f1-1f0e-4b43-8d0f-5d7f8c1f0c11',
      task_id: '',
      tags: [{ key: 'env', value: 'staging', read_only: false }],
      created_at: '2024-05-01T12:00:00+0000',
      updated_at: '2024-05-02T12:00:00+0000',
    };
  });
  return JSON.stringify({ count, results });
}

/** Answers with as many floating IPs as the region id says. Runs in its own process. */
const bodies = new Map<string, string>();
const server = createServer((request, response) => {
  const region = request.url?.split('/').at(-1) ?? '0';
  const body = bodies.get(region) ?? floatingIps(Number(region));
  bodies.set(region, body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());
