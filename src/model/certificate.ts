interface CertificateProblem {
  /** After the name of what has the certificate. */
  readonly wrong: string;
  /** What to do; undefined if its authority is not trusted: each surface names its own setting for that. */
  readonly todo?: string | undefined;
}

const otherHost = { wrong: 'is for another host', todo: 'Use the host name that is in its certificate' };

/** Problems with a certificate, by code. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const known: Readonly<Record<string, CertificateProblem>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: otherHost,
  HOSTNAME_MISMATCH: otherHost,
  CERT_HAS_EXPIRED: { wrong: 'has expired', todo: 'Renew it, or set the clock of this machine' },
  CERT_NOT_YET_VALID: { wrong: 'is not valid yet', todo: 'Set the clock of this machine' },
};

/** What is wrong with a TLS certificate, by the code that Node gives; undefined for other codes. */
export function certificateProblem(code: string): CertificateProblem | undefined {
  if (known[code]) return known[code];
  return /CERT|ISSUER|SIGNATURE|INVALID_CA|INVALID_PURPOSE/u.test(code)
    ? { wrong: 'is not trusted' }
    : undefined;
}
