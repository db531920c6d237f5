import { addScale } from '@rogatka/contract/certificates.ts'
import { API_BASE, type WireOf } from '@rogatka/contract/endpoint.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { add, close, weigh } from '@rogatka/contract/inspections.ts'
import type { Selection } from '@rogatka/contract/options.ts'
import { call, tokenOf } from './call.ts'
import type { Portal } from './portal.ts'
import type { Station } from './station.ts'

/** A vehicle to be stopped and weighed. */
type WeighingInput = {
  station: Station
  measured?: Partial<WireMeasurement>
  selection: Selection
  /** Static loads in kg: one by one, or of the whole vehicle. */
  axles?: number[]
  gross?: number
  carrier?: string
}

/** Opens an inspection of a vehicle, once. */
export async function openInspection(
  portal: Portal,
  token: string,
  body: WireOf<typeof add, 'body'>,
): Promise<WireOf<typeof add, 'response'>> {
  const response = await fetch(`${portal.url}${API_BASE}${add.path}`, {
    method: add.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `e2e-${body.vehicleId ?? body.locationId}`,
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${add.path}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<WireOf<typeof add, 'response'>>
}

/**
 * An officer with a static scale of 1 % that is valid now. The returned function measures a vehicle, takes it over,
 * weighs it and closes its inspection.
 */
export async function createOfficer(portal: Portal, scaleName: string) {
  const token = await tokenOf(portal)
  const year = new Date().getUTCFullYear()
  const scale = await call(portal, token, addScale, {
    body: {
      name: scaleName,
      certificate: `OUM/${scaleName}`,
      authority: 'OUM Warszawa',
      validFrom: `${year - 1}-01-01`,
      validUntil: `${year + 1}-12-31`,
      accuracyPercent: 1,
      kind: 'platform',
    },
  })

  return async ({ station, measured, selection, carrier, ...loads }: WeighingInput): Promise<void> => {
    const { sequence, createdAt } = await station.send(measured)
    const { id, version } = await openInspection(portal, token, {
      locationId: station.id,
      vehicleId: vehicleId(station.id, sequence),
      createdAt,
      state: 'takenOver',
      selection,
    })
    const params = { id }
    const weighed = await call(portal, token, weigh, { params, body: { version, scaleId: scale.id, ...loads } })
    await call(portal, token, close, { params, body: { version: weighed.version, results: [2], carrier } })
  }
}
