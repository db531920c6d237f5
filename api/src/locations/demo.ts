import type { Coordinates, NewLocation } from './queries.ts'

/*
 * The stations of the demo: fictitious sites at true places of Polish roads. Speed limits follow the Polish rules for expressways
 * (120, heavy 80) and single carriageways (90, heavy 70).
 */
const EXPRESSWAY = { speedLimit: 120, speedLimitHeavy: 80 }
const NATIONAL = { speedLimit: 90, speedLimitHeavy: 70 }

const lanes = (...classes: (string | null)[]) =>
  classes.map((accuracyClass, i) => ({ laneNumber: i + 1, accuracyClass }))

export const demoLocations: (NewLocation & { coordinates: Coordinates; chainageAscends: boolean })[] = [
  {
    id: 1,
    shortName: 'S8 Wyszków',
    name: 'Wyszków, węzeł Skuszew',
    roadNumber: 'S8',
    chainage: '511+250',
    chainageAscends: true,
    direction: 'Białystok',
    ...EXPRESSWAY,
    distanceToSign: 1_350,
    distanceToCheckpoint: 5_900,
    coordinates: { latitude: 52.5781, longitude: 21.4372 },
    lanes: lanes('B+(7)', 'B+(7)', 'B+(7)', 'B+(7)'),
  },
  {
    id: 2,
    shortName: 'DK50 Sochaczew',
    name: 'Sochaczew, obwodnica',
    roadNumber: 'DK50',
    chainage: '138+400',
    chainageAscends: true,
    direction: 'Żyrardów',
    ...NATIONAL,
    distanceToSign: 1_100,
    distanceToCheckpoint: 4_200,
    coordinates: { latitude: 52.2146, longitude: 20.2624 },
    lanes: lanes('B+(7)', 'B+(7)'),
  },
  {
    id: 3,
    shortName: 'S61 Raczki',
    name: 'Raczki, węzeł Suwałki Południe',
    roadNumber: 'S61',
    chainage: '204+800',
    chainageAscends: true,
    direction: 'Budzisko',
    ...EXPRESSWAY,
    distanceToSign: 1_500,
    distanceToCheckpoint: 6_800,
    coordinates: { latitude: 54.0364, longitude: 22.8793 },
    lanes: lanes('B+(7)', 'B(10)'),
  },
  {
    id: 4,
    shortName: 'DK92 Łowicz',
    name: 'Łowicz, Jamno',
    roadNumber: 'DK92',
    chainage: '372+050',
    chainageAscends: false,
    direction: 'Kutno',
    ...NATIONAL,
    distanceToSign: 900,
    distanceToCheckpoint: 3_800,
    coordinates: { latitude: 52.1334, longitude: 19.8802 },
    // The third lane has loops but no scale.
    lanes: lanes('A(5)', 'B+(7)', null),
  },
  {
    id: 5,
    shortName: 'S7 Płońsk',
    name: 'Płońsk, węzeł Siedlin',
    roadNumber: 'S7',
    chainage: '296+600',
    chainageAscends: false,
    direction: 'Gdańsk',
    ...EXPRESSWAY,
    distanceToSign: 1_400,
    distanceToCheckpoint: 6_200,
    coordinates: { latitude: 52.6068, longitude: 20.4017 },
    lanes: lanes('A(5)', 'B+(7)', 'B+(7)', 'C(15)'),
  },
  {
    id: 6,
    shortName: 'DK12 Chełm',
    name: 'Chełm, Janów',
    roadNumber: 'DK12',
    chainage: '688+900',
    chainageAscends: true,
    direction: 'Dorohusk',
    ...NATIONAL,
    distanceToSign: 1_200,
    distanceToCheckpoint: 4_600,
    coordinates: { latitude: 51.1189, longitude: 23.3716 },
    lanes: lanes('B+(7)', 'B(10)'),
  },
]
