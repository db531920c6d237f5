import type { Euro } from '@rogatka/contract/vehicle.ts'
import type { Kind } from './kinds.ts'
import type { Random } from './random.ts'

/** Makes and models that are common on Polish roads. */
const MODELS: Record<Exclude<Kind, 'car-trailer' | 'van-trailer' | 'road-train'>, readonly string[]> = {
  motorcycle: ['Honda|CB 500', 'Yamaha|MT-07', 'BMW|R 1250 GS', 'Kawasaki|Z 650', 'Suzuki|V-Strom 650'],
  car: [
    'Škoda|Octavia',
    'Toyota|Corolla',
    'Volkswagen|Golf',
    'Volkswagen|Passat',
    'Opel|Astra',
    'Ford|Focus',
    'Audi|A4',
    'BMW|320d',
    'Kia|Ceed',
    'Hyundai|i30',
    'Dacia|Duster',
    'Toyota|Yaris',
    'Škoda|Fabia',
    'Volvo|XC60',
  ],
  van: [
    'Fiat|Ducato',
    'Mercedes-Benz|Sprinter',
    'Renault|Master',
    'Volkswagen|Crafter',
    'Ford|Transit',
    'Peugeot|Boxer',
    'Iveco|Daily',
  ],
  bus: [
    "MAN|Lion's Coach",
    'Setra|S 515 HD',
    'Mercedes-Benz|Tourismo',
    'Scania|Irizar i6',
    'Neoplan|Tourliner',
    'Solaris|InterUrbino 12',
    'Autosan|Eurolider',
  ],
  lorry: [
    'MAN|TGL 12.190',
    'MAN|TGS 35.400',
    'Mercedes-Benz|Atego 1224',
    'Mercedes-Benz|Arocs 3243',
    'DAF|LF 210',
    'Iveco|Eurocargo 120E',
    'Volvo|FL 250',
    'Volvo|FMX 460',
    'Scania|P 410',
    'Renault|D 280',
  ],
  articulated: [
    'DAF|XF 480 FT',
    'DAF|XG+ 480 FT',
    'Volvo|FH 460',
    'Volvo|FH 500',
    'Scania|R 450',
    'Scania|S 500',
    'MAN|TGX 18.470',
    'Mercedes-Benz|Actros 1845',
    'Renault|T 480',
    'Iveco|S-Way 480',
  ],
}

/** Vehicle types as in the Polish register; never translated. */
const TYPES: Record<Kind, string> = {
  motorcycle: 'motocykl',
  car: 'samochód osobowy',
  'car-trailer': 'samochód osobowy',
  van: 'samochód ciężarowy do 3,5 t',
  'van-trailer': 'samochód ciężarowy do 3,5 t',
  bus: 'autobus',
  lorry: 'samochód ciężarowy',
  articulated: 'ciągnik siodłowy',
  'road-train': 'samochód ciężarowy',
}

/** First year (exclusive bound) after each Euro norm, oldest first. */
const NORMS: readonly (readonly [number, string])[] = [
  [2001, '2'],
  [2006, '3'],
  [2010, '4'],
  [2014, '5'],
  [9999, '6'],
]

const fuelOf = (kind: Kind, random: Random): string => {
  if (kind === 'motorcycle') return 'benzyna'
  if (kind === 'car' || kind === 'car-trailer')
    return random.weighted([
      ['benzyna', 48],
      ['olej napędowy', 34],
      ['benzyna + LPG', 9],
      ['hybryda', 7],
      ['energia elektryczna', 2],
    ])
  return random.happens(0.03) ? 'LNG' : 'olej napędowy'
}

const modelsOf = (kind: Kind) => {
  if (kind === 'car-trailer') return MODELS.car
  if (kind === 'van-trailer') return MODELS.van
  return MODELS[kind === 'road-train' ? 'lorry' : kind]
}

/** Constant, so that the data of a plate do not change with the current year. */
const NEWEST_YEAR = 2025

/** Random register data of a vehicle. Tractors are younger than other vehicles. */
export const catalogueOf = (kind: Kind, random: Random): Euro => {
  const [make = '', model = ''] = random.pick(modelsOf(kind)).split('|')
  const age = Math.floor((kind === 'articulated' ? 14 : 22) * random.beta(1.3, 2.6))
  const year = NEWEST_YEAR - age
  return {
    make,
    model,
    veh_type: TYPES[kind],
    euro_norm: NORMS.find(([before]) => year < before)?.[1] ?? '6',
    production_date: `${year}-${String(random.whole(1, 12)).padStart(2, '0')}-${String(random.whole(1, 28)).padStart(2, '0')}`,
    fuel_type: fuelOf(kind, random),
    catalogue_number: `${String(random.whole(1, 1999)).padStart(4, '0')}-${random.whole(10, 99)}-${random.whole(1000, 9999)}`,
  }
}
