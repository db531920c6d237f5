import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { Selection } from '@rogatka/contract/options.ts'

/** An inspection of the demo's history, as its simulated officers made it. Times as ISO 8601. */
export type PastInspection = {
  locationId: number
  vehicleId: number
  /** When the vehicle was measured. */
  createdAt: string
  selection: Selection
  state: 'closed' | 'withdrawn' | 'passedBy'
  /** Otherwise the officer opened and took it over at once. */
  isAnnounced: boolean
  /** Username. */
  officer: string
  announcedAt: string
  takenOverAt: string | null
  weighedAt: string | null
  endedAt: string
  /** Axle loads in kg. */
  weighing: { scaleId: number; axles: number[] } | null
  results: InspectionResult[]
  /** In grosze. */
  fineAmount: number | null
  carrier: string | null
  taxId: string | null
  declaration: string | null
  reason: string | null
}
