import type { Stage } from '../program/stage.ts';
import type { Opened } from '../store/contract/opened.ts';
import type { EarlierPart } from '../store/earlier/make-store.ts';

/** A feature's part of the day on which `test/reworded` compares two builds. */
export interface FeatureDay {
  readonly rules: (text: string) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly beside: { close(): Promise<void> };
  /** Resolves to the texts that people saw outside of Slack. */
  readonly live: (stage: Stage) => Promise<unknown>;
}

/** An expression that is built at run time: how it is used, and prefixes of text that it matches. */
export interface BuiltPattern {
  readonly work: (text: string) => unknown;
  readonly fillings: readonly string[];
  readonly longest?: number;
}

/** A feature's part of tests that are about all features. */
export interface FeatureTests {
  /** The name of its folder. */
  readonly name: string;
  /** A bellhop.yaml with its keys, if it has any. */
  readonly sample?: string;
  /** Tests and benches about several features, which are removed with any of these features. */
  readonly beside?: readonly string[];
  readonly storeContracts?: readonly ((stores: () => Opened) => void)[];
  /** Makes a request that only a build with the feature may run. */
  readonly held?: {
    readonly rules: (text: string) => string;
    readonly env: Readonly<Record<string, string>>;
    /** The answer of a build without the feature. */
    readonly refusal: string;
  };
  /** The feature's part of the stores of earlier versions. */
  readonly earlier?: EarlierPart;
  readonly day?: (publicUrl: string) => Promise<FeatureDay>;
  /** Expressions that it builds at run time, by file. */
  readonly patterns?: Readonly<Record<string, BuiltPattern>>;
  /** Values of labels that the alert rules in `deploy/` name. */
  readonly alertLabels?: Readonly<Record<string, readonly string[]>>;
}
