import { isValidNip } from '@rogatka/domain/inspections/taxId.ts'
import { hash } from '../random.ts'
import type { Vehicle } from '../vehicle.ts'

/** Carriers of Polish vehicles, and of foreign ones by country: invented names. */
const POLISH = [
  'Trans-Jodła Sp. z o.o.',
  'Przewozy Kasztan Spółka jawna',
  'Logistyka Wierzba Sp. z o.o.',
  'Usługi Transportowe Bławatek',
  'Kruszywa Głaz Sp. z o.o.',
  'Spedycja Bocian Mazowsze',
  'Transport Ciężki Modrzew',
  'Żwir-Trans Olszyna',
  'Bor-Cargo Sp. z o.o.',
  'Agro-Przewóz Kłos',
  'Euro-Jarzębina Spedycja S.A.',
  'Tartak i Transport Sękacz',
  'Cement-Lot Sp. z o.o.',
  'Rol-Trans Pszenica',
  'Budo-Wóz Kamionka',
  'Chłodnie Szron Sp. z o.o.',
] as const
const FOREIGN: Partial<Record<Vehicle['nationality'], readonly string[]>> = {
  DE: ['Spedition Haselnuss GmbH', 'Fernverkehr Kranich KG'],
  LT: ['UAB Gandro kelias', 'UAB Šiaurės ratai'],
  UA: ['TOV Lelekatrans', 'TOV Stepovyi Shliakh'],
  CZ: ['Doprava Habr s.r.o.'],
  SK: ['Autodoprava Javor s.r.o.'],
  RO: ['Transcerb SRL'],
}

/**
 * A Polish tax number with a valid check digit, which nobody has: real ones begin with the number of a tax office, which
 * contains no zero.
 */
function inventedNip(name: string): string {
  for (let attempt = 0; ; attempt++) {
    const digits = `10${String(hash(`${name}:${attempt}`))
      .padStart(8, '0')
      .slice(-8)}`
    if (isValidNip(digits)) return digits
  }
}

/** The carrier of a vehicle: always the same. Tax numbers of foreign ones are unknown. */
export function carrierOf({ plate, nationality }: Pick<Vehicle, 'plate' | 'nationality'>): {
  carrier: string
  taxId: string | null
} {
  const names = FOREIGN[nationality] ?? POLISH
  const carrier = names[hash(`carrier:${plate}`) % names.length] as string
  return { carrier, taxId: nationality === 'PL' ? inventedNip(carrier) : null }
}
