/** A setting as docs/configuration.md lists it. */
interface Variable {
  readonly meaning: string;
  /** What holds where it is unset. */
  readonly fallback: string;
}

/** Every variable that Bellhop reads, in the order of docs/configuration.md. */
export const variables: Readonly<Record<string, Variable>> = {
  API_BASE_URL: {
    meaning: 'address of the service; `local` for the stand-in of the playground, not in production',
    fallback: 'local service',
  },
  API_KEY: { meaning: 'API key of the service, without the word `apikey`', fallback: 'local service' },
  API_CLIENT_ID: { meaning: 'client id sent with storage events, a whole number', fallback: 'none' },
  SLACK_BOT_TOKEN: {
    meaning: 'bot token, `xoxb-…`; `local` for the workspace of the playground, not in production',
    fallback: 'local workspace',
  },
  SLACK_SIGNING_SECRET: {
    meaning: 'signing secret of the app: Slack over HTTP',
    fallback: 'local workspace',
  },
  SLACK_APP_TOKEN: { meaning: 'app-level token, `xapp-…`: Socket Mode instead of HTTP', fallback: 'HTTP' },
  SLACK_API_URL: {
    meaning: "where Slack's Web API is, `/api/` included; `https://slack-gov.com/api/` for GovSlack",
    fallback: "Slack's",
  },
  DATABASE_URL: {
    meaning: 'PostgreSQL, shared by all replicas: `postgres://user:password@host:5432/database`',
    fallback: 'embedded store in `DATA_DIR`',
  },
  DATA_DIR: { meaning: 'folder of the embedded store and of the playground', fallback: '`.data`' },
  BELLHOP_CONFIG: {
    meaning: 'inventory and rules',
    fallback: '`bellhop.yaml`; without one, the example where the service is local',
  },
  'BELLHOP_SECRET_<NAME>': {
    meaning: 'value behind `secret:<name>`, `-` written as `_`',
    fallback: 'a file',
  },
  BELLHOP_SECRETS_DIR: { meaning: 'folder with one file for each secret, named like it', fallback: 'none' },
  HOST: { meaning: 'where Bellhop listens', fallback: '`127.0.0.1`' },
  PORT: { meaning: 'its port; 0 takes any that is free', fallback: '3000' },
  LOCAL_PORT: { meaning: 'port of the local workspace', fallback: '4000' },
  LOCAL_SERVICE_PORT: { meaning: 'port of the local service', fallback: '4100' },
  LOG_LEVEL: {
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    fallback: '`info`',
  },
  NODE_ENV: {
    meaning: '`production`: nothing may be local, and plain `http://` leads only to this machine',
    fallback: 'development',
  },
};
