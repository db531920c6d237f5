import type { Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import { enteredWeights, entryOf, isComplete, type MeasuredLoads, rowsOf, type WeightEntry } from './weightEntry.ts'
import type { Step, Work } from './work.ts'

type WeighingBody = Extract<Step, { step: 'weighing' }>['body']

/**
 * What was typed against what the server has, or is about to get. `none`: nothing was typed and nothing is stored. `changed` can be
 * sent; `incomplete` cannot.
 */
export type DraftState = 'none' | 'sent' | 'changed' | 'incomplete'

type Shown = {
  entry: WeightEntry
  measured: MeasuredLoads | null
  /** Id of the scale that is shown; undefined: none. */
  scaleId: number | undefined
  /** The weighing of the server. */
  stored: (Pick<Weighing, 'axles' | 'groups' | 'gross' | 'gaps'> & { scale: { id: number } }) | null
}

/** The step of the entered weights. */
export function weighingOf(entry: WeightEntry, measured: MeasuredLoads | null, scaleId: number): WeighingBody {
  const { axles, gaps, groups, gross } = enteredWeights(entry, measured)
  return { scaleId, axles: axles && [...axles], gaps: gaps && [...gaps], groups: groups && [...groups], gross }
}

const textOf = ({ scaleId, axles, groups, gross }: WeighingBody): string =>
  JSON.stringify([scaleId, axles, groups, gross])

/** Compares what was typed, to two decimals, with a stored weighing. */
function isStored(body: WeighingBody, stored: NonNullable<Shown['stored']>, measured: MeasuredLoads | null): boolean {
  const asStored = weighingOf(entryOf(stored, measured), measured, stored.scale.id)
  return textOf(body) === textOf(asStored) && (body.gaps == null || String(body.gaps) === String(stored.gaps))
}

/** State of the draft of an inspection. A weighing that was refused counts as not sent. */
export function draftStateOf(
  { entry: typed, scaleId: chosen, unsent, refused }: Pick<Work, 'entry' | 'scaleId' | 'unsent' | 'refused'>,
  { entry, measured, scaleId, stored }: Shown,
): DraftState {
  const waiting =
    refused?.step === 'weighing'
      ? undefined
      : (unsent.findLast(({ step }) => step === 'weighing')?.body as WeighingBody | undefined)
  const hasWeights = Boolean(waiting ?? stored)
  const isTyped = typed !== null && rowsOf(typed).some(({ text, isLifted }) => text !== '' || isLifted)
  if (!hasWeights && !isTyped) return 'none'
  if (typed === null && chosen === null) return 'sent'
  if (!isComplete(entry) || scaleId === undefined) return 'incomplete'
  const body = weighingOf(entry, measured, scaleId)
  if (waiting)
    return textOf(body) === textOf(waiting) && String(body.gaps) === String(waiting.gaps) ? 'sent' : 'changed'
  return stored && isStored(body, stored, measured) ? 'sent' : 'changed'
}
