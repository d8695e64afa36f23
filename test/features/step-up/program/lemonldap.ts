import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { freePort } from '../../../free-port.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { client } from './client.ts';

/** The configuration that Debian's package installs. */
const installed = '/var/lib/lemonldap-ng/conf/lmConf-1.json';
const files = '/usr/share/lemonldap-ng/portal/htdocs';

/** The accounts of its demonstration backend; each password is the name. Ms Smith is another account of the Doctor's. */
export const accounts = ['dwho', 'rtyler', 'msmith'] as const;
export type Account = (typeof accounts)[number];

const program = `use Lemonldap::NG::Portal::Main;
use Plack::Builder;
my $portal = Lemonldap::NG::Portal::Main->run({});
builder {
  enable 'Static', path => sub { s#^/static/## }, root => '${files}/static/';
  enable 'Static', path => sub { s#^/javascript/## }, root => '/usr/share/javascript/';
  $portal;
};
`;

/** Everything that is not set here is a default of the package. */
function configuration(folder: string, url: string, publicUrl: string): object {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const store = (name: string) => {
    mkdirSync(join(folder, name, 'lock'), { recursive: true });
    return { Directory: join(folder, name), LockDirectory: join(folder, name, 'lock') };
  };
  const { privateKey, publicKey } = keys;
  return {
    ...z.looseObject({}).parse(JSON.parse(readFileSync(installed, 'utf8'))),
    portal: url,
    domain: 'localhost',
    globalStorageOptions: {
      ...store('sessions'),
      generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
    },
    persistentStorageOptions: store('persistent'),
    localSessionStorageOptions: { namespace: 'sessions', cache_root: join(folder, 'cache'), cache_depth: 3 },
    notification: 0,
    macros: { person: '$uid eq "msmith" ? "dwho" : $uid', _whatToTrace: '$_auth.$uid' },
    issuerDBOpenIDConnectActivation: 1,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
    oidcServiceKeyIdSig: 'key-1',
    oidcRPMetaDataOptions: {
      bellhop: {
        oidcRPMetaDataOptionsClientID: client.id,
        oidcRPMetaDataOptionsClientSecret: client.secret,
        oidcRPMetaDataOptionsRedirectUris: `${publicUrl}/step-up/callback`,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsBypassConsent: 1,
        oidcRPMetaDataOptionsUserIDAttr: 'person',
      },
    },
    oidcRPMetaDataExportedVars: {
      bellhop: { email: 'mail', name: 'cn', preferred_username: 'uid' },
    },
  };
}

/** The portal of LemonLDAP::NG from Debian's packages: a real issuer by other authors. */
export async function startLemonldap(publicUrl: string) {
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  mkdirSync(join(folder, 'conf'));
  writeFileSync(join(folder, 'conf/lmConf-1.json'), JSON.stringify(configuration(folder, url, publicUrl)));
  const settings = `[all]
logLevel = warn
[configuration]
type = File
dirName = ${join(folder, 'conf')}
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'conf', 'cache_root' => '${join(folder, 'cache')}' }
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`;
  writeFileSync(join(folder, 'lemonldap-ng.ini'), settings);
  writeFileSync(join(folder, 'portal.psgi'), program);
  const child = spawn('plackup', ['--host', '127.0.0.1', '--port', `${port}`, join(folder, 'portal.psgi')], {
    env: { ...process.env, LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
  });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await until(
    async () => {
      const answer = await fetch(`${url}.well-known/openid-configuration`).catch(() => undefined);
      return answer?.ok;
    },
    () => said,
  );
  return {
    url,
    said: () => said,
    async close() {
      child.kill();
      await ended;
    },
  };
}
