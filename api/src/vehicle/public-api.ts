/* Public API of this feature; other features import nothing else. */

export type { ImageAddresses } from './image-addresses.ts'
export type { ImageVersions } from './image-versions.ts'
export type { ListedPlates } from './listed-plates.ts'
export { ensureVehiclePartitions } from './maintenance.ts'
export { requirePackage } from './package-access.ts'
export {
  axlesByKeys,
  findArchived,
  findRecent,
  listImages,
  listTags,
  type StoredImage,
  tagsBetween,
  upsertImages,
  type VehicleReceipt,
  vehicleByKey,
  vehiclesByKeys,
  vehiclesSince,
} from './queries.ts'
export { toImages } from './record.ts'
