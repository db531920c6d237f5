import { isQuick, isRequested, type Table } from './bench.ts'
import {
  type BenchPortal,
  fillList,
  IMAGE_TYPES,
  measurePolling,
  measureStreaming,
  type Row,
  VEHICLES_PER_SECOND,
} from './operators.ts'
import { startSinglePosts } from './single-posts.ts'

/* Operators of few stations against operators of many, whose vehicles per second and lists are the same. */

export const MANY_STATIONS = 40
const OPERATORS = isQuick ? 50 : 1_000
export const STATION_SESSIONS = OPERATORS
const NAME = OPERATORS.toLocaleString('en')
const WAYS = [
  { name: `${MANY_STATIONS} stations, streams`, measure: measureStreaming },
  {
    name: `${MANY_STATIONS} stations, checks`,
    measure: (...[portal, tokens, traffic]: Parameters<typeof measureStreaming>) =>
      measurePolling(portal, tokens, traffic, true),
  },
]

/** Names of what `compareStations` measures. */
export const STATION_PARTS = WAYS.map(({ name }) => name)

type WithPortal = (stations: number, measure: (portal: BenchPortal) => Promise<Row[]>) => Promise<Row[]>

/** `withPortal` measures with a portal of so many stations. */
export async function compareStations(withPortal: WithPortal, fewStations: number): Promise<Table[]> {
  const ways = WAYS.filter(({ name }) => isRequested(name))
  const measure = async (portal: BenchPortal) => {
    await fillList(portal)
    const traffic = await startSinglePosts(portal.port, portal.senders, VEHICLES_PER_SECOND, IMAGE_TYPES)
    const rows: Row[] = []
    for (const { measure } of ways) rows.push(await measure(portal, portal.tokens, traffic))
    await traffic.stop()
    return rows
  }
  const few = await withPortal(fewStations, measure)
  const many = await withPortal(MANY_STATIONS, measure)
  const columns = (stations: number) => [`${stations} stations: median`, '99 %']
  return [
    {
      head: [`${NAME} operators`, 'what', ...columns(fewStations), ...columns(MANY_STATIONS), 'ratio', 'ratio at 99 %'],
      rows: ways.flatMap(({ name }, at) => rowsOf(name, few[at], many[at])),
      notes: [...few, ...many].flatMap(({ notes, refused }) => [...notes, ...(refused ? [`${refused} refused`] : [])]),
    },
  ]
}

function rowsOf(name: string, few: Row | undefined, many: Row | undefined): string[][] {
  return Object.entries(few?.waits ?? {}).map(([what, times]) => {
    const [before, after] = [times, many?.waits[what] ?? []].map((all) => {
      const sorted = all.toSorted((a, b) => a - b)
      return [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN)
    }) as [number[], number[]]
    const ratios = before.map((time, at) => ((after[at] ?? Number.NaN) / time).toFixed(2))
    return [name, what, ...[...before, ...after].map((time) => `${time.toFixed(0)} ms`), ...ratios]
  })
}
