import type { Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import { enteredWeights, entryOf, isComplete, type MeasuredLoads, rowsOf, type WeightEntry } from './weightEntry.ts'
import type { Step, Work } from './work.ts'

type WeighingBody = Extract<Step, { step: 'weighing' }>['body']

/**
 * What was typed, compared with what the server has or is being sent. `none`: nothing was typed and nothing is stored.
 * `changed` can be sent; `incomplete` cannot.
 */
export type DraftState = 'none' | 'sent' | 'changed' | 'incomplete'

type ShownWeighing = {
  entry: WeightEntry
  measured: MeasuredLoads | null
  /** Category [8+1] of the server. */
  ctg8p1: number | null
  /** Id of the scale that is shown; undefined: none. */
  scaleId: number | undefined
  /** The weighing of the server. */
  stored: (Pick<Weighing, 'axles' | 'lifted' | 'groups' | 'gross' | 'gaps'> & { scale: { id: number } }) | null
}

/** The step of the entered weights. */
export function weighingOf(entry: WeightEntry, scaleId: number): WeighingBody {
  const { axles, lifted, gaps, groups, gross } = enteredWeights(entry)
  const { ctg8p1 } = entry
  return {
    scaleId,
    ...(ctg8p1 !== undefined && { ctg8p1: ctg8p1 as NonNullable<WeighingBody['ctg8p1']> }),
    axles: axles && [...axles],
    ...(lifted && { lifted: [...lifted] }),
    gaps: gaps && [...gaps],
    groups: groups && [...groups],
    gross,
  }
}

const textOf = ({ scaleId, axles, lifted, groups, gross }: WeighingBody): string =>
  JSON.stringify([scaleId, axles, lifted, groups, gross])

const isSame = (body: WeighingBody, other: WeighingBody): boolean =>
  textOf(body) === textOf(other) &&
  String(body.gaps) === String(other.gaps) &&
  (body.ctg8p1 === undefined || body.ctg8p1 === other.ctg8p1)

/** Compares what was typed, to two decimals, with a stored weighing. */
function isStored(body: WeighingBody, { stored, measured, ctg8p1 }: ShownWeighing): boolean {
  if (!stored) return false
  const asStored = weighingOf(entryOf(stored, measured), stored.scale.id)
  return isSame(body, { ...asStored, ctg8p1: ctg8p1 as WeighingBody['ctg8p1'] })
}

/** State of the draft of an inspection. A weighing that was refused counts as not sent. */
export function draftStateOf(
  { entry: typed, scaleId: chosen, unsent, refused }: Pick<Work, 'entry' | 'scaleId' | 'unsent' | 'refused'>,
  shown: ShownWeighing,
): DraftState {
  const { entry, scaleId, stored } = shown
  const waiting =
    refused?.step === 'weighing'
      ? undefined
      : (unsent.findLast(({ step }) => step === 'weighing')?.body as WeighingBody | undefined)
  const hasWeights = Boolean(waiting ?? stored)
  const isTyped = typed !== null && rowsOf(typed).some(({ text, isLifted }) => text !== '' || isLifted)
  if (!hasWeights && !isTyped) return 'none'
  if (typed === null && chosen === null) return 'sent'
  if (!isComplete(entry) || scaleId === undefined) return 'incomplete'
  const body = weighingOf(entry, scaleId)
  return (waiting ? isSame(body, waiting) : isStored(body, shown)) ? 'sent' : 'changed'
}
