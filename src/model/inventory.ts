type Labels = Readonly<Record<string, string>>;

export interface InventoryInstance {
  readonly id: string;
  readonly project?: number | undefined;
  readonly region?: number | undefined;
  readonly labels: Labels;
}

export interface InventoryContainer {
  readonly project?: number | undefined;
  readonly region?: number | undefined;
  readonly labels: Labels;
}

/** The named targets of `bellhop.yaml`. Instance and container names share no meaning with the service's own. */
export interface Inventory {
  readonly project?: number | undefined;
  readonly region?: number | undefined;
  readonly regions: Readonly<Record<string, string>>;
  readonly instances: Readonly<Record<string, InventoryInstance>>;
  readonly containers: Readonly<Record<string, InventoryContainer>>;
}

/** `--project` and `--region` as given with the command; they override the configured defaults. */
export interface Where {
  readonly project?: number | undefined;
  readonly region?: number | undefined;
}
