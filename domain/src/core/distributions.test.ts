import { expect, test } from 'vitest'
import { normalCdf, studentCdf, studentQuantile } from './distributions.ts'
import { seededRandom } from './random.ts'
import { integral } from './testing.ts'

/** Student's t as an integral over the angle whose tangent is t / √ν, without a gamma function. */
function studentByIntegration(t: number, degreesOfFreedom: number): number {
  const density = (angle: number) => Math.cos(angle) ** (degreesOfFreedom - 1)
  // What is beyond is below 1e-30.
  const end = Math.min(Math.PI / 2, 20 / Math.sqrt(degreesOfFreedom))
  const angle = Math.min(end, Math.atan(Math.abs(t) / Math.sqrt(degreesOfFreedom)))
  const tail = integral(density, angle, end) / (2 * integral(density, 0, end))
  return t > 0 ? 1 - tail : tail
}

const normalByIntegration = (x: number): number =>
  0.5 + integral((at) => Math.exp(-(at ** 2) / 2) / Math.sqrt(2 * Math.PI), 0, x)

test('Student’s t equals its numerical integral', () => {
  const random = seededRandom(14)
  for (let run = 0; run < 300; run++) {
    const degreesOfFreedom = 9 + random.below(10 ** (2 + (run % 5)))
    const t = 16 * random.next() - 8
    expect(studentCdf(t, degreesOfFreedom), `${t}, ${degreesOfFreedom}`).toBeCloseTo(
      studentByIntegration(t, degreesOfFreedom),
      7,
    )
  }
})

test('the quantile of Student’s t has its probability', () => {
  for (const degreesOfFreedom of [9, 29, 119, 1_000, 1_999, 2_000, 100_000])
    for (const probability of [0.025, 0.5001, 0.9, 0.975])
      expect(studentByIntegration(studentQuantile(probability, degreesOfFreedom), degreesOfFreedom)).toBeCloseTo(
        probability,
        8,
      )
})

/** Percentiles of t, from the tables of any textbook. */
test.each([
  [9, 0.975, 2.2622],
  [29, 0.975, 2.0452],
  [120, 0.975, 1.9799],
  [30, 0.995, 2.75],
  [9, 0.025, -2.2622],
])('with %s degrees of freedom the %s quantile is %s', (degreesOfFreedom, probability, t) => {
  expect(studentQuantile(probability, degreesOfFreedom)).toBeCloseTo(t, 4)
})

test('the normal distribution equals its numerical integral', () => {
  for (let x = -4; x <= 4; x += 0.125) expect(normalCdf(x)).toBeCloseTo(normalByIntegration(x), 12)
  expect(normalCdf(1.959964)).toBeCloseTo(0.975, 8)
})

test('infinitely many degrees of freedom are a normal distribution', () => {
  for (const x of [-2, 0.5, 1.96]) expect(studentCdf(x, Number.POSITIVE_INFINITY)).toBeCloseTo(normalCdf(x), 12)
})
