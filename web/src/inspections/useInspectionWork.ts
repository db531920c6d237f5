import type { InspectionResult, WireInspection } from '@rogatka/contract/inspections.ts'
import { isValidAt } from '@rogatka/domain/certificates/validity.ts'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { closingOf, shownOutcome } from './closing.ts'
import { draftStateOf, weighingOf } from './draft.ts'
import { storePhotos } from './photoStore.ts'
import { scaleOf } from './scaleChoice.ts'
import { sendUnsent } from './sending.ts'
import { newestOf, useLastCarrier, useScales } from './useInspections.ts'
import {
  entryOf,
  evaluateEntry,
  isComplete,
  type MeasuredLoads,
  nextRow,
  startEntry,
  type WeightEntry,
} from './weightEntry.ts'
import { appendStep, changeWork, type Outcome, type Step, work, workOf } from './work.ts'

/** Of each user of the device their own. */
const lastScaleKey = () => `inspection-scale:${session.get().userId}`

/** Adds a step to those that are unsent, and sends them. */
export function takeStep(id: number, step: Step): void {
  appendStep(id, step)
  sendUnsent()
}

/** What the officer has entered for an inspection, kept on the device, and its steps. */
export function useInspectionWork(shown: WireInspection) {
  const mine = workOf(useStore(work), shown.id)
  const inspection = newestOf(shown)
  const { id, wim } = inspection
  const measured = wim as MeasuredLoads | null
  const { data: scales } = useScales()

  const entry = mine.entry ?? (inspection.static ? entryOf(inspection.static as never, measured) : startEntry(measured))
  const now = new Date(serverNow())
  const chosen = mine.scaleId ?? inspection.static?.scale.id ?? null
  const last = Number(readStored('local', lastScaleKey()))
  const scale = scales && scaleOf(scales, { chosen, last }, now)
  const scaleIsValid = scale !== undefined && isValidAt(scale, now)
  const accuracyPercent = scale && scaleIsValid ? scale.accuracyPercent : null
  const scaleId = scale?.id ?? mine.scaleId ?? inspection.static?.scale.id
  const draft = draftStateOf(mine, { entry, measured, scaleId, stored: inspection.static })
  const outcome = { ...mine.outcome, ...shownOutcome(mine.outcome, inspection) }
  const known = useLastCarrier(id)
  // Name and number are those of one source, as they are shown.
  const source = inspection.carrier === null ? known : { name: inspection.carrier, taxId: inspection.taxId }
  const carrier = outcome.carrier ?? source?.name ?? ''
  const taxId = outcome.taxId ?? source?.taxId ?? ''

  return {
    inspection,
    work: mine,
    measured,
    entry,
    draft,
    scale,
    scales,
    scaleIsValid,
    outcome,
    carrier,
    taxId,
    /** When the carrier was recorded; null: entered for this inspection. */
    carrierSince: outcome.carrier === null && inspection.carrier === null ? (known?.closedAt ?? null) : null,
    evaluation: evaluateEntry(entry, measured, accuracyPercent),
    /** Changes the entry as it is now: keys may come faster than the page is drawn. */
    changeEntry: (change: (before: WeightEntry) => WeightEntry) =>
      changeWork(id, (it) => ({ entry: change(it.entry ?? entry) })),
    setScale: (scaleId: number) => {
      writeStored('local', lastScaleKey(), String(scaleId))
      changeWork(id, () => ({ scaleId }))
    },
    questioned: mine.questioned,
    markQuestioned: (row: number) => changeWork(id, (it) => ({ questioned: [...it.questioned, row] })),
    setOutcome: (change: Partial<Outcome>) => changeWork(id, (it) => ({ outcome: { ...it.outcome, ...change } })),
    addPhotos: (files: readonly File[]) => {
      // At once, so that closing the inspection waits for them.
      const keys = storePhotos(files)
      changeWork(id, (it) => ({ photos: [...it.photos, ...keys] }))
      sendUnsent()
    },
    /** Stores the weights; false if they are incomplete or no scale is chosen. */
    finishWeighing: (): boolean => {
      if (!isComplete(entry) || scaleId === undefined) return false
      // As it is: nothing has to be sent again.
      if (draft === 'sent') return true
      takeStep(id, { step: 'weighing', body: weighingOf(entry, measured, scaleId) })
      return true
    },
    /** Shows the first row that is still to be filled. */
    selectMissing: () => changeWork(id, (it) => ({ entry: nextRow(it.entry ?? entry) })),
    /** Gives up weights that were typed and not sent. */
    dropDraft: () => changeWork(id, () => ({ entry: null, scaleId: null, questioned: [] })),
    close: (results: InspectionResult[]) =>
      takeStep(id, { step: 'close', body: closingOf({ ...outcome, results }, { carrier, taxId, stored: inspection }) }),
  }
}

export type InspectionWork = ReturnType<typeof useInspectionWork>
