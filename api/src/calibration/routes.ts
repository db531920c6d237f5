import { setImmediate } from 'node:timers/promises'
import { type Calibration, deviation, finish, list } from '@rogatka/contract/calibration.ts'
import { MAX_CLOCK_AHEAD_MINUTES } from '@rogatka/contract/ingest.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { audit } from '../core/audit.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { graphOf, type Size } from './graph.ts'
import { byLocation, type CalibrationAnswer, hoursFor, judgeLanes, knownLocations } from './lanes.ts'
import { noteFinish } from './queries.ts'

/** Opens how the lanes' scales have drifted, and the noting of calibrations. */
export function calibrationRoutes(api: Api): void {
  route(api, list, async ({ sql, query, language }) => {
    const { dateTimeStart: from, dateTimeEnd: to, statResolutionValue: hours, locations } = query
    const answer = await judgeLanes(sql, { from, to, hours, locations })
    return drawn(answer, query, { shows: 'load', language })
  })

  route(api, deviation, async ({ sql, query, language }) => {
    const { dateTimeStart: from, dateTimeEnd: to, locations } = query
    const answer = await judgeLanes(sql, { from, to, hours: hoursFor(from, to), locations })
    return drawn(answer, query, { shows: 'deviation', language })
  })

  route(api, finish, async ({ sql, now, query, session, request }) => {
    const { time: finishedAt } = query
    if (finishedAt.getTime() > now.getTime() + MAX_CLOCK_AHEAD_MINUTES * 60_000) {
      throw new Refusal('calibration-in-the-future', 422, 'time')
    }
    const locations = await knownLocations(sql, [...new Set(query.locations)])
    await sql.begin(async (sql) => {
      for (const { id, shortName, lanes } of locations) {
        const calibrated = { locationId: id, lanes: lanes.map(({ laneNumber }) => laneNumber), finishedAt }
        await noteFinish(sql, calibrated, session, now)
        await audit(
          sql,
          { session, request, now },
          { action: 'calibration-finished', subject: shortName, after: calibrated },
        )
      }
    })
  })
}

/** The answer with a chart for each lane, where they are asked for. */
async function drawn(
  answer: CalibrationAnswer,
  query: Size & { addGraph: boolean },
  how: { shows: 'load' | 'deviation'; language: Language },
): Promise<Calibration[]> {
  const graphs: (string | null)[] = []
  for (const lane of answer.lanes) {
    graphs.push(query.addGraph ? (await graphOf(lane, answer.starts, query, how)).toString('base64') : null)
    // Who watches live vehicles waits for one chart at most.
    await setImmediate()
  }
  return byLocation(answer, graphs)
}
