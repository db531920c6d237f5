import type { Database } from '../../core/database.ts'
import { sql } from '../../core/statement.ts'

type SimulatedState = {
  shown: string
  shownUntil: Date | null
  delayMs: number
  offline: boolean
  rejects: boolean
  controlMode: string
  faults: string[]
}

const DEFAULT_STATE: SimulatedState = {
  shown: '',
  shownUntil: null,
  delayMs: 0,
  offline: false,
  rejects: false,
  controlMode: 'central',
  faults: [],
}

/** The content and faults of a simulated sign. */
export async function simulatedStateOf(db: Database, signId: number): Promise<SimulatedState> {
  const [row] = await db.query<SimulatedState>(sql`
    select shown, shown_until as "shownUntil", delay_ms as "delayMs", offline, rejects,
           control_mode as "controlMode", faults
    from vms_simulated where sign_id = ${signId}`)
  return row ?? DEFAULT_STATE
}

export const showSimulated = (db: Database, signId: number, shown: string, until: Date | null) =>
  db.execute(sql`
  insert into vms_simulated (sign_id, shown, shown_until) values (${signId}, ${shown}, ${until}::timestamptz)
  on conflict (sign_id) do update set shown = excluded.shown, shown_until = excluded.shown_until`)

/** Sets the faults of a simulated sign; absent ones are cleared. */
export const injectFaults = (
  db: Database,
  signId: number,
  changes: Partial<Omit<SimulatedState, 'shown' | 'shownUntil'>>,
) => {
  const { delayMs, offline, rejects, controlMode, faults } = { ...DEFAULT_STATE, ...changes }
  return db.execute(sql`
    insert into vms_simulated (sign_id, delay_ms, offline, rejects, control_mode, faults)
    values (${signId}, ${delayMs}, ${offline}::boolean, ${rejects}::boolean, ${controlMode}, ${faults})
    on conflict (sign_id) do update
    set delay_ms = excluded.delay_ms, offline = excluded.offline, rejects = excluded.rejects,
        control_mode = excluded.control_mode, faults = excluded.faults`)
}
