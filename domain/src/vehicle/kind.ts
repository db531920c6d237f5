/** Vehicle kinds by law. */
export type VehicleKind =
  | 'motorcycle'
  | 'car'
  | 'carWithTrailer'
  | 'van'
  | 'rigid'
  | 'roadTrain'
  | 'articulated'
  | 'bus'
  | 'unclassified'

/** TLS 8+1 (docs/domain.md). */
const KIND_BY_CTG8P1: Readonly<Record<number, VehicleKind>> = {
  10: 'motorcycle',
  7: 'car',
  2: 'carWithTrailer',
  11: 'van',
  3: 'rigid',
  8: 'roadTrain',
  9: 'articulated',
  5: 'bus',
}

/** COST 323 (docs/domain.md); its class 1 is a light vehicle with or without a trailer, 8 is any other: neither decides. */
const KIND_BY_CTG323: Readonly<Record<number, VehicleKind>> = {
  2: 'rigid',
  3: 'rigid',
  4: 'articulated',
  5: 'articulated',
  6: 'roadTrain',
  7: 'bus',
}

/** Stored category [8+1]: 0 for not classified (6, none, or unknown). */
export const storedCtg8p1 = (ctg8p1: number | null | undefined): number =>
  ctg8p1 != null && ctg8p1 in KIND_BY_CTG8P1 ? ctg8p1 : 0

/** The vehicle's kind by its category [8+1], else by its COST 323 class, else unclassified. */
export const kindOf = (ctg8p1: number | null | undefined, ctg323: number | null | undefined): VehicleKind =>
  KIND_BY_CTG8P1[ctg8p1 ?? 0] ?? KIND_BY_CTG323[ctg323 ?? 0] ?? 'unclassified'
