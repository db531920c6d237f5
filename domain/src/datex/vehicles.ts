import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { countryOf } from '../vehicle/country.ts'
import { unpackAxles } from '../vehicle/pack.ts'
import { emissionsOf, fuelTypesOf, vehicleTypeOf } from './classes.ts'
import { attributed, container, element, time, value, wrapped } from './elements.ts'
import { header, reference } from './publication.ts'
import { type Site, siteId, sitesTable } from './sites.ts'

/** A vehicle to publish. */
export type PublishedVehicle = Pick<
  Vehicle,
  | 'id'
  | 'createdAt'
  | 'plateLpr'
  | 'nationality'
  | 'speed'
  | 'totalLoad'
  | 'limitTotalLoad'
  | 'vehLength'
  | 'vehHeight'
  | 'numberOfAxles'
  | 'ctg8p1'
  | 'euro'
> & {
  locationId: number
  laneNumber: number
  /** Time to the vehicle before in the lane; null: none, or too long ago. */
  headwayMs: number | null
  /** As stored: domain/vehicle/pack.ts. */
  axles: number[] | null
}

type MeasuredData = {
  sites: readonly Site[]
  /** Version of the table of sites that the same caller gets. */
  sitesVersion: string
  /** Oldest first. */
  vehicles: readonly PublishedVehicle[]
  withPlates: boolean
  /** Time of the sites without vehicles. */
  at: Date
}

/**
 * Content of a MeasuredDataPublication: one `siteMeasurements` for each vehicle, as the index of a quantity refers to
 * characteristics of the site; without vehicles one for each site. At least one site.
 */
export function* measuredContent({ sites, sitesVersion, vehicles, withPlates, at }: MeasuredData): Generator<string> {
  yield attributed('roa:measurementSiteTableReference', sitesTable(sitesVersion))
  yield header('roa', withPlates)
  const measurementsOf = (id: string, when: Date, quantity: string) =>
    element(
      'roa:siteMeasurements',
      reference('roa:measurementSiteReference', 'roa:MeasurementSite', id, sitesVersion),
      quantity,
      element('roa:measurementTimeDefault', time('roa:timeValue', when)),
    )
  if (vehicles.length === 0)
    for (const { station, laneNumber } of sites) yield measurementsOf(siteId(station.id, laneNumber), at, '')
  for (const vehicle of vehicles) {
    const { locationId, laneNumber, createdAt } = vehicle
    yield measurementsOf(siteId(locationId, laneNumber), createdAt, quantityXml(vehicle, withPlates))
  }
}

const indexedQuantity = container('roa:physicalQuantity', { index: 1 })
const singleQuantity = container('roa:physicalQuantity', { 'xsi:type': 'roa:SinglePhysicalQuantity' })
const vehicleData = container('roa:basicData', { 'xsi:type': 'roa:IndividualVehicleDataValues' })

const quantityXml = (vehicle: PublishedVehicle, withPlates: boolean): string => {
  const data =
    element('roa:measurementOrCalculationTime', time('roa:timeValue', vehicle.createdAt)) +
    // 0 is not measured (docs/domain.md, Speed).
    value('roa:speed', vehicle.speed || null) +
    value('roa:timeHeadway', vehicle.headwayMs === null ? null : vehicle.headwayMs / 1000) +
    vehicleXml(vehicle, withPlates)
  return indexedQuantity(singleQuantity(vehicleData(data)))
}

const vehicleXml = (vehicle: PublishedVehicle, withPlates: boolean): string => {
  const { euro, nationality, plateLpr } = vehicle
  const axles = unpackAxles(vehicle.axles ?? [])
  return element(
    'roa:individualVehicle',
    value('com:anonymizedVehicleReference', vehicle.id),
    value('com:vehicleCountryOfOrigin', countryOf(nationality)?.iso.toLowerCase()),
    value('com:vehicleManufacturer', euro?.make),
    value('com:vehicleModel', euro?.model),
    value('com:vehicleRegistrationPlateIdentifier', withPlates ? plateLpr : null),
    characteristicsXml(vehicle),
    ...axles
      .slice(1)
      .map(({ gap }, index) =>
        gap > 0
          ? element(
              'com:axleSpacingOnVehicle',
              value('com:axleSpacing', gap / 100),
              value('com:axleSpacingSequenceIdentifier', index + 1),
            )
          : '',
      ),
    ...axles.map(({ leftWeight, rightWeight, totalLoad, limit }, index) =>
      element(
        'com:specificAxleWeight',
        value('com:axlePositionIdentifier', index + 1),
        value('com:axleWeight', leftWeight === null && rightWeight === null ? null : tonnes(totalLoad)),
        value('com:maximumPermittedAxleWeight', tonnes(limit)),
      ),
    ),
  )
}

const characteristicsXml = (vehicle: PublishedVehicle): string => {
  const { ctg8p1, euro } = vehicle
  const emissions = emissionsOf(euro?.euro_norm, ctg8p1)
  return element(
    'com:vehicleCharacteristics',
    ...fuelTypesOf(euro?.fuel_type).map((type) => value('com:fuelType', type)),
    value('com:vehicleType', vehicleTypeOf(ctg8p1)),
    grossWeight(vehicle.totalLoad, 'actual'),
    grossWeight(vehicle.limitTotalLoad, 'maximumPermitted'),
    characteristic('height', 'com:vehicleHeight', metres(vehicle.vehHeight)),
    characteristic('length', 'com:vehicleLength', metres(vehicle.vehLength)),
    characteristic('numberOfAxles', 'com:numberOfAxles', vehicle.numberOfAxles),
    wrapped(
      'com:emissions',
      value('com:emissionClassificationEuro', emissions?.euro),
      value('com:emissionClassificationOther', emissions?.other),
    ),
  )
}

const equal = value('com:comparisonOperator', 'equalTo')

const characteristic = (of: string, name: string, measured: number | null): string =>
  measured === null ? '' : element(`com:${of}Characteristic`, equal, value(name, measured))

const grossWeight = (kg: number | null, type: 'actual' | 'maximumPermitted'): string =>
  kg === null
    ? ''
    : element(
        'com:grossWeightCharacteristic',
        equal,
        value('com:grossVehicleWeight', tonnes(kg)),
        value('com:typeOfWeight', type),
      )

const tonnes = (kg: number | null): number | null => (kg === null ? null : kg / 1000)
const metres = (cm: number | null): number | null => (cm === null ? null : cm / 100)
