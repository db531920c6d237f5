import type { InspectionResult, RecordedStep, WireInspection } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { formatMinute, useFormat } from '../core/format.ts'
import { FactList } from '../ui/FactList.tsx'
import css from './Inspection.module.css'
import { useInspectionTexts } from './texts.ts'

type Fact = [string, string | null | undefined]

const STEP_TEXTS = {
  announced: 'announced',
  takenOver: 'taken-over',
  weighed: 'weighed',
  closed: 'closed',
  withdrawn: 'withdrawn',
  passedBy: 'passed-by',
  reopened: 'reopened',
} as const satisfies Record<RecordedStep, string>

/** State, steps, results and what was noted, of an inspection that the user only reads. */
export function Facts({ inspection }: { inspection: WireInspection }) {
  const { t } = useTranslation('inspections')
  const { number } = useFormat()
  const { stateName } = useInspectionTexts()
  const { location, announced, officer, takenOverAt, weighed, closed, withdrawn, passedBy, reopened } = inspection
  const step = (at: string, by: { username: string } | null) =>
    [formatMinute(at), by?.username].filter(Boolean).join(', ')
  const namesOf = (results: readonly InspectionResult[]) => results.map((result) => t(`result-${result}`)).join(', ')
  const amountOf = (grosze: number | null) => grosze !== null && `${number(grosze / 100, 2)} zł`
  const recorded = (inspection.steps ?? []).map(({ step: name, at, by, reason, after }, index, steps): Fact => {
    // The results of the last closing are below.
    const isReopened = steps.slice(index).some((later) => later.step === 'reopened')
    const found = isReopened && after && [namesOf(after.results), amountOf(after.fineAmount)].filter(Boolean).join(', ')
    const taken = step(at, by === null ? null : { username: by })
    return [t(STEP_TEXTS[name]), [taken, reason, found].filter(Boolean).join(': ')]
  })
  // The last one of each kind.
  const lastSteps: Fact[] = [
    [t('announced'), step(announced.at, announced.by)],
    [t('taken-over'), takenOverAt && step(takenOverAt, officer)],
    [t('weighed'), weighed && step(weighed.at, weighed.by)],
    [t('closed'), closed && step(closed.at, closed.by)],
    [t('withdrawn'), withdrawn && step(withdrawn.at, withdrawn.by)],
    [t('passed-by'), passedBy && step(passedBy.at, passedBy.by)],
    [t('reopened'), reopened && step(reopened.at, reopened.by)],
    [t('reason'), inspection.reason],
  ]
  const facts: Fact[] = [
    [t('number'), inspection.number],
    [t('state'), stateName(inspection)],
    [t('ui:station'), location.shortName],
    [t('selection'), t(`selection-${inspection.selection}`)],
    ...(inspection.steps ? recorded : lastSteps),
    [t('result'), namesOf(inspection.results) || null],
    [t('amount-of'), amountOf(inspection.fineAmount) || null],
    [t('carrier'), inspection.carrier],
    [t('tax-id'), inspection.taxId],
    [t('note'), inspection.note],
    [t('declaration'), inspection.declaration],
  ]
  return <FactList facts={facts} className={css.facts} />
}
