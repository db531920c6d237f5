/** Longitude and latitude in degrees. */
export type LonLat = { longitude: number; latitude: number }

/** In radii of the sphere, or in pixels; y grows to the north in a projection and downwards on a map. */
export type Point = { x: number; y: number }

export type ConformalConic = {
  /** Latitudes without distortion, degrees. */
  parallels: readonly [number, number]
  /** Where x and y are 0. */
  origin: LonLat
}

const RADIANS = Math.PI / 180

/** Tangent of the angle by which all formulas of the projection depend on the latitude (degrees). */
const tangentOf = (latitude: number) => Math.tan(Math.PI / 4 + (latitude * RADIANS) / 2)

/**
 * Lambert's conformal conic projection of the sphere: Snyder, Map Projections – A Working Manual (USGS 1395), formulas
 * 15-1 to 15-5.
 */
export function conformalConic({ parallels: [south, north], origin }: ConformalConic): (at: LonLat) => Point {
  const cone =
    Math.log(Math.cos(south * RADIANS) / Math.cos(north * RADIANS)) / Math.log(tangentOf(north) / tangentOf(south))
  const factor = (Math.cos(south * RADIANS) * tangentOf(south) ** cone) / cone
  const radiusOf = (latitude: number) => factor / tangentOf(latitude) ** cone
  const originRadius = radiusOf(origin.latitude)
  return ({ longitude, latitude }) => {
    const angle = cone * (longitude - origin.longitude) * RADIANS
    const radius = radiusOf(latitude)
    return { x: radius * Math.sin(angle), y: originRadius - radius * Math.cos(angle) }
  }
}
