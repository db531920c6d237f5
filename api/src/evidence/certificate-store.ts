import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AuthenticatedSafe, CertBag, Certificate, ContentInfo, PFX, PKCS8ShroudedKeyBag, PrivateKeyInfo } from 'pkijs'
import type { Config } from '../config.ts'
import type { Signer } from './cms.ts'

const MIN_RSA_BITS = 3072

/** All certificates of a file in PEM; none without a file. @throws Error if it has none, or one cannot be read */
export async function readCertificates(path: string | undefined): Promise<X509Certificate[]> {
  if (path === undefined) return []
  const text = await readFile(path, 'utf8')
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error(`${path} has no certificate in PEM`)
  return blocks.map((block) => new X509Certificate(block))
}

/** The roots of authorities for time stamps. @throws Error with one line that says what is wrong with the file */
export const readAuthorities = ({ ca }: NonNullable<Config['stamps']>): Promise<X509Certificate[]> =>
  readCertificates(ca).catch((error: Error) => {
    throw new Error(`TSA_CA: ${error.message}`)
  })

/**
 * Reads the key and certificates with which documents are signed; null without them. `chain` of the result has the issuers
 * of the certificate, of both files.
 * @throws Error with one line that says what is wrong with the files
 */
export async function openSigner(settings: Config['evidence']): Promise<Signer | null> {
  if (!settings) return null
  const { keys, certificates } = await readStore(settings.p12, settings.password)
  const further = await readCertificates(settings.chain).catch((error: Error) => {
    throw new Error(`EVIDENCE_CHAIN: ${error.message}`)
  })
  const [key] = keys
  if (!key || keys.length > 1) throw new Error(`EVIDENCE_P12: one private key is needed, the file has ${keys.length}`)
  const certificate = certificates.find((one) => one.checkPrivateKey(key))
  if (!certificate) throw new Error('EVIDENCE_P12: the file has no certificate of its key')
  assertKeyKind(key)
  const issuers = [...certificates, ...further].filter((one) => one.ca && !one.raw.equals(certificate.raw))
  return { key, certificate, chain: unique(issuers) }
}

const unique = (certificates: readonly X509Certificate[]) => [
  ...new Map(certificates.map((one) => [one.fingerprint256, one])).values(),
]

function assertKeyKind({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  const isFit =
    (type === 'ec' && details?.namedCurve === 'prime256v1') ||
    (type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_RSA_BITS)
  if (!isFit) throw new Error(`EVIDENCE_P12: a key on P-256, or of RSA with ${MIN_RSA_BITS} bits or more, is needed`)
}

/** Keys and certificates of a PKCS#12 file that is encrypted by PBES2. */
async function readStore(path: string, text: string) {
  const password = new Uint8Array(Buffer.from(text)).buffer
  const pfx = await readFile(path)
    .then((bytes) => PFX.fromBER(new Uint8Array(bytes)))
    .catch((error: Error) => {
      throw new Error(`EVIDENCE_P12: ${path} cannot be read: ${error.message}`)
    })
  await pfx.parseInternalValues({ password, checkIntegrity: true }).catch(() => {
    throw new Error('EVIDENCE_P12: the file is damaged, or EVIDENCE_P12_PASSWORD is wrong')
  })
  const safe = pfx.parsedValue?.authenticatedSafe
  if (!(safe instanceof AuthenticatedSafe)) throw new Error('EVIDENCE_P12: the file has no contents')
  const isEncrypted = ({ contentType }: ContentInfo) => contentType === ContentInfo.ENCRYPTED_DATA
  const keys: KeyObject[] = []
  const certificates: X509Certificate[] = []
  try {
    await safe.parseInternalValues({
      safeContents: safe.safeContents.map((content) => (isEncrypted(content) ? { password } : {})),
    })
    const contents = safe.parsedValue.safeContents as { value: { safeBags: { bagValue: unknown }[] } }[]
    for (const { bagValue } of contents.flatMap(({ value }) => value.safeBags)) {
      if (bagValue instanceof PKCS8ShroudedKeyBag) {
        await (bagValue as unknown as Decryption).parseInternalValues({ password })
        if (bagValue.parsedValue) keys.push(keyOf(bagValue.parsedValue))
      } else if (bagValue instanceof PrivateKeyInfo) keys.push(keyOf(bagValue))
      else if (bagValue instanceof CertBag && bagValue.parsedValue instanceof Certificate)
        certificates.push(new X509Certificate(Buffer.from(bagValue.parsedValue.toSchema().toBER())))
    }
  } catch (error) {
    throw new Error(
      `EVIDENCE_P12: the file is not encrypted by PBES2 with AES; convert it with openssl pkcs12 (${(error as Error).message})`,
    )
  }
  return { keys, certificates }
}

/** pkijs declares it as protected. */
type Decryption = { parseInternalValues: (parameters: { password: ArrayBuffer }) => Promise<void> }

const keyOf = (info: PrivateKeyInfo): KeyObject =>
  createPrivateKey({ key: Buffer.from(info.toSchema().toBER()), format: 'der', type: 'pkcs8' })
