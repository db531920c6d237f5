import { expect, test } from 'vitest'
import { comparePeriod, type LoadSums, meanAndVariance, referenceOf, variationOf, welch } from './statistics.ts'

const loadsOf = (loads: readonly number[]): LoadSums => ({
  vehicles: loads.length,
  sum: loads.reduce((sum, load) => sum + (load - 6_900), 0),
  squares: loads.reduce((sum, load) => sum + (load - 6_900) ** 2, 0),
})

test('mean, sample standard deviation and variation match hand-computed values', () => {
  // Mean 7,000; squared differences 40,000 + 0 + 40,000 + 10,000 + 10,000, divided by 4: 25,000.
  const moments = meanAndVariance(loadsOf([6_800, 7_000, 7_200, 6_900, 7_100]))
  expect(moments).toEqual({ vehicles: 5, mean: 7_000, variance: 25_000 })
  expect(variationOf(moments)).toBeCloseTo((100 * 158.113883) / 7_000, 6)
  expect(meanAndVariance(loadsOf([7_123]))).toEqual({ vehicles: 1, mean: 7_123, variance: 0 })
})

test('the variance of a million large loads is numerically stable', () => {
  const moments = meanAndVariance({ vehicles: 1_000_000, sum: 3_000_000_000, squares: 9_000_001_000_000 })
  expect(moments.mean).toBe(9_900)
  expect(moments.variance).toBeCloseTo(1.000001, 6)
})

/** Two-sided tails of Student's t, from the tables of any textbook. */
test.each([
  [1, 12.7062, 0.05],
  [2, 4.3027, 0.05],
  [5, 2.5706, 0.05],
  [10, 2.2281, 0.05],
  [10, 3.1693, 0.01],
  [30, 2.0423, 0.05],
  [30, 2.75, 0.01],
  [120, 1.9799, 0.05],
  [120, 3.3735, 0.001],
])('with %s degrees of freedom t = %s has p = %s', (degreesOfFreedom, t, p) => {
  // Equal sizes and variances give 2 n - 2 degrees of freedom; one sample without variance gives n - 1.
  const n = degreesOfFreedom + 1
  const constant = { vehicles: n, mean: 0, variance: 0 }
  const found = welch({ vehicles: n, mean: t, variance: n }, constant)
  expect(found.degreesOfFreedom).toBeCloseTo(degreesOfFreedom, 9)
  expect(found.p).toBeCloseTo(p, 4)
})

test('Welch test matches published examples', () => {
  // Wikipedia, Welch's t-test (the first three) and Student's t-test, to the decimals given there.
  const samples: [number[], number[], number, number, number][] = [
    [
      [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4],
      [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4],
      -2.46,
      25.0,
      0.021,
    ],
    [
      [17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8],
      [
        21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5,
        21.5, 21.8,
      ],
      -1.57,
      9.9,
      0.149,
    ],
    [
      [19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0],
      [
        28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7, 23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4,
        24.0, 13.2,
      ],
      -2.22,
      24.5,
      0.036,
    ],
    [[30.02, 29.99, 30.11, 29.97, 30.01, 29.99], [29.89, 29.93, 29.72, 29.98, 30.02, 29.98], 1.959, 7.0, 0.091],
  ]
  for (const [a, b, t, degreesOfFreedom, p] of samples) {
    const found = welch(meanAndVariance(loadsOf(a)), meanAndVariance(loadsOf(b)))
    expect(found.t).toBeCloseTo(t, 2)
    expect(found.degreesOfFreedom).toBeCloseTo(degreesOfFreedom, 1)
    expect(found.p).toBeCloseTo(p, 3)
  }
})

test('samples without variance differ with certainty or not at all', () => {
  const constant = { vehicles: 20, mean: 7_000, variance: 0 }
  expect(welch(constant, constant)).toMatchObject({ t: 0, p: 1 })
  expect(welch(constant, { ...constant, mean: 7_001 })).toMatchObject({ t: Number.NEGATIVE_INFINITY, p: 0 })
  expect(welch({ ...constant, mean: 7_001 }, constant)).toMatchObject({ t: Number.POSITIVE_INFINITY, p: 0 })
})

test('Welch test of samples with equal variance is Student’s test', () => {
  // R: t.test(1:5, 3:7)
  const { t, degreesOfFreedom, p } = welch(
    meanAndVariance(loadsOf([1, 2, 3, 4, 5])),
    meanAndVariance(loadsOf([3, 4, 5, 6, 7])),
  )
  expect([t, degreesOfFreedom]).toEqual([-2, 8])
  expect(p).toBeCloseTo(0.0805, 4)
})

const REFERENCE = { vehicles: 200, mean: 7_000, variance: 250_000 }
const period = (vehicles: number, mean: number, variance = 250_000): LoadSums => {
  const sum = vehicles * (mean - 6_900)
  return { vehicles, sum, squares: variance * (vehicles - 1) + sum ** 2 / vehicles }
}

test('a deviation is signed, and confidence grows with it and with the sample size', () => {
  const low = comparePeriod(period(50, 6_510), REFERENCE)
  expect(low).toMatchObject({ firstAxleAvg: 6_510, counter: 50, deviationFromReference: -7, firstAxleCov: 7.68 })
  expect(comparePeriod(period(50, 7_490), REFERENCE).deviationFromReference).toBe(7)
  const confidences = [period(20, 7_050), period(100, 7_050), period(100, 7_200)].map(
    (loads) => comparePeriod(loads, REFERENCE).confidence ?? 0,
  )
  expect(confidences).toEqual(confidences.toSorted((a, b) => a - b))
  expect(new Set(confidences).size).toBe(3)
  expect(comparePeriod(period(60, 7_000), REFERENCE).confidence).toBe(0)
})

test('returns only the count of fewer than ten vehicles', () => {
  expect(comparePeriod(period(9, 7_000), REFERENCE)).toEqual({
    firstAxleAvg: null,
    firstAxleCov: null,
    counter: 9,
    deviationFromReference: null,
    confidence: null,
  })
  expect(comparePeriod({ vehicles: 0, sum: 0, squares: 0 }, REFERENCE).counter).toBe(0)
  expect(comparePeriod(period(10, 7_000), REFERENCE).firstAxleAvg).toBe(7_000)
})

test('a lane without a reference uses the general value, without a significance test', () => {
  expect(comparePeriod(period(50, 6_900 * 1.1), null)).toMatchObject({ deviationFromReference: 10, confidence: null })
  expect(referenceOf(null, null)).toEqual({
    firstAxleAvg: 6_900,
    counter: 0,
    provisional: true,
    collected: 0,
    finishedAt: null,
    finishedBy: null,
  })
  const finish = { finishedAt: new Date(0), finishedBy: 'anna', collected: 200 }
  expect(referenceOf(null, { ...finish, collected: 131 })).toMatchObject({ provisional: true, collected: 131 })
  expect(referenceOf(REFERENCE, finish)).toEqual({ firstAxleAvg: 7_000, counter: 200, provisional: false, ...finish })
})
