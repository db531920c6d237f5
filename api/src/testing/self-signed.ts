import { createSign, generateKeyPairSync } from 'node:crypto'

/** Tag, length and content of DER. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utf8 = (text: string) => der(0x0c, Buffer.from(text))
const time = (text: string) => der(0x18, Buffer.from(text))
const TRUE = der(0x01, Buffer.from([0xff]))

/** A certificate for 127.0.0.1 and receiver.test that has signed itself, valid until 2099, with its key, in PEM. */
export function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), utf8('receiver.test'))))
  const names = der(0x30, der(0x82, Buffer.from('receiver.test')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = [
    der(0x30, oid('551d13'), TRUE, der(0x04, der(0x30, TRUE))),
    der(0x30, oid('551d11'), der(0x04, names)),
  ]
  const toSign = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    der(0x30, time('20200101000000Z'), time('20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  )
  const signature = createSign('sha256').update(toSign).sign(privateKey)
  const bytes = der(0x30, toSign, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
