import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import css from './Figures.module.css'
import { useInspectionTexts } from './texts.ts'
import type { InspectionWork } from './useInspectionWork.ts'
import { VerdictLine } from './VerdictLine.tsx'

/** Static weight, WIM and excess of the whole vehicle. */
export function ResultFigures({ work: { evaluation, measured, scale } }: { work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const { tonnes, excess } = useFormat()
  const { difference } = useInspectionTexts()
  const { gross, excesses } = evaluation
  const worst = excesses.find(({ kind }) => kind === 'gross') ?? excesses[0]
  const { load, wim } = gross
  return (
    <dl className={css.figures}>
      <div>
        <dt>{t('static')}</dt>
        <dd className={gross.status === 'over' ? css.red : undefined}>
          {tonnes(load)}
          <small>t</small>
        </dd>
        {gross.limit !== null && <dd className={css.note}>{t('limit', { value: tonnes(gross.limit) })}</dd>}
      </div>
      <div>
        <dt>WIM</dt>
        <dd>
          {tonnes(measured?.totalLoad)}
          <small>t</small>
        </dd>
        {wim !== null && load !== null && gross.difference !== null && (
          <dd className={css.note}>
            {wim > load ? '+' : ''}
            {tonnes(wim - load)} t, {difference(gross.difference)}
          </dd>
        )}
      </div>
      <div>
        <dt>{t('over-the-limit')}</dt>
        <dd className={worst ? css.red : undefined}>{worst ? excess(worst.percent) : '–'}</dd>
        {scale && <dd className={css.note}>{t('after-accuracy', { percent: scale.accuracyPercent })}</dd>}
      </div>
    </dl>
  )
}

/** Whether a violation is confirmed, and which limits are exceeded. */
export function ResultVerdict({ inspection, work }: { inspection: WireInspection; work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const { loadName } = useInspectionTexts()
  const { evaluation, scaleIsValid } = work
  const loads = evaluation.excesses.map(loadName).join(', ')
  if (!scaleIsValid) return <VerdictLine kind="open">{t('scale-invalid')}</VerdictLine>
  if (evaluation.excesses.length === 0) return <VerdictLine kind="within">{t('within-limits')}</VerdictLine>
  const isHit = inspection.selection === 'preselected' && inspection.wim?.overload === true
  return (
    <VerdictLine kind="over">
      <b>{t('confirmed')}</b> {loads}
      {isHit && ` · ${t('hit')}`}
    </VerdictLine>
  )
}
