/*
 * What the page and the report of the effectiveness show alike.
 */

type Group = { location: { id: number } | null; laneNumber: number | null }

/** Each station, followed by its lanes if there are several. */
export const withLanes = <G extends Group>(stations: readonly G[], lanes: readonly G[]): G[] =>
  stations.flatMap((station) => {
    const ofStation = lanes.filter(({ location, laneNumber }) => location?.id === station.location?.id && laneNumber)
    return ofStation.length > 1 ? [station, ...ofStation] : [station]
  })

type Lane = { lane: { id: number }; criteria: { gross: { n: number } } }

/** Lanes to choose from for the chart: those with pairs, and the chosen one. */
export const lanesOfChart = <L extends Lane>(lanes: readonly L[], chosen: number | undefined): L[] =>
  lanes.filter(({ criteria, lane }) => criteria.gross.n > 0 || lane.id === chosen)

/** The lane of the chart: the chosen one, by default the first with pairs; undefined: all. */
export const laneOfChart = <L extends Lane>(lanes: readonly L[], chosen: number | undefined): L | undefined =>
  chosen === undefined
    ? lanes.find(({ criteria }) => criteria.gross.n > 0)
    : lanes.find(({ lane }) => lane.id === chosen)

const HALF = 50

/** Where the axis of rates begins, percent: at a half unless an interval reaches below. */
export const axisStart = (rates: readonly { low: number | null }[]): number =>
  rates.some(({ low }) => low !== null && low < HALF) ? 0 : HALF
