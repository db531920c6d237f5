import { type ConformalConic, conformalConic, type LonLat, type Point } from './projection.ts'

/*
 * The map of the country, drawn from a topology of all countries (TopoJSON) when the web client is built. On the screen
 * the same projection places the stations on it.
 */

/** Poland lies between 49.0° and 54.8° N, 14.1° and 24.1° E; the parallels leave a sixth on either side. */
const PROJECTION: ConformalConic = { parallels: [50, 53.9], origin: { longitude: 19.1, latitude: 51.9 } }

/** Poland in ISO 3166-1. */
const COUNTRY = '616'

/** Size of the map on which the whole country fits, and the space around the country, px. */
export const MAP_WIDTH = 392
const MARGIN = 16
/** Neighbours are drawn so far beyond the map, px, because its container may be wider or higher. */
const SURROUNDINGS = { x: 140, y: 220 }

/** The parts of a TopoJSON topology that are read. */
export type Topology = {
  transform: { scale: readonly [number, number]; translate: readonly [number, number] }
  /** Points of an arc: the first absolute, the others by their distance to the one before. */
  arcs: readonly (readonly (readonly number[])[])[]
  objects: {
    countries: {
      geometries: readonly { type: string; id?: string; arcs?: unknown }[]
    }
  }
}

/** Where the map lies: px = x0 + scale · x, y0 − scale · y. */
type MapTransform = { scale: number; x0: number; y0: number }

export type CountryMap = MapTransform & {
  height: number
  /** SVG paths of the country and of the land around it. */
  country: string
  neighbours: string
}

const project = conformalConic(PROJECTION)

const toPixels = ({ scale, x0, y0 }: MapTransform, { x, y }: Point): Point => ({ x: x0 + scale * x, y: y0 - scale * y })

/** Position of a place on the map, px. */
export const positionOnMap = (map: MapTransform, at: LonLat): Point => toPixels(map, project(at))

type Ring = readonly Point[]

/** Projected rings of each country, by its number in ISO 3166-1; a country without one has an empty key. */
function ringsOf({ arcs, transform, objects }: Topology): { id: string; rings: Ring[] }[] {
  const [scaleX, scaleY] = transform.scale
  const [left, bottom] = transform.translate
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx = 0, dy = 0]) => {
      x += dx
      y += dy
      return project({ longitude: x * scaleX + left, latitude: y * scaleY + bottom })
    })
  })
  // A negative number is an arc in the other direction. An arc begins where the one before ends.
  const ringOf = (numbers: readonly number[]): Ring =>
    numbers.flatMap((number) => (number < 0 ? (lines[~number] ?? []).toReversed() : (lines[number] ?? [])).slice(1))
  return objects.countries.geometries.map(({ type, id = '', arcs: shapes }) => ({
    id,
    rings: (type === 'Polygon' ? [shapes] : type === 'MultiPolygon' ? (shapes as unknown[]) : []).flatMap((polygon) =>
      (polygon as number[][]).map(ringOf),
    ),
  }))
}

type Side = { isInside: (point: Point) => boolean; cut: (a: Point, b: Point) => Point }

const between = (a: Point, b: Point, share: number): Point => ({
  x: a.x + share * (b.x - a.x),
  y: a.y + share * (b.y - a.y),
})

const side = (axis: 'x' | 'y', limit: number, direction: 1 | -1): Side => ({
  isInside: (point) => direction * (point[axis] - limit) >= 0,
  cut: (a, b) => between(a, b, (limit - a[axis]) / (b[axis] - a[axis])),
})

/** The part of a ring inside all sides (Sutherland and Hodgman); its edges along a side are outside the visible map. */
const clip = (ring: Ring, sides: readonly Side[]): Ring =>
  sides.reduce<Ring>(
    (points, { isInside, cut }) =>
      points.flatMap((point, at) => {
        const before = points.at(at - 1) ?? point
        const crossing = isInside(before) === isInside(point) ? [] : [cut(before, point)]
        return isInside(point) ? [...crossing, point] : crossing
      }),
    ring,
  )

/** SVG path of rings, relative and in tenths of a pixel. */
function pathOf(rings: readonly Ring[]): string {
  const number = (tenths: number) => String(tenths / 10)
  return rings
    .map((ring) => {
      const points = ring.map(({ x, y }) => ({ x: Math.round(10 * x), y: Math.round(10 * y) }))
      const steps = points.slice(1).flatMap(({ x, y }, at) => {
        const { x: beforeX = 0, y: beforeY = 0 } = points[at] ?? {}
        return x === beforeX && y === beforeY ? [] : [`${number(x - beforeX)} ${number(y - beforeY)}`]
      })
      const [first] = points
      return first && steps.length > 1 ? `M${number(first.x)} ${number(first.y)}l${steps.join(' ')}z` : ''
    })
    .join('')
    .replaceAll(' -', '-')
}

/** Draws the country so that it fills the width of the map, and its surroundings. */
export function drawCountry(topology: Topology): CountryMap {
  const countries = ringsOf(topology)
  const own = countries.find(({ id }) => id === COUNTRY)?.rings ?? []
  const [xs, ys] = [own.flat().map(({ x }) => x), own.flat().map(({ y }) => y)]
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = (MAP_WIDTH - 2 * MARGIN) / (right - left)
  const place = { scale, x0: MARGIN - scale * left, y0: MARGIN + scale * top }
  const height = Math.ceil(scale * (top - bottom)) + 2 * MARGIN
  const sides = [
    side('x', -SURROUNDINGS.x, 1),
    side('x', MAP_WIDTH + SURROUNDINGS.x, -1),
    side('y', -SURROUNDINGS.y, 1),
    side('y', height + SURROUNDINGS.y, -1),
  ]
  const pathFor = (rings: readonly Ring[]) =>
    pathOf(
      rings.map((ring) =>
        clip(
          ring.map((point) => toPixels(place, point)),
          sides,
        ),
      ),
    )
  return {
    ...place,
    height,
    country: pathFor(own),
    neighbours: pathFor(countries.filter(({ id }) => id !== COUNTRY).flatMap(({ rings }) => rings)),
  }
}
