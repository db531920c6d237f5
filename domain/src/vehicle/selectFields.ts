import type { ListFlags, Tag, Vehicle } from '@rogatka/contract/vehicle.ts'

/** Removes fields that the flags of a list do not request; catalogue data is only in the detail. */
export function selectFields(vehicle: Vehicle, flags: ListFlags, tags: Tag[]): Vehicle {
  const { axles, axlesComplex, shapeSamples, images = [], euro: _, ...plain } = vehicle
  const data = flags.withDataImages === true
  return {
    ...plain,
    ...(flags.withAxles && { axles, axlesComplex }),
    ...(flags.withShapeSamples && { shapeSamples }),
    ...((flags.withImages || data) && {
      images: data ? images : images.map(({ number, type }) => ({ number, type })),
    }),
    ...(flags.withTags && { tags }),
  }
}
