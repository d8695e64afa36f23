/** Whom to ask and where, for a refusal. Ids, to be shown as the surface shows people and channels. */
export interface WhoMay {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
  readonly channels: readonly string[];
}
