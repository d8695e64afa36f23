/** What posts alerts to Bellhop: Alertmanager's webhook (Grafana's too), PagerDuty's version 3, or any JSON with a mapping. */
export const hookKinds = ['alertmanager', 'pagerduty', 'generic'] as const;
export type HookKind = (typeof hookKinds)[number];

/** A command under an alert. */
export interface HookButton {
  /** Each label must have one of its values. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  /** As typed, `/cloud reboot {target}`; checked when the file was read. */
  readonly run: string;
  readonly label?: string | undefined;
}

/** Where in a JSON body a thing stands: the first of these paths of names and numbers at which there is something. */
type Paths = readonly string[];

export interface HookMapping {
  readonly title: Paths;
  readonly text?: Paths | undefined;
  readonly key?: Paths | undefined;
  readonly status?: Paths | undefined;
  readonly target?: Paths | undefined;
  readonly link?: Paths | undefined;
  readonly severity?: Paths | undefined;
  /** Values of the status that end the alert, and those of which nothing is shown. */
  readonly resolved?: readonly string[] | undefined;
  readonly ignored?: readonly string[] | undefined;
}

/** The header that has the HMAC-SHA256 of a body in hexadecimal, behind a prefix. */
export interface HookSignature {
  readonly header: string;
  readonly prefix: string;
}

/** A source of alerts, received at `POST /hooks/<name>`. */
export interface Hook {
  /** `secret:name`: what the sender shows, or signs with. */
  readonly secret: string;
  readonly channel: string;
  readonly kind: HookKind;
  /** The label that names a target of the inventory. */
  readonly targetLabel?: string | undefined;
  readonly buttons: readonly HookButton[];
  /** Of a generic hook. */
  readonly mapping?: HookMapping | undefined;
  /** Of a generic hook that signs instead of showing the secret. */
  readonly signature?: HookSignature | undefined;
}

/** By name. */
export type Hooks = Readonly<Record<string, Hook>>;
