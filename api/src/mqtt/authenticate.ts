import { randomUUID } from 'node:crypto'
import type { IConnectPacket } from 'mqtt-packet'
import { isDatabaseUnavailable } from '../core/database.ts'
import type { Api } from '../core/route.ts'

/** The sender of a connection. `clientId`: as the client named it; `isAssigned`: it named none. */
export type Sender = { locationId: number; key: string; clientId: string; isAssigned: boolean }

type Codes = { reason: string; returnCode: number; reasonCode: number }

/** Why a connection is not accepted: return code of MQTT 3.1 and 3.1.1, reason code of MQTT 5. */
const REFUSALS = {
  clientId: { reason: 'client id missing', returnCode: 2, reasonCode: 0x85 },
  unavailable: { reason: 'unavailable', returnCode: 3, reasonCode: 0x88 },
  tooMany: { reason: 'too-many-requests', returnCode: 3, reasonCode: 0x9f },
  wrongKey: { reason: 'wrong-station-key', returnCode: 4, reasonCode: 0x86 },
  will: { reason: 'will', returnCode: 5, reasonCode: 0x87 },
  method: { reason: 'authentication method', returnCode: 5, reasonCode: 0x8c },
} satisfies Record<string, Codes>

/** Station numbers, without a sign or leading zeros. */
const LOCATION_ID = /^[1-9]\d{0,8}$/

type Credentials = Pick<Api, 'stationKeys' | 'now'> & Pick<Api['http'], 'knownTokens' | 'callLimits'>

/**
 * Checks user (station) and password (one of its keys) of a client. Returns the sender, or why it is not accepted.
 * @throws Error other than that the database is unavailable
 */
export async function authenticate(
  { stationKeys, now, knownTokens, callLimits }: Credentials,
  packet: IConnectPacket,
  ip: string,
): Promise<Sender | Codes> {
  const { clientId, clean, username = '', will, protocolVersion } = packet
  const key = packet.password?.toString() ?? ''
  if (callLimits(ip, key) !== null) return REFUSALS.tooMany
  if (packet.properties?.authenticationMethod !== undefined) return REFUSALS.method
  if (will) return REFUSALS.will
  if (clientId === '' && !clean && protocolVersion !== 5) return REFUSALS.clientId
  try {
    const station = LOCATION_ID.test(username) && key !== '' ? await stationKeys.find(key, now()) : undefined
    if (station?.locationId !== Number(username)) {
      if (!station) knownTokens.remove(key)
      return REFUSALS.wrongKey
    }
    knownTokens.add(key)
    return { ...station, key, clientId: clientId || randomUUID(), isAssigned: clientId === '' }
  } catch (error) {
    if (isDatabaseUnavailable(error)) return REFUSALS.unavailable
    throw error
  }
}
