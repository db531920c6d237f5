import type { Location } from '@rogatka/contract/locations.ts'
import { expect, test } from 'vitest'
import { packAxles } from '../vehicle/pack.ts'
import { emissionsOf, fuelTypesOf, vehicleTypeOf } from './classes.ts'
import { documentOf } from './publication.ts'
import { type PublishedSign, signStatusContent, signsContent } from './signs.ts'
import { sitesContent, sitesOf } from './sites.ts'
import { measuredContent, type PublishedVehicle } from './vehicles.ts'

const AT = new Date('2026-10-20T08:15:30.000Z')

const station: Location = {
  id: 7,
  shortName: 'S8 Test',
  name: 'Test & <próba>',
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
  latitude: 52.2297,
  longitude: 21.0122,
  lanes: [
    { laneNumber: 2, accuracyClass: null },
    { laneNumber: 1, accuracyClass: { name: 'B+(7)' } },
  ],
  lastVehicleTime: null,
  distanceToSign: null,
  distanceToCheckpoint: null,
  chainageAscends: null,
  silentAfterMinutes: 30,
  closedAt: null,
}

/** The example of docs/api.md, without wheels. */
const lorry: PublishedVehicle = {
  id: 7 * 2 ** 40 + 1,
  locationId: 7,
  laneNumber: 1,
  createdAt: new Date('2026-10-20T08:15:24.120Z'),
  headwayMs: 2_450,
  plateLpr: 'WGM4K281',
  nationality: 'PL',
  speed: 84,
  totalLoad: 39_330,
  limitTotalLoad: 40_000,
  vehLength: 1_642,
  vehHeight: 398,
  numberOfAxles: 5,
  ctg8p1: 9,
  euro: { make: 'DAF', model: 'XF', euro_norm: 'EURO 6', fuel_type: 'olej napędowy', catalogue_number: 'KAT-1' },
  axles: packAxles(
    [
      [6_970, 0, 10_000],
      [10_780, 374, 11_500],
      [7_180, 562, null],
      [7_200, 131, null],
      [7_200, 131, null],
    ].map(([load, gap, limit]) => ({
      type: 1,
      leftWeight: load as number,
      rightWeight: 0,
      totalLoad: load as number,
      gap: gap as number,
      limit: limit ?? null,
      overload: 0,
    })),
  ),
}

/** A document with a line for each element that has no text only, indented. */
const lines = (xml: Iterable<string>) => [...xml].join('').replaceAll('><', '>\n<')

const document = (type: Parameters<typeof documentOf>[0]['type'], content: Iterable<string>) =>
  lines(documentOf({ type, at: AT, owner: 'Zarząd Dróg' }, content))

const written = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n')

const measured = (vehicles: PublishedVehicle[], withPlates = true) =>
  measuredContent({ sites: sitesOf([station]), sitesVersion: 'v1', vehicles, withPlates, at: AT })

test('a measured vehicle is an element with speed, headway, loads, spacings and limits', () => {
  expect(document('roa:MeasuredDataPublication', measured([lorry])).trim()).toBe(
    written(`<?xml version="1.0" encoding="UTF-8"?>
    <d2:payload xmlns:d2="http://datex2.eu/schema/3/d2Payload" xmlns:com="http://datex2.eu/schema/3/common" xmlns:loc="http://datex2.eu/schema/3/locationReferencing" xmlns:roa="http://datex2.eu/schema/3/roadTrafficData" xmlns:vms="http://datex2.eu/schema/3/vms" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="roa:MeasuredDataPublication" lang="pl" modelBaseVersion="3">
    <com:publicationTime>2026-10-20T08:15:30.000Z</com:publicationTime>
    <com:publicationCreator>
    <com:country>pl</com:country>
    <com:nationalIdentifier>Zarząd Dróg</com:nationalIdentifier>
    </com:publicationCreator>
    <roa:measurementSiteTableReference targetClass="roa:MeasurementSiteTable" id="sites" version="v1">
    </roa:measurementSiteTableReference>
    <roa:headerInformation>
    <com:confidentiality>restrictedToAuthorities</com:confidentiality>
    <com:informationStatus>real</com:informationStatus>
    </roa:headerInformation>
    <roa:siteMeasurements>
    <roa:measurementSiteReference targetClass="roa:MeasurementSite" id="7-L1" version="v1">
    </roa:measurementSiteReference>
    <roa:physicalQuantity index="1">
    <roa:physicalQuantity xsi:type="roa:SinglePhysicalQuantity">
    <roa:basicData xsi:type="roa:IndividualVehicleDataValues">
    <roa:measurementOrCalculationTime>
    <roa:timeValue>2026-10-20T08:15:24.120Z</roa:timeValue>
    </roa:measurementOrCalculationTime>
    <roa:speed>84</roa:speed>
    <roa:timeHeadway>2.45</roa:timeHeadway>
    <roa:individualVehicle>
    <com:anonymizedVehicleReference>7696581394433</com:anonymizedVehicleReference>
    <com:vehicleCountryOfOrigin>pl</com:vehicleCountryOfOrigin>
    <com:vehicleManufacturer>DAF</com:vehicleManufacturer>
    <com:vehicleModel>XF</com:vehicleModel>
    <com:vehicleRegistrationPlateIdentifier>WGM4K281</com:vehicleRegistrationPlateIdentifier>
    <com:vehicleCharacteristics>
    <com:fuelType>diesel</com:fuelType>
    <com:vehicleType>articulatedVehicle</com:vehicleType>
    <com:grossWeightCharacteristic>
    <com:comparisonOperator>equalTo</com:comparisonOperator>
    <com:grossVehicleWeight>39.33</com:grossVehicleWeight>
    <com:typeOfWeight>actual</com:typeOfWeight>
    </com:grossWeightCharacteristic>
    <com:grossWeightCharacteristic>
    <com:comparisonOperator>equalTo</com:comparisonOperator>
    <com:grossVehicleWeight>40</com:grossVehicleWeight>
    <com:typeOfWeight>maximumPermitted</com:typeOfWeight>
    </com:grossWeightCharacteristic>
    <com:heightCharacteristic>
    <com:comparisonOperator>equalTo</com:comparisonOperator>
    <com:vehicleHeight>3.98</com:vehicleHeight>
    </com:heightCharacteristic>
    <com:lengthCharacteristic>
    <com:comparisonOperator>equalTo</com:comparisonOperator>
    <com:vehicleLength>16.42</com:vehicleLength>
    </com:lengthCharacteristic>
    <com:numberOfAxlesCharacteristic>
    <com:comparisonOperator>equalTo</com:comparisonOperator>
    <com:numberOfAxles>5</com:numberOfAxles>
    </com:numberOfAxlesCharacteristic>
    <com:emissions>
    <com:emissionClassificationEuro>euroVI</com:emissionClassificationEuro>
    </com:emissions>
    </com:vehicleCharacteristics>
    <com:axleSpacingOnVehicle>
    <com:axleSpacing>3.74</com:axleSpacing>
    <com:axleSpacingSequenceIdentifier>1</com:axleSpacingSequenceIdentifier>
    </com:axleSpacingOnVehicle>
    <com:axleSpacingOnVehicle>
    <com:axleSpacing>5.62</com:axleSpacing>
    <com:axleSpacingSequenceIdentifier>2</com:axleSpacingSequenceIdentifier>
    </com:axleSpacingOnVehicle>
    <com:axleSpacingOnVehicle>
    <com:axleSpacing>1.31</com:axleSpacing>
    <com:axleSpacingSequenceIdentifier>3</com:axleSpacingSequenceIdentifier>
    </com:axleSpacingOnVehicle>
    <com:axleSpacingOnVehicle>
    <com:axleSpacing>1.31</com:axleSpacing>
    <com:axleSpacingSequenceIdentifier>4</com:axleSpacingSequenceIdentifier>
    </com:axleSpacingOnVehicle>
    <com:specificAxleWeight>
    <com:axlePositionIdentifier>1</com:axlePositionIdentifier>
    <com:axleWeight>6.97</com:axleWeight>
    <com:maximumPermittedAxleWeight>10</com:maximumPermittedAxleWeight>
    </com:specificAxleWeight>
    <com:specificAxleWeight>
    <com:axlePositionIdentifier>2</com:axlePositionIdentifier>
    <com:axleWeight>10.78</com:axleWeight>
    <com:maximumPermittedAxleWeight>11.5</com:maximumPermittedAxleWeight>
    </com:specificAxleWeight>
    <com:specificAxleWeight>
    <com:axlePositionIdentifier>3</com:axlePositionIdentifier>
    <com:axleWeight>7.18</com:axleWeight>
    </com:specificAxleWeight>
    <com:specificAxleWeight>
    <com:axlePositionIdentifier>4</com:axlePositionIdentifier>
    <com:axleWeight>7.2</com:axleWeight>
    </com:specificAxleWeight>
    <com:specificAxleWeight>
    <com:axlePositionIdentifier>5</com:axlePositionIdentifier>
    <com:axleWeight>7.2</com:axleWeight>
    </com:specificAxleWeight>
    </roa:individualVehicle>
    </roa:basicData>
    </roa:physicalQuantity>
    </roa:physicalQuantity>
    <roa:measurementTimeDefault>
    <roa:timeValue>2026-10-20T08:15:24.120Z</roa:timeValue>
    </roa:measurementTimeDefault>
    </roa:siteMeasurements>
    </d2:payload>`),
  )
})

test('omits unmeasured values, and the plate without the right to it', () => {
  const unknown: PublishedVehicle = {
    ...lorry,
    headwayMs: null,
    nationality: 'XYZ',
    speed: 0,
    totalLoad: null,
    limitTotalLoad: null,
    vehLength: null,
    vehHeight: null,
    numberOfAxles: null,
    ctg8p1: 0,
    euro: null,
    axles: null,
  }
  const text = lines(measured([unknown], false))
  expect(text).toContain(
    written(`<roa:individualVehicle>
    <com:anonymizedVehicleReference>7696581394433</com:anonymizedVehicleReference>
    <com:vehicleCharacteristics>
    <com:vehicleType>unknown</com:vehicleType>
    </com:vehicleCharacteristics>
    </roa:individualVehicle>`),
  )
  expect(text).toContain('<com:confidentiality>noRestriction</com:confidentiality>')
  expect(text).not.toMatch(/WGM|roa:speed|timeHeadway/)
  // An axle of which only its position is known.
  const unweighed = packAxles([
    { type: 1, leftWeight: null, rightWeight: null, totalLoad: 0, gap: 0, limit: null, overload: 0 },
  ])
  expect(lines(measured([{ ...unknown, axles: unweighed }]))).toContain(
    written(`<com:specificAxleWeight>
    <com:axlePositionIdentifier>1</com:axlePositionIdentifier>
    </com:specificAxleWeight>`),
  )
})

test('each site has the time of publication without vehicles', () => {
  expect(lines(measured([], false))).toContain(
    written(`<roa:siteMeasurements>
    <roa:measurementSiteReference targetClass="roa:MeasurementSite" id="7-L2" version="v1">
    </roa:measurementSiteReference>
    <roa:measurementTimeDefault>
    <roa:timeValue>2026-10-20T08:15:30.000Z</roa:timeValue>
    </roa:measurementTimeDefault>
    </roa:siteMeasurements>
    <roa:siteMeasurements>
    <roa:measurementSiteReference targetClass="roa:MeasurementSite" id="7-L1" version="v1">`),
  )
})

test('a site is a lane with its location and the gross tolerance of its class', () => {
  const elsewhere = {
    ...station,
    id: 3,
    latitude: null,
    longitude: null,
    chainage: '',
    lanes: station.lanes.slice(0, 1),
  }
  expect(lines(sitesContent(sitesOf([station, elsewhere]), 'v1'))).toBe(
    written(`<roa:headerInformation>
    <com:confidentiality>noRestriction</com:confidentiality>
    <com:informationStatus>real</com:informationStatus>
    </roa:headerInformation>
    <roa:measurementSiteTable id="sites" version="v1">
    ${site('3-L2', 2, '', '')}
    ${site(
      '7-L2',
      2,
      '',
      `<loc:locationDescription>
    <com:values>
    <com:value lang="pl">km 1+000</com:value>
    </com:values>
    </loc:locationDescription>`,
    )}
    ${site(
      '7-L1',
      1,
      '<roa:accuracy>7</roa:accuracy>',
      `<loc:locationDescription>
    <com:values>
    <com:value lang="pl">km 1+000</com:value>
    </com:values>
    </loc:locationDescription>`,
    )}
    </roa:measurementSiteTable>`)
      .split('\n')
      .filter(Boolean)
      .join('\n'),
  )
})

const COORDINATES = `
    <loc:pointByCoordinates>
    <loc:pointCoordinates>
    <loc:latitude>52.2297</loc:latitude>
    <loc:longitude>21.0122</loc:longitude>
    </loc:pointCoordinates>
    </loc:pointByCoordinates>`

const site = (id: string, lane: number, accuracy: string, description: string) => `
    <roa:measurementSite id="${id}" version="v1">
    <roa:measurementSiteName>
    <com:values>
    <com:value lang="pl">Test &amp; &lt;próba&gt;</com:value>
    </com:values>
    </roa:measurementSiteName>
    <roa:measurementSiteNumberOfLanes>1</roa:measurementSiteNumberOfLanes>
    <roa:measurementSiteIdentification>S8 Test</roa:measurementSiteIdentification>
    <roa:measurementSpecificCharacteristics index="1">
    <roa:measurementSpecificCharacteristics>
    ${accuracy}
    <roa:specificMeasurementValueType>individualVehicleMeasurements</roa:specificMeasurementValueType>
    <roa:specificLane>
    <loc:laneNumber>${lane}</loc:laneNumber>
    </roa:specificLane>
    </roa:measurementSpecificCharacteristics>
    </roa:measurementSpecificCharacteristics>
    <roa:measurementSiteLocation xsi:type="loc:PointLocation">
    <loc:supplementaryPositionalDescription>
    ${description}
    <loc:roadInformation>
    <loc:roadDestination>Warszawa</loc:roadDestination>
    <loc:roadNumber>S8</loc:roadNumber>
    </loc:roadInformation>
    </loc:supplementaryPositionalDescription>
    ${description && COORDINATES}
    </roa:measurementSiteLocation>
    </roa:measurementSite>`

const sign: PublishedSign = {
  number: 1,
  roadNumber: 'S8',
  chainage: '1+900',
  isAvailable: true,
  shows: { kind: 'plate', lines: ['KONTROLA', 'WX 10001'] },
  setAt: new Date('2026-10-20T08:15:00.000Z'),
  faults: [],
  asOrdered: true,
  overdueSince: null,
  polledAt: AT,
}

test('a group of signs is a controller', () => {
  expect(lines(signsContent([{ id: 4, description: 'Preselekcja', signs: [sign] }], 'v1'))).toContain(
    written(`<vms:vmsControllerTable id="signs" version="v1">
    <vms:vmsController id="4" version="v1">
    <vms:numberOfVms>1</vms:numberOfVms>
    <vms:vms vmsIndex="1">
    <vms:vms>
    <vms:description>
    <com:values>
    <com:value lang="pl">Preselekcja</com:value>
    </com:values>
    </vms:description>
    <vms:vmsConfiguration>
    <vms:numberOfDisplayAreas>1</vms:numberOfDisplayAreas>
    <vms:displayArea displayAreaIndex="1">
    <vms:displayArea xsi:type="vms:TextDisplayArea">
    </vms:displayArea>
    </vms:displayArea>
    </vms:vmsConfiguration>
    <vms:vmsLocation xsi:type="loc:PointLocation">
    <loc:supplementaryPositionalDescription>
    <loc:locationDescription>
    <com:values>
    <com:value lang="pl">km 1+900</com:value>
    </com:values>
    </loc:locationDescription>
    <loc:roadInformation>
    <loc:roadNumber>S8</loc:roadNumber>
    </loc:roadInformation>
    </loc:supplementaryPositionalDescription>
    </vms:vmsLocation>
    </vms:vms>
    </vms:vms>
    </vms:vmsController>
    </vms:vmsControllerTable>`),
  )
})

const statusOf = (changes: Partial<PublishedSign>, withPlates = true) => {
  const groups = [{ id: 4, description: 'Preselekcja', signs: [{ ...sign, ...changes }] }]
  const text = lines(signStatusContent(groups, { version: 'v1', withPlates }))
  return text.slice(text.indexOf('<vms:vmsStatus>'), text.indexOf('</vms:vmsStatus>')).trim()
}
const linesOf = (text: string) => [...text.matchAll(/<vms:textLine>([^<]+)<\/vms:textLine>/g)].map(([, line]) => line)
const faultsOf = (text: string) => [
  ...text
    .replaceAll('\n', '')
    .matchAll(/<com:faultLastUpdateTime>([^<]+)<.*?(?:Code>([^<]+)<.*?)??<vms:vmsFault>(\w+)</g),
]

test('the state of a sign has its text, since when it is shown, and when it was polled', () => {
  expect(statusOf({})).toBe(
    written(`<vms:vmsStatus>
    <vms:statusUpdateTime>2026-10-20T08:15:30.000Z</vms:statusUpdateTime>
    <vms:workingStatus>working</vms:workingStatus>
    <vms:vmsMessage messageIndex="1">
    <vms:vmsMessage>
    <vms:timeLastSet>2026-10-20T08:15:00.000Z</vms:timeLastSet>
    <vms:displayAreaSettings displayAreaIndex="1">
    <vms:displayAreaSettings xsi:type="vms:TextDisplay">
    <vms:textLine lineIndex="1">
    <vms:textLine>
    <vms:textLine>KONTROLA</vms:textLine>
    </vms:textLine>
    </vms:textLine>
    <vms:textLine lineIndex="2">
    <vms:textLine>
    <vms:textLine>WX 10001</vms:textLine>
    </vms:textLine>
    </vms:textLine>
    </vms:displayAreaSettings>
    </vms:displayAreaSettings>
    </vms:vmsMessage>
    </vms:vmsMessage>
    `),
  )
})

test.each([
  ['plate', ['***']],
  ['other', ['***']],
  ['content', ['KONTROLA', 'WX 10001']],
  ['trucks', ['KONTROLA', 'WX 10001']],
] as const)('the text of a sign that shows %s is %s without plates', (kind, expected) => {
  expect(linesOf(statusOf({ shows: { kind, lines: ['KONTROLA', 'WX 10001'] } }, false))).toEqual(expected)
})

test('a blank, unknown or unavailable sign has no message', () => {
  const blank = statusOf({ shows: { kind: 'blank', lines: [] } })
  expect(blank).toContain('<vms:workingStatus>blank<')
  const unknown = statusOf({ shows: null })
  expect(unknown).toContain('<vms:workingStatus>working<')
  const unavailable = statusOf({ isAvailable: false, polledAt: null })
  expect(unavailable).toContain('<vms:workingStatus>notWorking<')
  expect([blank, unknown, unavailable].join()).not.toContain('vmsMessage')
  expect(unavailable).not.toContain('statusUpdateTime')
  // Pictograms have no place in it.
  const pictogram = statusOf({ shows: { kind: 'content', lines: [] }, setAt: null })
  expect(pictogram).toContain('<vms:timeLastSet>2026-10-20T08:15:30.000Z<')
  expect(pictogram).not.toContain('displayAreaSettings')
})

test('faults of a sign have the time of the poll, an overdue plate its end', () => {
  const overdueSince = new Date('2026-10-20T08:14:00.000Z')
  const text = statusOf({ faults: ['power', 'communication', 'controller', 'lamp'], asOrdered: false, overdueSince })
  const at = AT.toISOString()
  expect(faultsOf(text).map(([, time, code, fault]) => [time, code, fault])).toEqual([
    [at, 'power', 'outOfService'],
    [at, 'communication', 'outOfService'],
    [at, 'controller', 'outOfService'],
    [at, 'lamp', 'other'],
    [at, undefined, 'incorrectMessageDisplayed'],
    [overdueSince.toISOString(), undefined, 'unableToClearDown'],
  ])
})

test.each([
  [10, 'motorcycle'],
  [7, 'car'],
  [2, 'carWithTrailer'],
  [11, 'van'],
  [3, 'lorry'],
  [8, 'heavyGoodsVehicleWithTrailer'],
  [9, 'articulatedVehicle'],
  [5, 'bus'],
  [6, 'unknown'],
  [0, 'unknown'],
  [null, 'unknown'],
])('category %s is a %s', (ctg8p1, type) => {
  expect(vehicleTypeOf(ctg8p1)).toBe(type)
})

test.each([
  ['olej napędowy', ['diesel']],
  ['D', ['diesel']],
  ['benzyna + LPG', ['petrol', 'lpg']],
  ['LNG', ['liquidGas']],
  ['CNG', ['methane']],
  ['EE', ['battery']],
  ['energia elektryczna', ['battery']],
  ['hybryda', ['other']],
  ['999', ['other']],
  ['hybryda/999', ['other']],
  [' ', []],
  [null, []],
])('fuel %s is %s', (fuel, types) => {
  expect(fuelTypesOf(fuel)).toEqual(types)
})

test.each([
  ['EURO 6', 9, 'euroVI', null],
  ['6', 7, 'euro6', null],
  ['6D', 5, 'euroVI', null],
  ['Euro VI-D', 9, 'euroVI', null],
  ['V', 7, 'euroV', null],
  ['5b', 11, 'euro5b', null],
  ['Euro 6c', 7, 'euro6c', null],
  ['6d', 7, 'other', '6d'],
  ['EURO 4', 9, 'other', 'EURO 4'],
  ['III', 3, 'other', 'III'],
  ['EEV', 3, 'other', 'EEV'],
  ['55', 7, 'other', '55'],
])('emissions %s of category %s are %s', (norm, ctg8p1, euro, other) => {
  expect(emissionsOf(norm, ctg8p1)).toEqual({ euro, other })
})

test('there are no emissions without a norm', () => {
  expect([emissionsOf(' ', 9), emissionsOf(null, 9), emissionsOf(undefined, null)]).toEqual([null, null, null])
})
