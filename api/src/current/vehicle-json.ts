import {
  type ListFlags,
  listFlags,
  type Tag,
  type Vehicle,
  vehicle as vehicleSchema,
  type WantedMark,
} from '@rogatka/contract/vehicle.ts'
import { selectFields } from '@rogatka/domain/vehicle/selectFields.ts'
import type { ImageAddresses } from '../vehicle/public-api.ts'

/** What a user sees of a vehicle besides what all viewers of their kind see. */
type VehicleMarks = { tags: Tag[]; wanted: WantedMark | undefined }

export type VehicleJson = {
  /** A vehicle of the live list for this kind of viewer, with the requested fields, as JSON. */
  encode: (vehicle: Vehicle, flags: ListFlags, isAnonymised: boolean, own?: VehicleMarks) => string
  /** Changes when the same vehicles are shown with other addresses of images; the same in all processes. */
  keyId: () => string
}

const flagNames = Object.keys(listFlags.shape) as (keyof ListFlags)[]

/** Encodes vehicles once for all who are shown the same of them: thousands of operators watch the same stations. */
export function createVehicleJson(addresses: ImageAddresses): VehicleJson {
  /** By vehicle, which is replaced when it changes, then by what is shown of it. */
  let encoded = new WeakMap<Vehicle, Map<string, string>>()
  let keyId = addresses.keyId()

  const encode = (
    vehicle: Vehicle,
    flags: ListFlags,
    isAnonymised: boolean,
    { tags, wanted }: VehicleMarks,
  ): string => {
    const shown = selectFields(addresses.show(vehicle, isAnonymised), flags, tags)
    return JSON.stringify(vehicleSchema.encode(wanted ? { ...shown, wanted } : shown))
  }

  return {
    encode: (vehicle, flags, isAnonymised, own = { tags: [], wanted: undefined }) => {
      if (own.tags.length > 0 || own.wanted) return encode(vehicle, flags, isAnonymised, own)
      if (keyId !== addresses.keyId()) {
        encoded = new WeakMap()
        keyId = addresses.keyId()
      }
      const byView = encoded.get(vehicle) ?? new Map<string, string>()
      encoded.set(vehicle, byView)
      const view = [isAnonymised, ...flagNames.map((name) => flags[name] === true)].map(Number).join('')
      const known = byView.get(view)
      if (known !== undefined) return known
      const json = encode(vehicle, flags, isAnonymised, own)
      byView.set(view, json)
      return json
    },
    keyId: addresses.keyId,
  }
}
