/** Where a station is. */
export type StationPlace = {
  roadNumber: string
  /** `12+300` is km 12.3 of its road. */
  chainage: string
  /** Degrees north and east (WGS 84); missing or null if unknown. */
  latitude?: number | null
  longitude?: number | null
}

const EARTH_RADIUS_KM = 6_371

const kilometresOf = (chainage: string): number => Number(chainage.replace('+', '.'))
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Length of the shortest way over the surface of the earth, in km (haversine). */
function greatCircle(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const across = Math.sin(radians(otherLatitude - latitude) / 2) ** 2
  const along = Math.sin(radians(otherLongitude - longitude) / 2) ** 2
  const half = across + Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * along
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(half))
}

/**
 * Distance that a vehicle drives at least between two stations, in km: by chainage on one road, else the great circle; null
 * if neither is known.
 */
export function stationDistance(one: StationPlace, other: StationPlace): number | null {
  const byRoad = Math.abs(kilometresOf(one.chainage) - kilometresOf(other.chainage))
  if (one.roadNumber === other.roadNumber && !Number.isNaN(byRoad)) return byRoad
  if (one.latitude == null || one.longitude == null || other.latitude == null || other.longitude == null) return null
  return greatCircle(one.latitude, one.longitude, other.latitude, other.longitude)
}
