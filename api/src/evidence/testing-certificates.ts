import { webcrypto, X509Certificate } from 'node:crypto'
import { BitString, Integer, Utf8String } from 'asn1js'
import {
  AttributeTypeAndValue,
  AuthenticatedSafe,
  BasicConstraints,
  CertBag,
  Certificate,
  Extension,
  ExtKeyUsage,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
} from 'pkijs'

/* Certificates of tests, also of those in a browser. */

/** A certificate with its key, made by pkijs. */
export type IssuedCertificate = { certificate: Certificate; keys: webcrypto.CryptoKeyPair }

export type IssueOptions = {
  name: string
  /** Absent: signed by itself. */
  issuer?: IssuedCertificate
  kind?: 'ec' | 'rsa'
  isAuthority?: boolean
  /** OIDs of the extended key usage, which is critical. */
  purposes?: string[]
  from?: string
  until?: string
}

const KEYS = {
  ec: { name: 'ECDSA', namedCurve: 'P-256' },
  rsa: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 3072, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' },
} as const
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
export const P12_PASSWORD = 'Szlaban 2026!'
let serial = 4_096

/** Issues a certificate with a new key. */
export async function issue({
  name,
  issuer,
  kind = 'ec',
  isAuthority = false,
  ...options
}: IssueOptions): Promise<IssuedCertificate> {
  const { purposes, from = '2026-01-01T00:00:00Z', until = '2028-12-31T23:59:59Z' } = options
  const keys = await webcrypto.subtle.generateKey(KEYS[kind], true, ['sign', 'verify'])
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ value: serial++ })
  const subject = new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value: name }) })
  certificate.subject.typesAndValues.push(subject)
  if (issuer) certificate.issuer = issuer.certificate.subject
  else certificate.issuer.typesAndValues.push(subject)
  certificate.notBefore.value = new Date(from)
  certificate.notAfter.value = new Date(until)
  // Certificates are issued, or documents are signed.
  const usage = new BitString({
    valueHex: Uint8Array.of(isAuthority ? 0x06 : 0xc0).buffer,
    unusedBits: isAuthority ? 1 : 6,
  })
  const extension = (extnID: string, value: { toBER: () => ArrayBuffer }) =>
    new Extension({ extnID, critical: true, extnValue: value.toBER() })
  certificate.extensions = [
    extension('2.5.29.15', usage),
    ...(isAuthority ? [extension('2.5.29.19', new BasicConstraints({ cA: true }).toSchema())] : []),
    ...(purposes ? [extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: purposes }).toSchema())] : []),
  ]
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as CryptoKey)
  await certificate.sign((issuer?.keys ?? keys).privateKey as CryptoKey, 'SHA-256')
  return { certificate, keys }
}

export const derOf = ({ certificate }: IssuedCertificate): Buffer => Buffer.from(certificate.toSchema(true).toBER())
export const pemOf = (issued: IssuedCertificate): string => new X509Certificate(derOf(issued)).toString()

/** PKCS#12 of a key with its certificate, encrypted as OpenSSL 3 does by default. */
export async function pkcs12Of({ certificate, keys }: IssuedCertificate, password = P12_PASSWORD): Promise<Buffer> {
  const bytes = new Uint8Array(Buffer.from(password)).buffer
  const encryption = {
    password: bytes,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: 2_048,
  }
  const key = new PrivateKeyInfo()
  key.fromSchema(
    (await import('asn1js')).fromBER(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).result as never,
  )
  const shrouded = new PKCS8ShroudedKeyBag({ parsedValue: key })
  await (shrouded as unknown as { makeInternalValues: (parameters: object) => Promise<void> }).makeInternalValues(
    encryption,
  )
  const bags = [
    new SafeBag({ bagId: '1.2.840.113549.1.12.10.1.2', bagValue: shrouded }),
    new SafeBag({ bagId: '1.2.840.113549.1.12.10.1.3', bagValue: new CertBag({ parsedValue: certificate }) }),
  ]
  const [keyBag, certificateBag] = bags.map((bag) => new SafeContents({ safeBags: [bag] }))
  const safe = new AuthenticatedSafe({
    parsedValue: {
      safeContents: [
        { privacyMode: 0, value: keyBag },
        { privacyMode: 1, value: certificateBag },
      ],
    },
  })
  await safe.makeInternalValues({ safeContents: [{}, encryption] })
  const pfx = new PFX({ parsedValue: { integrityMode: 0, authenticatedSafe: safe } })
  await pfx.makeInternalValues({
    password: bytes,
    iterations: 2_048,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  })
  return Buffer.from(pfx.toSchema().toBER())
}
