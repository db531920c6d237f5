/*
 * Equivalent axles by the fourth-power law: each axle counts as (load / reference axle)⁴ passes of the reference axle, also
 * within a group. Sums of kg⁴ are whole numbers, so that partial sums add up exactly.
 */

/** Reference axles of 100 and 115 kN. */
export const referenceAxles = ['n100', 'n115'] as const
export type ReferenceAxle = (typeof referenceAxles)[number]

/** Equivalent axles of 100 kN per kg⁴: (0.00980665 kN/kg / 100 kN)⁴. */
const N100_PER_KG4 = 9.248743e-17
/** (115 / 100)⁴ */
const N100_PER_N115 = 1.74900625

/** Thousandths of a tenth of a percent: an overload of o tenths is (1000 + o) / 1000 of the limit. */
const WHOLE = 1000n

const fourth = (value: bigint) => value ** 4n

/** Sum of the fourth powers of axle loads, kg⁴. */
export const fourthPowerSum = (axleLoads: readonly number[]): bigint =>
  axleLoads.reduce((sum, kg) => sum + fourth(BigInt(kg)), 0n)

/**
 * The part of a vehicle's sum that it would not have within its limits: sum · (1 − r⁴), r = 1 / (1 + overload), rounded
 * half up. `overloadTenths`: the largest overload of its axles, groups and gross weight, in tenths of a percent.
 */
export function avoidableFourthPower(sum: bigint, overloadTenths: number): bigint {
  if (overloadTenths <= 0) return 0n
  const loaded = fourth(WHOLE + BigInt(overloadTenths))
  return (2n * sum * (loaded - fourth(WHOLE)) + loaded) / (2n * loaded)
}

/** Equivalent axles of a sum of kg⁴. */
export const equivalentAxles = (sum: bigint, reference: ReferenceAxle): number => {
  const n100 = Number(sum) * N100_PER_KG4
  return reference === 'n100' ? n100 : n100 / N100_PER_N115
}
