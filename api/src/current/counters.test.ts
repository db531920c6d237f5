import type { Vehicle, VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { createCountersJson, createTallies } from './counters.ts'
import { createPolledCounters } from './polled-counters.ts'
import { createWindow } from './window.ts'

const STATIONS = [7, 8, 11]

/** A vehicle, as the test knows it. Times in seconds. */
type CountedVehicle = { id: number; station: number; lane: number; speed: number; checkpoint: number }

const at = (seconds: number) => new Date(Date.UTC(2026, 9, 20, 8) + seconds * 1000)

const received = ({ id, station, lane, speed, checkpoint }: CountedVehicle) => ({
  vehicle: {
    id,
    createdAt: at(id),
    checkpointTime: at(checkpoint),
    location: { id: station },
    lane: { laneNumber: lane },
    speed,
    ctg8p1: 5,
  } as Vehicle,
  receivedAt: at(id),
})

/** Filters, and the vehicles that they select. */
const SELECTIONS: [VehicleFilters, (vehicle: CountedVehicle) => boolean][] = [
  [{}, () => true],
  [{ minSpeed: 80 }, ({ speed }) => speed >= 80],
  [{ locations: [11, 7] }, ({ station }) => station !== 8],
  [{ locations: [9] }, () => false],
  [{ laneNumbers: [2], maxSpeed: 100 }, ({ lane, speed }) => lane === 2 && speed <= 100],
]

test.each([1, 2, 3, 4, 5])(
  'counters of streams and polls equal a full count of live vehicles, with seed %i',
  (seed) => {
    const { below, pick } = seededRandom(seed)
    const polledJson = createPolledCounters()
    let time = 0
    let lastId = 0
    const create = (): CountedVehicle => ({
      id: ++lastId,
      station: pick(STATIONS),
      lane: 1 + below(2),
      speed: 60 + below(60),
      checkpoint: time - 590 + below(200),
    })
    const vary = (vehicle: CountedVehicle) =>
      Object.assign(vehicle, { ...create(), id: vehicle.id, station: vehicle.station })
    const all = new Map<number, CountedVehicle>()
    const add = () => {
      const vehicle = create()
      all.set(vehicle.id, vehicle)
      return vehicle
    }
    const window = createWindow()
    // Loaded ones are notified, too, a little later.
    const loaded = Array.from({ length: 20 }, add)
    const times = STATIONS.map((locationId) => ({ locationId, lastVehicleTime: at(locationId) }))
    window.load(loaded.map(received), times, at(time))
    const tallies = createTallies()
    const selections = SELECTIONS.slice(0, 3).map(([filters, selects]) => ({ tally: tallies.create(filters), selects }))
    const allTallies = () => selections.map(({ tally }) => tally)
    tallies.reset(window, allTallies())
    let state = window.state()

    const isLive = ({ checkpoint }: CountedVehicle) => time < checkpoint + 600
    for (let round = 0; round < 300; round++) {
      for (let step = below(6); step > 0; step--) {
        const [one] = [...all.values()].slice(below(all.size))
        const kind = below(10)
        if (kind < 4) window.append(received(add()))
        else if (kind < 7 && one && isLive(one)) window.change(received(vary(one)), at(time))
        else if (kind < 8) {
          const known = loaded.pop()
          if (known && isLive(known)) window.append(received(vary(known)))
        } else if (kind < 9) time += below(8)
        else {
          window.expire(at(time))
          for (const vehicle of all.values()) if (!isLive(vehicle)) all.delete(vehicle.id)
        }
      }
      tallies.update(window.deltaSince(state), allTallies())
      state = window.state()
      const later = SELECTIONS[selections.length]
      if (later && below(20) === 0) selections.push({ tally: tallies.create(later[0]), selects: later[1] })

      const json = createCountersJson(window, at(time))
      // Polls may come after more than all changes that the window keeps.
      const isPolled = below(round < 150 ? 3 : 40) === 0
      for (const { tally, selects } of selections) {
        const live = [...all.values()].filter((vehicle) => isLive(vehicle) && selects(vehicle))
        const stations = tally.filters.locations?.toSorted((a, b) => a - b) ?? STATIONS
        const expected = stations.map((locationId) => ({
          locationId,
          vehicles: live.filter(({ station }) => station === locationId).length,
          lastVehicleTime: STATIONS.includes(locationId) ? at(locationId).toISOString() : null,
        }))
        expect(JSON.parse(json(tally))).toEqual(expected)
        if (isPolled && below(3) > 0) expect(JSON.parse(polledJson(window, tally.filters, at(time)))).toEqual(expected)
      }
    }
    expect(window.size()).toBeGreaterThan(20)
    expect(lastId).toBeGreaterThan(150)
  },
)
