import type { Image, ListFlags, Tag, Vehicle } from '@rogatka/contract/vehicle.ts'

/** Removes fields that the flags of a list do not request; catalogue data is only in the detail. */
export function selectFields(vehicle: Vehicle, flags: ListFlags, tags: Tag[]): Vehicle {
  const { axles, axlesComplex, shapeSamples, images = [], euro: _, ...plain } = vehicle
  const data = flags.withDataImages === true
  return {
    ...plain,
    ...(flags.withAxles && { axles, axlesComplex }),
    ...(flags.withShapeSamples && { shapeSamples }),
    ...((flags.withImages || data) && {
      images: data ? images : images.map(withoutData),
    }),
    ...(flags.withTags && { tags }),
  }
}

/** The image without size and digest. */
export const withoutData = ({ number, type, path }: Image): Image => ({
  number,
  type,
  ...(path !== undefined && { path }),
})
