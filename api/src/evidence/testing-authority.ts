import { webcrypto } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import { listenUntilFinished } from '../testing/services.ts'
import { run, testFolder } from './testing.ts'
import { derOf, type IssuedCertificate, issue, pemOf, TIME_STAMPING } from './testing-certificates.ts'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'

/** How an authority fails. */
export type Fault =
  | 'imprint'
  | 'nonce'
  | 'usage'
  | 'chain'
  | 'time'
  | 'refused'
  | 'malformed'
  | 'signature'
  | 'silent'
  | 'status'

type Behaviour = { fault: Fault | null; requests: number }

const digestOf = async (bytes: Uint8Array) =>
  new OctetString({ valueHex: await webcrypto.subtle.digest('SHA-256', new Uint8Array(bytes)) })

/** A token of pkijs, with a fault if there is one. */
async function createToken(request: TimeStampReq, signer: IssuedCertificate, at: Date, fault: Fault | null) {
  const { messageImprint, nonce } = request
  const imprint =
    fault === 'imprint' ? new OctetString({ valueHex: new ArrayBuffer(32) }) : messageImprint.hashedMessage
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4.1',
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256, algorithmParams: new Null() }),
      hashedMessage: imprint,
    }),
    serialNumber: new Integer({ value: 77 }),
    genTime: fault === 'time' ? new Date(at.getTime() - 301_000) : at,
    ...(nonce && { nonce: fault === 'nonce' ? new Integer({ value: 5 }) : nonce }),
  })
  const content = new Uint8Array(info.toSchema().toBER())
  const { certificate, keys } = signer
  const certificateId = new Sequence({ value: [await digestOf(derOf(signer))] })
  const attributes = [
    new Attribute({ type: '1.2.840.113549.1.9.3', values: [new ObjectIdentifier({ value: TST_INFO })] }),
    new Attribute({ type: '1.2.840.113549.1.9.4', values: [await digestOf(content)] }),
    new Attribute({
      type: '1.2.840.113549.1.9.16.2.47',
      values: [new Sequence({ value: [new Sequence({ value: [certificateId] })] })],
    }),
  ]
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: TST_INFO,
      eContent: new OctetString({ valueHex: content.buffer }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
    certificates: [certificate],
  })
  await signed.sign(keys.privateKey as CryptoKey, 0, 'SHA-256')
  return new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
}

/** An authority for time stamps by pkijs, on this machine, with its settings. `clock`: what it takes for now. */
export async function startAuthority(clock: () => Date) {
  const folder = await testFolder()
  const root = await issue({ name: 'Urząd czasu', isAuthority: true, until: '2036-01-01T00:00:00Z' })
  const signers = {
    good: await issue({ name: 'Zegar', issuer: root, purposes: [TIME_STAMPING] }),
    usage: await issue({ name: 'Nie zegar', issuer: root, purposes: [TIME_STAMPING, '1.3.6.1.5.5.7.3.1'] }),
    chain: await issue({ name: 'Obcy zegar', purposes: [TIME_STAMPING] }),
  }
  const behaviour: Behaviour = { fault: null, requests: 0 }

  async function reply(query: Buffer): Promise<Buffer> {
    const { fault } = behaviour
    if (fault === 'malformed') return Buffer.from('no DER')
    const request = TimeStampReq.fromBER(new Uint8Array(query))
    const status = new PKIStatusInfo({ status: fault === 'refused' ? 2 : 0 })
    if (fault === 'refused') return Buffer.from(new TimeStampResp({ status }).toSchema().toBER())
    const signer = fault === 'usage' || fault === 'chain' ? signers[fault] : signers.good
    const timeStampToken = await createToken(request, signer, clock(), fault)
    const bytes = Buffer.from(new TimeStampResp({ status, timeStampToken }).toSchema().toBER())
    // The last byte belongs to the signature.
    if (fault === 'signature') bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
    return bytes
  }
  const url = await serve((query) => {
    behaviour.requests++
    if (behaviour.fault === 'silent') return null
    if (behaviour.fault === 'status') return 'unavailable'
    return reply(query)
  })
  const ca = join(folder, 'tsa.pem')
  await writeFile(ca, pemOf(root))
  return { behaviour, ca, url, stamps: { urls: [url], ca } }
}

/** An authority around `openssl ts -reply`. */
export async function startOpensslAuthority() {
  const folder = await testFolder()
  const openssl = (...args: string[]) => run('openssl', args, folder)
  const newKey = ['-newkey', 'rsa:2048', '-nodes']
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=TSA CA')
  await openssl('req', ...newKey, '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=TSA')
  await writeFile(join(folder, 'ext.cnf'), 'extendedKeyUsage=critical,timeStamping\n')
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '30', '-extfile', 'ext.cnf']
  await openssl('x509', '-req', '-in', 'tsa.csr', ...signing, '-out', 'tsa.pem')
  await writeFile(join(folder, 'serial'), '01\n')
  const section = [
    '[tsa]',
    'default_tsa = tsa1',
    '[tsa1]',
    'serial = serial',
    'signer_cert = tsa.pem',
    'signer_key = tsa.key',
    'certs = ca.pem',
    'signer_digest = sha256',
    'default_policy = 1.2.3.4.1',
    'digests = sha256',
    'ess_cert_id_alg = sha256',
  ]
  await writeFile(join(folder, 'tsa.cnf'), `${section.join('\n')}\n`)
  let count = 0
  const url = await serve(async (query) => {
    const [asked, answered] = [`${++count}.tsq`, `${count}.tsr`]
    await writeFile(join(folder, asked), query)
    await openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', asked, '-out', answered)
    return (await import('node:fs/promises')).readFile(join(folder, answered))
  })
  const ca = join(folder, 'ca.pem')
  return { folder, ca, stamps: { urls: [url], ca } }
}

/** An HTTP server of responses to requests for stamps; null: no response. */
async function serve(answer: (query: Buffer) => Promise<Buffer> | 'unavailable' | null): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const answered = await answer(Buffer.concat(parts))
    if (answered === null) return
    response.statusCode = answered === 'unavailable' ? 503 : 200
    response.setHeader('content-type', 'application/timestamp-reply').end(answered)
  })
  return `http://127.0.0.1:${await listenUntilFinished(server)}/tsa`
}
