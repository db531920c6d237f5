import type { AccuracyClass, Location } from '@rogatka/contract/locations.ts'
import { tolerances } from '../vehicle/tolerance.ts'
import { attributed, element, polishText, value, wrapped } from './elements.ts'
import { header } from './publication.ts'

/** Id of the table of measurement sites. */
const SITES = 'sites'

/** A measurement site: a lane of a station. */
export type Site = {
  station: Pick<
    Location,
    'id' | 'shortName' | 'name' | 'roadNumber' | 'chainage' | 'direction' | 'latitude' | 'longitude'
  >
  laneNumber: number
  accuracyClass: AccuracyClass | null
}

/** The sites of stations, by station and lane. */
export const sitesOf = (stations: readonly Location[]): Site[] =>
  stations
    .toSorted((a, b) => a.id - b.id)
    .flatMap((station) =>
      station.lanes.map(({ laneNumber, accuracyClass }) => ({
        station,
        laneNumber,
        accuracyClass: accuracyClass?.name ?? null,
      })),
    )

/** Id of a site in the table. */
export const siteId = (locationId: number, laneNumber: number): string => `${locationId}-L${laneNumber}`

/** The attributes by which other documents name the table. */
export const sitesTable = (version: string) => ({ targetClass: 'roa:MeasurementSiteTable', id: SITES, version })

/** Content of a MeasurementSiteTablePublication; at least one site. */
export function* sitesContent(sites: readonly Site[], version: string): Generator<string> {
  yield header('roa', false)
  yield `<roa:measurementSiteTable id="${SITES}" version="${version}">`
  for (const site of sites) yield siteXml(site, version)
  yield '</roa:measurementSiteTable>'
}

const siteXml = ({ station, laneNumber, accuracyClass }: Site, version: string): string =>
  attributed(
    'roa:measurementSite',
    { id: siteId(station.id, laneNumber), version },
    polishText('roa:measurementSiteName', station.name),
    value('roa:measurementSiteNumberOfLanes', 1),
    value('roa:measurementSiteIdentification', station.shortName),
    attributed(
      'roa:measurementSpecificCharacteristics',
      { index: 1 },
      element(
        'roa:measurementSpecificCharacteristics',
        value('roa:accuracy', accuracyClass && tolerances[accuracyClass].gross),
        value('roa:specificMeasurementValueType', 'individualVehicleMeasurements'),
        element('roa:specificLane', value('loc:laneNumber', laneNumber)),
      ),
    ),
    pointLocation('roa:measurementSiteLocation', station),
  )

type RoadPoint = {
  roadNumber: string
  chainage: string
  direction?: string
  latitude?: number | null
  longitude?: number | null
}

/** A point beside a road; without coordinates only its road, chainage and direction. */
export const pointLocation = (name: string, point: RoadPoint): string =>
  attributed(
    name,
    { 'xsi:type': 'loc:PointLocation' },
    element(
      'loc:supplementaryPositionalDescription',
      polishText('loc:locationDescription', point.chainage && `km ${point.chainage}`),
      wrapped(
        'loc:roadInformation',
        value('loc:roadDestination', point.direction),
        value('loc:roadNumber', point.roadNumber),
      ),
    ),
    point.latitude == null || point.longitude == null
      ? ''
      : element(
          'loc:pointByCoordinates',
          element(
            'loc:pointCoordinates',
            value('loc:latitude', point.latitude),
            value('loc:longitude', point.longitude),
          ),
        ),
  )
