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

/** A vehicle of the live list as JSON. */
type EncodeVehicle = (vehicle: Vehicle, own?: VehicleMarks) => string

export type VehicleJson = {
  /** For this kind of viewer, with the requested fields. */
  encoder: (flags: ListFlags, isAnonymised: boolean) => EncodeVehicle
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
    encoder: (flags, isAnonymised) => {
      const view = [isAnonymised, ...flagNames.map((name) => flags[name] === true)].map(Number).join('')
      return (vehicle, own) => {
        if (own && (own.tags.length > 0 || own.wanted)) return encode(vehicle, flags, isAnonymised, own)
        if (keyId !== addresses.keyId()) {
          encoded = new WeakMap()
          keyId = addresses.keyId()
        }
        let byView = encoded.get(vehicle)
        if (!byView) {
          byView = new Map()
          encoded.set(vehicle, byView)
        }
        const known = byView.get(view)
        if (known !== undefined) return known
        const json = encode(vehicle, flags, isAnonymised, { tags: [], wanted: undefined })
        byView.set(view, json)
        return json
      }
    },
    keyId: addresses.keyId,
  }
}
