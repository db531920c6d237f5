import { imageTypes, imageVersions } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { deviceOf, EVERYTHING, imageAt, seen, telling } from './testing/walk.ts'

/** Creating and reading a hundred files takes a while. */
const TIMEOUT_MS = 120_000

test(
  'no response, report or image identifies a vehicle to anonymised roles',
  async () => {
    const passage = await seen()
    const anonymised = await passage.api.withPermissions([...EVERYTHING, 'ROLE_37'])
    const { leaks, answered, addresses } = await telling(anonymised, passage)
    expect(leaks).toEqual([])
    expect(addresses.size).toBe(imageTypes.length)
    // With an address that another user passed on.
    const other = await telling(await passage.api.withPermissions(EVERYTHING), passage)
    expect(other.addresses.size).toBe(imageTypes.length)
    for (const path of other.addresses)
      for (const version of imageVersions)
        expect(await imageAt(passage.api, anonymised, `${path}/${version}`)).toBeNull()
    const device = await deviceOf(passage, true)
    const ofDevice = await telling(device, passage)
    expect(ofDevice.leaks).toEqual([])
    expect(ofDevice.addresses.size).toBe(imageTypes.length)
    expect(ofDevice.answered).toContain('/current-vehicles')
    for (const path of other.addresses)
      expect(await imageAt(passage.api, device, `${path}/${imageVersions[0]}`)).toBeNull()
    for (const path of [
      '/current-vehicles',
      '/datex/measured',
      '/arch-vehicles/:id/images/:number',
      '/arch-vehicles/export',
      '/users/:id/log',
      '/audit',
      '/inspections',
      '/inspections/:id',
      '/inspections/:id/report',
      '/quarantine',
    ])
      expect(answered).toContain(path)
  },
  TIMEOUT_MS,
)
