import { expect, test } from 'vitest'
import { binEdgeKg, binWidth, grossBin, loadBin, spectrumKind, spectrumKinds } from './loadSpectra.ts'

test('edges in kN are those of the published example, in kg', () => {
  expect([1, 20, 23].map((bin) => binEdgeKg('single', 'kN', bin))).toEqual([510, 10_198, 11_727])
})

test('a bin begins at its edge and ends before the next', () => {
  for (const kind of spectrumKinds)
    for (const unit of ['t', 'kN'] as const)
      for (let bin = 1; bin < 60; bin++) {
        const edge = binEdgeKg(kind, unit, bin)
        expect([loadBin(kind, unit, edge - 1), loadBin(kind, unit, edge)]).toEqual([bin - 1, bin])
      }
})

test('the last bin has no upper bound', () => {
  expect(loadBin('first', 't', 29_499)).toBe(58)
  expect(loadBin('first', 't', 900_000)).toBe(59)
  expect([grossBin(999), grossBin(1000), grossBin(59_000), grossBin(250_000)]).toEqual([0, 1, 59, 59])
})

test('groups have bins by their number of axles', () => {
  expect(spectrumKinds.map((kind) => [binWidth(kind, 't'), binWidth(kind, 'kN')])).toEqual([
    [500, 5],
    [500, 5],
    [1000, 10],
    [1500, 15],
    [1500, 15],
  ])
  expect([spectrumKind(1, 1), spectrumKind(2, 1), spectrumKind(1, 2), spectrumKind(3, 3), spectrumKind(3, 5)]).toEqual([
    'first',
    'single',
    'tandem',
    'tridem',
    'wider',
  ])
})
