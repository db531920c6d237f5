import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'

/* SNMPv1 encoding (RFC 1157) for a sign and a manager that share no code with the portal. */

/** INTEGER, OCTET STRING, or NULL. */
export type Value = number | Buffer | null
export type Binding = { oid: string; value: Value }
export type PduType = 'get' | 'next' | 'response' | 'set'
export type Message = {
  community: string
  type: PduType
  id: number
  /** 0 none, 2 noSuchName, 3 badValue, 4 readOnly, 5 genErr. */
  error: number
  /** Index of the faulty binding, from 1. */
  index: number
  bindings: Binding[]
}

const PDU: Record<PduType, number> = { get: 0xa0, next: 0xa1, response: 0xa2, set: 0xa3 }
const TAG = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, sequence: 0x30 } as const
const VERSION_1 = 0

const field = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

/** Two's complement in as few bytes as possible. */
function integer(value: number): Buffer {
  const bytes = [value & 0xff]
  for (let rest = value >> 8; ; rest >>= 8) {
    const isNegative = (bytes[0] as number) >= 0x80
    if ((rest === 0 && !isNegative) || (rest === -1 && isNegative)) return field(TAG.integer, Buffer.from(bytes))
    bytes.unshift(rest & 0xff)
  }
}

function objectId(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const groups = [part & 0x7f]
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return field(TAG.oid, Buffer.from([first * 40 + second, ...bytes]))
}

const encodeValue = (value: Value): Buffer => {
  if (value === null) return field(TAG.null)
  return typeof value === 'number' ? integer(value) : field(TAG.octets, value)
}

export const encode = ({ community, type, id, error, index, bindings }: Message): Buffer => {
  const list = bindings.map(({ oid, value }) => field(TAG.sequence, objectId(oid), encodeValue(value)))
  const pdu = field(PDU[type], integer(id), integer(error), integer(index), field(TAG.sequence, ...list))
  return field(TAG.sequence, integer(VERSION_1), field(TAG.octets, Buffer.from(community)), pdu)
}

type Field = { tag: number; body: Buffer }

function fields(bytes: Buffer): Field[] {
  const found: Field[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number
    let length = bytes[at + 1] as number
    at += 2
    if (length >= 0x80) {
      const size = length & 0x7f
      length = bytes.readUIntBE(at, size)
      at += size
    }
    found.push({ tag, body: bytes.subarray(at, at + length) })
    at += length
  }
  return found
}

const readInteger = ({ body }: Field): number => body.readIntBE(0, body.length)

function readObjectId({ body: [head = 0, ...rest] }: Field): string {
  const parts = [Math.floor(head / 40), head % 40]
  let part = 0
  for (const byte of rest) {
    part = part * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    parts.push(part)
    part = 0
  }
  return parts.join('.')
}

const readValue = (encoded: Field): Value => {
  if (encoded.tag === TAG.null) return null
  return encoded.tag === TAG.integer ? readInteger(encoded) : Buffer.from(encoded.body)
}

export function decode(packet: Buffer): Message {
  const [version, community, pdu] = fields((fields(packet)[0] as Field).body) as [Field, Field, Field]
  if (readInteger(version) !== VERSION_1) throw new Error('not SNMP version 1')
  const type = (Object.keys(PDU) as PduType[]).find((name) => PDU[name] === pdu.tag)
  if (!type) throw new Error(`unknown PDU ${pdu.tag}`)
  const [id, error, index, list] = fields(pdu.body) as [Field, Field, Field, Field]
  return {
    community: community.body.toString('latin1'),
    type,
    id: readInteger(id),
    error: readInteger(error),
    index: readInteger(index),
    bindings: fields(list.body).map((binding) => {
      const [oid, value] = fields(binding.body) as [Field, Field]
      return { oid: readObjectId(oid), value: readValue(value) }
    }),
  }
}

/** A UDP socket on loopback. */
export async function openSocket(onPacket: (packet: Buffer, from: RemoteInfo) => void): Promise<Socket> {
  const socket = createSocket('udp4', onPacket).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
