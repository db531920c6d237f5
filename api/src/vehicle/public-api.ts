/* Public API of this feature; other features import nothing else. */

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
