import { connect } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import type { TestApi } from './test-api.ts'

/** PostgreSQL names the indexes of partitions; these are their names in the migrations. */
const INDEXES: [RegExp, string][] = [
  [/^vehicle_(\d{4}_\d{2})_created_at_id_location_id_idx$/, 'vehicle_by_time'],
  [/^vehicle_(\d{4}_\d{2})_plate_lpr_created_at_idx$/, 'vehicle_by_plate'],
  [/^vehicle_(\d{4}_\d{2})_location_id_created_at_idx$/, 'vehicle_violating'],
  [/^vehicle_(\d{4}_\d{2})_pkey$/, 'vehicle_pkey'],
]

type Node = {
  'Relation Name'?: string
  'Index Name'?: string
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

/** The reads of one plan node; `by` is "all of" a table for a sequential scan. */
export type PlanRead = { by: string; month: string | null; rows: number; blocks: number }

function readsIn(node: Node): PlanRead[] {
  const below = (node.Plans ?? []).flatMap(readsIn)
  const index = node['Index Name']
  const isWhole = node['Node Type'] === 'Seq Scan'
  // Pruned at run time.
  if ((!index && !isWhole) || node['Actual Loops'] === 0) return below
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const cost = {
    rows: (node['Actual Rows'] + removed) * node['Actual Loops'],
    blocks: node['Shared Hit Blocks'] + node['Shared Read Blocks'],
  }
  if (!index) return [...below, { by: `all of ${node['Relation Name']}`, month: null, ...cost }]
  const [pattern, name] = INDEXES.find(([pattern]) => pattern.test(index)) ?? []
  return [...below, { by: name ?? index, month: (pattern && index.match(pattern)?.[1]) ?? null, ...cost }]
}

/** A connection with auto_explain, which reports the plan of every statement, and the reads of those that are kept. */
export function explaining(api: TestApi, isKept: (statement: string) => boolean = () => true) {
  let plans: { 'Query Text': string; Plan: Node }[] = []
  const settings = [
    'session_preload_libraries=auto_explain',
    'auto_explain.log_min_duration=0',
    'auto_explain.log_format=json',
    'auto_explain.log_analyze=on',
    'auto_explain.log_buffers=on',
    'auto_explain.log_timing=off',
    'client_min_messages=log',
  ]
  const url = new URL(api.url)
  url.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '))
  const hear = ({ message = '' }: { message?: string | undefined }) => {
    const json = message.indexOf('{')
    if (message.includes('plan:')) plans.push(JSON.parse(message.slice(json)))
  }
  const db = connect(String(url), 1, undefined, (client) => client.on('notice', hear))
  const readsOf = async (run: () => Promise<unknown>): Promise<PlanRead[]> => {
    plans = []
    await run()
    // The plan of the last statement comes with the end of its transaction, for which this waits on the only connection.
    await db.query(sql`select`)
    return plans.filter((plan) => isKept(plan['Query Text'])).flatMap(({ Plan }) => readsIn(Plan))
  }
  return { db, readsOf }
}
