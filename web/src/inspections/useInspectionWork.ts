import type { InspectionResult, WireInspection } from '@rogatka/contract/inspections.ts'
import { isValidAt } from '@rogatka/domain/certificates/validity.ts'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { closingOf, shownOutcome } from './closing.ts'
import { draftStateOf, weighingOf } from './draft.ts'
import { evaluateEntry } from './entryEvaluation.ts'
import { storePhotos } from './photoStore.ts'
import { scaleOf } from './scaleChoice.ts'
import { sendUnsent } from './sending.ts'
import { newestOf, useLastCarrier, useScales } from './useInspections.ts'
import { verdictOfEntry, verdictOfStored } from './verdict.ts'
import { entryOf, isComplete, type MeasuredLoads, nextRow, startEntry, type WeightEntry } from './weightEntry.ts'
import { appendStep, changeWork, type Outcome, type Step, type Work, work, workOf } from './work.ts'

/** Of each user of the device their own. */
const lastScaleKey = () => `inspection-scale:${session.get().userId}`

/** Adds a step to those that are unsent, and sends them. */
export function takeStep(id: number, step: Step): void {
  appendStep(id, step)
  sendUnsent()
}

/** The scale that is chosen, else that of the stored weights, else the last one on this device. */
function useScale({ scaleId: chosen }: Work, stored: WireInspection['static']) {
  const { data: scales } = useScales()
  const now = new Date(serverNow())
  const known = chosen ?? stored?.scale.id ?? null
  const scale = scales && scaleOf(scales, { chosen: known, last: Number(readStored('local', lastScaleKey())) }, now)
  return {
    scales,
    scale,
    scaleIsValid: scale !== undefined && isValidAt(scale, now),
    scaleId: scale?.id ?? known ?? undefined,
  }
}

/** Results and carrier, as they were entered, else as they are stored, else those of an earlier inspection. */
function useOutcome({ outcome: entered }: Work, inspection: WireInspection) {
  const known = useLastCarrier(inspection.id)
  const outcome = { ...entered, ...shownOutcome(entered, inspection) }
  // Name and number are those of one source, as they are shown.
  const source = inspection.carrier === null ? known : { name: inspection.carrier, taxId: inspection.taxId }
  return {
    outcome,
    carrier: outcome.carrier ?? source?.name ?? '',
    taxId: outcome.taxId ?? source?.taxId ?? '',
    /** When the carrier was recorded; null: entered for this inspection. */
    carrierSince: outcome.carrier === null && inspection.carrier === null ? (known?.closedAt ?? null) : null,
  }
}

/** What was typed, against limits and what the server has. */
function useEntry(mine: Work, inspection: WireInspection) {
  const { wim, static: stored, ctg8p1, limits } = inspection
  const measured = wim as MeasuredLoads | null
  const entry = mine.entry ?? (stored ? entryOf(stored, measured) : startEntry(measured))
  const chosen = useScale(mine, stored)
  const { scale, scaleIsValid, scaleId } = chosen
  const draft = draftStateOf(mine, { entry, measured, ctg8p1, scaleId, stored })
  const evaluation = evaluateEntry(
    entry,
    { measured, ctg8p1, limits },
    scale && scaleIsValid ? scale.accuracyPercent : null,
  )
  const isStored = draft === 'sent' && mine.unsent.every(({ step }) => step !== 'weighing')
  return {
    ...chosen,
    measured,
    entry,
    draft,
    evaluation,
    /** Category [8+1], as corrected. */
    ctg8p1: entry.ctg8p1 ?? ctg8p1,
    /** The weights are those that the server has. */
    isStored,
    verdict: isStored && stored ? verdictOfStored(stored) : verdictOfEntry(evaluation, chosen),
  }
}

/** Changes of what was entered for an inspection; `entry` is what is shown. */
const changesOf = (id: number, entry: WeightEntry) => ({
  /** Changes the entry as it is now: keys may come faster than the page is drawn. */
  changeEntry: (change: (before: WeightEntry) => WeightEntry) =>
    changeWork(id, (it) => ({ entry: change(it.entry ?? entry) })),
  setScale: (scaleId: number) => {
    writeStored('local', lastScaleKey(), String(scaleId))
    changeWork(id, () => ({ scaleId }))
  },
  markQuestioned: (row: number) => changeWork(id, (it) => ({ questioned: [...it.questioned, row] })),
  setOutcome: (change: Partial<Outcome>) => changeWork(id, (it) => ({ outcome: { ...it.outcome, ...change } })),
  addPhotos: (files: readonly File[]) => {
    // At once, so that closing the inspection waits for them.
    const keys = storePhotos(files)
    changeWork(id, (it) => ({ photos: [...it.photos, ...keys] }))
    sendUnsent()
  },
  /** Shows the first row that is still to be filled. */
  selectMissing: () => changeWork(id, (it) => ({ entry: nextRow(it.entry ?? entry) })),
  /** Gives up weights that were typed and not sent. */
  dropDraft: () => changeWork(id, () => ({ entry: null, scaleId: null, questioned: [] })),
})

/** What the officer has entered for an inspection, kept on the device, and its steps. */
export function useInspectionWork(shown: WireInspection) {
  const mine = workOf(useStore(work), shown.id)
  const inspection = newestOf(shown)
  const { id } = inspection
  const typed = useEntry(mine, inspection)
  const ended = useOutcome(mine, inspection)
  const { entry, draft, scaleId } = typed
  const { outcome, carrier, taxId } = ended
  return {
    inspection,
    work: mine,
    questioned: mine.questioned,
    ...typed,
    ...ended,
    ...changesOf(id, entry),
    /** Stores the weights; false if they are incomplete or no scale is chosen. */
    finishWeighing: (): boolean => {
      if (!isComplete(entry) || scaleId === undefined) return false
      // As it is: nothing has to be sent again.
      if (draft === 'sent') return true
      takeStep(id, { step: 'weighing', body: weighingOf(entry, scaleId) })
      return true
    },
    close: (results: InspectionResult[]) =>
      takeStep(id, { step: 'close', body: closingOf({ ...outcome, results }, { carrier, taxId, stored: inspection }) }),
  }
}

export type InspectionWork = ReturnType<typeof useInspectionWork>
