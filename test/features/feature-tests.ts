import type { Opened } from '../store/contract/opened.ts';

/** A feature's part of tests that are about all features. */
export interface FeatureTests {
  /** The name of its folder. */
  readonly name: string;
  /** A bellhop.yaml with its keys. */
  readonly sample: string;
  readonly storeContracts?: readonly ((stores: () => Opened) => void)[];
  /** Values of labels that the alert rules in `deploy/` name. */
  readonly alertLabels?: Readonly<Record<string, readonly string[]>>;
}
