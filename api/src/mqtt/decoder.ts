import { type Packet, parser } from 'mqtt-packet'
import { MALFORMED, ProtocolError } from './frames.ts'

/** The packet could not be parsed because of its protocol version. */
export const UNSUPPORTED_VERSION = 0x84

/** Parses the packets of one connection, by the version that its first one names. @throws ProtocolError */
export function createDecoder(): (frame: Buffer) => Packet {
  const packets = parser()
  let result: Packet | Error | undefined
  packets.on('packet', (packet) => {
    result ??= packet
  })
  packets.on('error', (error: Error) => {
    result = error
  })
  return (frame) => {
    result = undefined
    try {
      packets.parse(frame)
    } catch (error) {
      // A field that ends after its packet.
      result = error as Error
    }
    if (result && !(result instanceof Error)) return result
    const { message } = result ?? { message: 'incomplete packet' }
    throw new ProtocolError(message, message === 'Invalid protocol version' ? UNSUPPORTED_VERSION : MALFORMED)
  }
}
