/** Labels of a target, shown as tags. */
type Labels = Readonly<Record<string, string>>;

/** An instance or container that exists somewhere: in a project and a region. */
export interface Located {
  readonly project: number;
  readonly region: number;
  readonly regionName?: string | undefined;
  readonly labels?: Labels | undefined;
}

/** The service's content in addition to the seeded instances and containers, by name. */
export interface LocalInventory {
  readonly instances: Readonly<Record<string, Located & { readonly id: string }>>;
  readonly containers: Readonly<Record<string, Located>>;
}

/** The project that seeded data belong to. */
export const seededProject = 1186668;

/** Names of the regions that seeded data are in. */
const seededRegions = { 76: 'Luxembourg-2', 180: 'Frankfurt-2' } as const;

/** The name of a region, or its number if it has none. */
export const regionNameOf = (region: number): string =>
  Object.entries(seededRegions).find(([id]) => Number(id) === region)?.[1] ?? `Region-${String(region)}`;

/** The content without an inventory. */
export const defaultInventory: LocalInventory = {
  instances: {
    'web-1': {
      id: '6c6aa80f-7836-4dc2-a2ae-125e248be476',
      project: seededProject,
      region: 76,
      labels: { env: 'staging', tier: 'web' },
    },
    'web-2': {
      id: '2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10',
      project: seededProject,
      region: 76,
      labels: { env: 'staging', tier: 'web' },
    },
    'web-3': {
      id: '8d3f5a10-4c1e-4f53-9b7e-1e6a7d2c9f34',
      project: seededProject,
      region: 76,
      labels: { env: 'staging', tier: 'web' },
    },
    'db-1': {
      id: '0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11',
      project: seededProject,
      region: 180,
      labels: { env: 'production', tier: 'db' },
    },
  },
  containers: { api: { project: seededProject, region: 76, labels: { env: 'production' } } },
};
