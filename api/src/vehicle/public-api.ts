/* What other features may use of this one; nothing else is imported from outside. */

export { imagePath } from './image-paths.ts'
export { ensureVehiclePartitions } from './maintenance.ts'
export {
  axlesByKeys,
  findArchived,
  findRecent,
  type Received,
  type StoredImage,
  tagsBetween,
  tagsOf,
  upsertImages,
  vehicleByKey,
  vehiclesByKeys,
} from './queries.ts'
