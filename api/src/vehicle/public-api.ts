/* What other features may use of this one; nothing else is imported from outside. */

export { pathOfImage } from './image-paths.ts'
export { ensureVehiclePartitions } from './maintenance.ts'
export {
  axlesByKeys,
  findArchived,
  findRecent,
  putImage,
  type Received,
  tagsBetween,
  tagsOf,
  vehicleByKey,
  vehiclesByKeys,
} from './queries.ts'
