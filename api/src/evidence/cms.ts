import { constants, createHash, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { type DerElement, der, derOid, derSet, readDer, readSequence, TAG } from './der.ts'

/* Signatures as of the Cryptographic Message Syntax (RFC 5652), in the form that CAdES and PAdES ask for. */

const OID = {
  data: derOid('1.2.840.113549.1.7.1'),
  signedData: derOid('1.2.840.113549.1.7.2'),
  contentType: derOid('1.2.840.113549.1.9.3'),
  messageDigest: derOid('1.2.840.113549.1.9.4'),
  signingCertificate: derOid('1.2.840.113549.1.9.16.2.12'),
  signingCertificateV2: derOid('1.2.840.113549.1.9.16.2.47'),
  timeStampToken: derOid('1.2.840.113549.1.9.16.2.14'),
  sha256: derOid('2.16.840.1.101.3.4.2.1'),
  ecdsaWithSha256: derOid('1.2.840.10045.4.3.2'),
  rsaWithSha256: derOid('1.2.840.113549.1.1.11'),
  rsaPss: derOid('1.2.840.113549.1.1.10'),
}
const HASHES: readonly [name: string, oid: Buffer][] = [
  ['sha1', derOid('1.3.14.3.2.26')],
  ['sha256', OID.sha256],
  ['sha384', derOid('2.16.840.1.101.3.4.2.2')],
  ['sha512', derOid('2.16.840.1.101.3.4.2.3')],
]
/** Hashes with which a signature may be made. */
const SIGNATURE_HASHES = ['sha256', 'sha384', 'sha512']

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Name of the hash of an AlgorithmIdentifier, such as `sha256`; undefined if it is unknown. */
export function hashOf(algorithm: Buffer): string | undefined {
  const oid = readSequence(algorithm)[0]?.bytes
  return HASHES.find(([, known]) => oid?.equals(known))?.[0]
}

/** A key with its certificate. */
export type Signer = {
  key: KeyObject
  certificate: X509Certificate
  /** The issuers of the certificate, to be put into signatures. */
  chain: readonly X509Certificate[]
}

/** A signature with one signer, taken apart. */
export type SignedData = {
  /** Signed content; null if it is elsewhere. */
  content: Buffer | null
  contentType: Buffer
  certificates: X509Certificate[]
  /** Issuer and serial number of the certificate of the signer. */
  signerId: Buffer
  digestAlgorithm: Buffer
  /** Attributes of the signer, one after the other. */
  signedAttributes: Buffer
  signatureAlgorithm: Buffer
  signature: Buffer
  /** TimeStampToken over the signature; null without one. */
  token: Buffer | null
}

const attribute = (oid: Buffer, value: Buffer) => der(TAG.sequence, oid, der(TAG.set, value))
const version = (number: number) => der(TAG.integer, Buffer.of(number))

/** Issuer and serial number of a certificate, as a signature names its signer. */
function signerIdOf(certificate: X509Certificate): Buffer {
  const fields = readDer((readSequence(certificate.raw)[0] as DerElement).value)
  // The version comes first, if it is given.
  const at = fields[0]?.tag === TAG.context0 ? 1 : 0
  return der(TAG.sequence, (fields[at + 2] as DerElement).bytes, (fields[at] as DerElement).bytes)
}

/** Signs a content, which stays outside of the signature. */
export function signDetached(content: Uint8Array, { key, certificate, chain }: Signer): SignedData {
  const signedAttributes = [
    attribute(OID.contentType, OID.data),
    attribute(OID.messageDigest, der(TAG.octets, sha256(content))),
    // ESSCertIDv2, whose hash is SHA-256 by default.
    attribute(
      OID.signingCertificateV2,
      der(TAG.sequence, der(TAG.sequence, der(TAG.sequence, der(TAG.octets, sha256(certificate.raw))))),
    ),
  ]
  const set = derSet(TAG.set, signedAttributes)
  const algorithm =
    key.asymmetricKeyType === 'ec'
      ? der(TAG.sequence, OID.ecdsaWithSha256)
      : der(TAG.sequence, OID.rsaWithSha256, der(TAG.null))
  return {
    content: null,
    contentType: OID.data,
    certificates: [certificate, ...chain],
    signerId: signerIdOf(certificate),
    digestAlgorithm: der(TAG.sequence, OID.sha256),
    signedAttributes: (readDer(set)[0] as DerElement).value,
    signatureAlgorithm: algorithm,
    signature: sign('sha256', set, key),
    token: null,
  }
}

/** Encodes a detached signature. */
export const encodeSignedData = (signed: SignedData): Buffer =>
  der(
    TAG.sequence,
    OID.signedData,
    der(
      TAG.context0,
      der(
        TAG.sequence,
        version(1),
        der(TAG.set, signed.digestAlgorithm),
        der(TAG.sequence, signed.contentType),
        derSet(
          TAG.context0,
          signed.certificates.map(({ raw }) => raw),
        ),
        der(
          TAG.set,
          der(
            TAG.sequence,
            version(1),
            signed.signerId,
            signed.digestAlgorithm,
            der(TAG.context0, signed.signedAttributes),
            signed.signatureAlgorithm,
            der(TAG.octets, signed.signature),
            ...(signed.token ? [der(TAG.context1, attribute(OID.timeStampToken, signed.token))] : []),
          ),
        ),
      ),
    ),
  )

/** Reads a signature with one signer. @throws Error if it is something else */
export function readSignedData(bytes: Buffer): SignedData {
  const [type, wrapped] = readSequence(bytes)
  if (!type?.bytes.equals(OID.signedData) || !wrapped) throw new Error('CMS: no signed data')
  const fields = readSequence(wrapped.value)
  const encapsulated = readDer(fields[2]?.value ?? Buffer.of())
  const certificates = readDer(fields.find(({ tag }) => tag === TAG.context0)?.value ?? Buffer.of())
  const signers = readDer(fields.at(-1)?.value ?? Buffer.of())
  const [, signerId, digestAlgorithm, signedAttributes, signatureAlgorithm, signature, unsigned] = readDer(
    signers[0]?.value ?? Buffer.of(),
  )
  if (signers.length !== 1 || signedAttributes?.tag !== TAG.context0 || signature?.tag !== TAG.octets)
    throw new Error('CMS: one signer with signed attributes is needed')
  const [content] = encapsulated[1] ? readDer(encapsulated[1].value) : []
  return {
    content: content ? octetsOf(content) : null,
    contentType: encapsulated[0]?.bytes ?? Buffer.of(),
    certificates: certificates.filter(({ tag }) => tag === TAG.sequence).map(({ bytes }) => new X509Certificate(bytes)),
    signerId: (signerId as DerElement).bytes,
    digestAlgorithm: (digestAlgorithm as DerElement).bytes,
    signedAttributes: signedAttributes.value,
    signatureAlgorithm: (signatureAlgorithm as DerElement).bytes,
    signature: signature.value,
    token: unsigned ? (attributeValue(unsigned.value, OID.timeStampToken) ?? null) : null,
  }
}

/** The bytes of an octet string, which may be in parts. */
const octetsOf = ({ tag, value }: DerElement): Buffer =>
  tag === TAG.constructedOctets ? Buffer.concat(readDer(value).map((part) => part.value)) : value

/** The only value of an attribute; undefined without it. */
function attributeValue(attributes: Buffer, oid: Buffer): Buffer | undefined {
  const found = readDer(attributes)
    .map(({ value }) => readDer(value))
    .filter(([type]) => type?.bytes.equals(oid))
  const values = readDer(found[0]?.[1]?.value ?? Buffer.of())
  return found.length === 1 && values.length === 1 ? values[0]?.bytes : undefined
}

/** Whether the attributes name this certificate by its hash, which binds the signature to it (RFC 5035). */
function namesCertificate(attributes: Buffer, { raw }: X509Certificate): boolean {
  const first = (value: Buffer | undefined) =>
    value && readDer(readSequence(readSequence(value)[0]?.bytes ?? value)[0]?.value ?? value)
  const v2 = first(attributeValue(attributes, OID.signingCertificateV2))
  const v1 = first(attributeValue(attributes, OID.signingCertificate))
  const fields = v2 ?? v1
  const algorithm = fields?.[0]?.tag === TAG.sequence ? hashOf(fields[0].bytes) : v2 ? 'sha256' : 'sha1'
  const digest = fields?.find(({ tag }) => tag === TAG.octets)?.value
  return !!digest && !!algorithm && createHash(algorithm).update(raw).digest().equals(digest)
}

/** Whether the bytes are exactly what this version writes for this signature, so that no bit of them can be changed unnoticed. */
export const isCanonical = (signed: SignedData, bytes: Buffer): boolean =>
  signed.content === null && encodeSignedData(signed).equals(bytes)

/** What a signature proves: the certificate of its signer, and whether the content is as it was signed. */
export type Proof = { certificate: X509Certificate; isContentSame: boolean }

/**
 * Verifies a signature; null if it was not made by the key of a certificate in it, or is not bound to that certificate.
 * Whether the certificate is trusted is not checked.
 */
export function verifySignedData(signed: SignedData, content: Uint8Array): Proof | null {
  const { signedAttributes, signature, signatureAlgorithm } = signed
  const certificate = signed.certificates.find((one) => signerIdOf(one).equals(signed.signerId))
  const hash = hashOf(signed.digestAlgorithm)
  if (!certificate || !hash || !SIGNATURE_HASHES.includes(hash)) return null
  if (!namesCertificate(signedAttributes, certificate)) return null
  if (!attributeValue(signedAttributes, OID.contentType)?.equals(signed.contentType)) return null
  const isPss = readSequence(signatureAlgorithm)[0]?.bytes.equals(OID.rsaPss)
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO } : {}
  const key = { key: certificate.publicKey, ...padding }
  if (!verify(hash, der(TAG.set, signedAttributes), key, signature)) return null
  const digest = der(TAG.octets, createHash(hash).update(content).digest())
  return { certificate, isContentSame: attributeValue(signedAttributes, OID.messageDigest)?.equals(digest) ?? false }
}
