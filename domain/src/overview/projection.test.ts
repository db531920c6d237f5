import { expect, test } from 'vitest'
import { conformalConic } from './projection.ts'

test('projects the example of Snyder, Map Projections – A Working Manual, page 295', () => {
  const project = conformalConic({ parallels: [33, 45], origin: { longitude: -96, latitude: 23 } })
  const { x, y } = project({ longitude: -75, latitude: 35 })
  expect(x).toBeCloseTo(0.2966785, 7)
  expect(y).toBeCloseTo(0.2462112, 7)
})
