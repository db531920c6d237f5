/** Kinds of axle groups in spectra: a first axle that stands alone, and groups by number of axles. */
export const spectrumKinds = ['first', 'single', 'tandem', 'tridem', 'wider'] as const
export type SpectrumKind = (typeof spectrumKinds)[number]

/** Bins of a spectrum; the last has no upper bound. */
export const LOAD_BINS = 60

/** Width of the bins of gross weights, kg. */
export const GROSS_BIN_KG = 1000

/** Width of the bins in kg, and in kN; loads are those of the group. */
const BIN_WIDTHS: Record<SpectrumKind, { kg: number; kn: number }> = {
  first: { kg: 500, kn: 5 },
  single: { kg: 500, kn: 5 },
  tandem: { kg: 1000, kn: 10 },
  tridem: { kg: 1500, kn: 15 },
  wider: { kg: 1500, kn: 15 },
}

/** 1 kg weighs 0.00980665 kN: standard gravity, in units of 10⁻⁸ kN. */
export const WEIGHT_OF_KG = 980_665
export const WEIGHT_OF_KN = 100_000_000

/** Units of a spectrum. Neither follows from the other, as their bins have different edges. */
export const loadUnits = ['t', 'kN'] as const
export type LoadUnit = (typeof loadUnits)[number]

/** Width of a bin in kg or kN. */
export const binWidth = (kind: SpectrumKind, unit: LoadUnit): number => BIN_WIDTHS[kind][unit === 't' ? 'kg' : 'kn']

/** The kind of a group by its first axle and its number of axles. */
export function spectrumKind(firstAxle: number, axles: number): SpectrumKind {
  if (axles === 1) return firstAxle === 1 ? 'first' : 'single'
  if (axles === 2) return 'tandem'
  return axles === 3 ? 'tridem' : 'wider'
}

/** Bin of a load in kg, from 0: [lower, upper), the last open. In kN by whole numbers, so that edges are exact. */
export function loadBin(kind: SpectrumKind, unit: LoadUnit, kg: number): number {
  const width = binWidth(kind, unit)
  const bin = unit === 't' ? Math.floor(kg / width) : Math.floor((kg * WEIGHT_OF_KG) / (width * WEIGHT_OF_KN))
  return Math.min(LOAD_BINS - 1, bin)
}

/** Bin of a gross weight in kg, from 0. */
export const grossBin = (kg: number): number => Math.min(LOAD_BINS - 1, Math.floor(kg / GROSS_BIN_KG))

/** The smallest load in whole kg of a bin. */
export function binEdgeKg(kind: SpectrumKind, unit: LoadUnit, bin: number): number {
  const edge = bin * binWidth(kind, unit)
  return unit === 't' ? edge : Math.ceil((edge * WEIGHT_OF_KN) / WEIGHT_OF_KG)
}
