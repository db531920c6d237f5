import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import css from './Figures.module.css'
import { useInspectionTexts } from './texts.ts'
import type { InspectionWork } from './useInspectionWork.ts'
import { VerdictLine } from './VerdictLine.tsx'

/** Static weight, WIM and excess of the whole vehicle. */
export function ResultFigures({ work: { evaluation, verdict, measured, scale } }: { work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const { tonnes, excess } = useFormat()
  const { difference } = useInspectionTexts()
  const { gross } = evaluation
  const { excesses, limit } = verdict
  const worst = excesses.find(({ kind }) => kind === 'gross') ?? excesses[0]
  const { load, wim } = gross
  return (
    <dl className={css.figures}>
      <div>
        <dt>{t('static')}</dt>
        <dd className={worst?.kind === 'gross' ? css.red : undefined}>
          {tonnes(load)}
          <small>t</small>
        </dd>
        {limit !== null && <dd className={css.note}>{t('limit', { value: tonnes(limit) })}</dd>}
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
  const { kind, excesses } = work.verdict
  const loads = excesses.map(loadName).join(', ')
  if (kind !== 'confirmed')
    return <VerdictLine kind={kind === 'within-limits' ? 'within' : 'open'}>{t(kind)}</VerdictLine>
  const isHit = inspection.selection === 'preselected' && inspection.wim?.overload === true
  return (
    <VerdictLine kind="over">
      <b>{t('confirmed')}</b> {loads}
      {isHit && ` · ${t('hit')}`}
    </VerdictLine>
  )
}
