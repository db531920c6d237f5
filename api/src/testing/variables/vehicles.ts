import { createHmac } from 'node:crypto'
import { detail, plates, search as searchArchive } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { read as readInspection } from '@rogatka/contract/inspections.ts'
import { loads } from '@rogatka/contract/statistics-distributions.ts'
import { readPurpose } from '@rogatka/contract/trail.ts'
import { sql } from '../../core/statement.ts'
import { car, send } from '../../ingest/testing.ts'
import { inspectionScene, open } from '../../inspections/testing.ts'
import { configured, daysBefore, SECRET_KEY } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** Effects of the variables of how vehicles are evaluated, searched and traced. */
export const vehicleEffects: Record<string, VariableEffect> = {
  TRAIL_KEY: {
    title: 'is the key of the HMACs of plates in the access trail; if absent, the database has one',
    cases: [
      [undefined, [16, false]],
      [SECRET_KEY, [16, true]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await send(await api.station(), [car(1, { plateLpr: 'WX 12345' })])
      const user = await api.as('ArchiveMeasurements')
      const query = { locationId: 7, createdAt: car(1).createdAt }
      await user.call(detail, { params: { id: vehicleId(7, 1) }, query })
      const [line] = await api.db.query<{ mac: Buffer }>(sql`select shown[1] as mac from access_trail`)
      const expected = createHmac('sha256', Buffer.from(SECRET_KEY, 'hex')).update('WX12345').digest()
      return [line?.mac.length, line?.mac.equals(expected.subarray(0, 16))]
    },
  },
  PURPOSES: {
    title: 'asks for a purpose before a search by plate',
    cases: [
      [undefined, [false, 200]],
      ['off', [false, 200]],
      ['required', [true, 422]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const user = await api.as('ArchiveMeasurements')
      const { status } = await user.call(plates, { query: { beginning: 'wx' } })
      return [(await user.call(readPurpose)).body.required, status]
    },
  },
  // 51.00 t of 40 t on a lane of class B+(7): 51,000 / 1.07 = 47,664 kg is certain, which is 19.2 % over; measured 27.5 %.
  OVERLOAD_BASIS: {
    title: 'sets the weight that is compared with the limit, also by the colours of loads',
    cases: [
      [undefined, [19.2, 'minimum']],
      ['minimum', [19.2, 'minimum']],
      ['measured', [27.5, 'measured']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const axle = (weight: number, gap: number) => ({ leftWeight: weight / 2, rightWeight: weight / 2, gap })
      const axles = [axle(7_000, 0), axle(11_000, 374), axle(11_000, 562), axle(11_000, 131), axle(11_000, 131)]
      await send(await api.station(), [car(1, { ctg8p1: 9, axles })])
      const user = await api.as('ArchiveMeasurements', 'Stat')
      const query = { locationId: 7, createdAt: car(1).createdAt }
      const { overloadTL } = (await user.call(detail, { params: { id: vehicleId(7, 1) }, query })).body
      const days = { from: '2026-10-20', until: '2026-10-20', locations: '7' }
      return [overloadTL, (await user.call(loads, { query: days })).body[0]?.overloadBasis]
    },
  },
  PLATE_IN_ADDRESS: {
    title: 'refuses plates in addresses',
    cases: [
      [undefined, [200, null]],
      ['refused', [400, 'plate-in-address']],
    ],
    observe: async (env) => {
      const user = await (await configured(env)).as('ArchiveMeasurements')
      const query = { dateTimeStart: daysBefore(1), dateTimeEnd: daysBefore(0), locations: 7 }
      const { status, errors } = await user.call(searchArchive, { query: { ...query, plateLpr: 'GR7K201' } })
      return [status, errors[0]?.code ?? null]
    },
  },
  SHIFT_STARTS: {
    title: 'divides the day into shifts, in Polish time',
    cases: [
      [undefined, { day: '2026-10-20', start: '06:00' }],
      ['10:00, 20:00', { day: '2026-10-20', start: '10:00' }],
      ['10:01,20:00', { day: '2026-10-19', start: '20:00' }],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await inspectionScene(api, 1)
      const officer = await api.as('Inspections')
      const { id } = await open(officer, 1)
      return (await officer.call(readInspection, { params: { id } })).body.shift
    },
  },
}
