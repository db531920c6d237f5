import { unweighedReasons } from '@rogatka/contract/inspections-figures.ts'
import { HIT_RATE_TARGET, missesTarget } from '@rogatka/domain/inspections/hitRate.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import kpis from '../ui/Kpis.module.css'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Effectiveness.module.css'
import type { EffectivenessQuery } from './effectivenessSearch.ts'
import { type FiguresResult, type Rate, type UnweighedResult, useUnweighed } from './useEffectiveness.ts'
import { useEffectivenessTexts } from './useEffectivenessTexts.ts'

const RATES = ['stopRate', 'coverage', 'missedRate'] as const

type Props = { query: EffectivenessQuery; total: FiguresResult['total'] | undefined }

/** The totals: five figures, and the rates besides the hit rate, each with its definition. */
export function EffectivenessKpis({ query, total }: Props) {
  const { t } = useTranslation('inspections')
  const { whole } = useEffectivenessTexts()
  const { data: unweighed, error } = useUnweighed(query)
  return (
    <section className={css.totals} aria-label={t('effectiveness-totals')}>
      <dl className={`${kpis.kpis} ${css.kpis}`} aria-busy={total === undefined}>
        <Kpi name={t('effectiveness-kpi-announced')}>
          {total && (
            <Count value={whole(total.stopRate.of)}>
              {t('effectiveness-stopped', { number: whole(total.stopRate.part) })}
            </Count>
          )}
        </Kpi>
        <Kpi name={t('effectiveness-kpi-weighed')}>
          {total && <Count value={whole(total.hitRate.of)}>{t('effectiveness-flagged-by-wim')}</Count>}
        </Kpi>
        <Kpi name={t('effectiveness-hits')}>
          {total && <Count value={whole(total.hitRate.part)}>{t('effectiveness-confirmed')}</Count>}
        </Kpi>
        <Kpi name={t('effectiveness-kpi-hitRate')}>{total && <HitRate rate={total.hitRate} />}</Kpi>
        <Kpi name={t('effectiveness-kpi-unweighed')}>
          {unweighed ? (
            <Unweighed counts={unweighed} />
          ) : (
            error && <Count value={MISSING}>{t('ui:figures-failed')}</Count>
          )}
        </Kpi>
      </dl>
      <dl className={css.rates}>
        {RATES.map((name) => (
          <div key={name}>
            <dt>{t(`effectiveness-kpi-${name}`)}</dt>
            <dd>{total?.[name] && <RateFigure rate={total[name]} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Kpi = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Count = ({ value, children }: { value: string; children: ReactNode }) => (
  <>
    <b>{value}</b> <span>{children}</span>
  </>
)

/** The hit rate with its interval and target; counts alone if there are too few. */
function HitRate({ rate }: { rate: Rate }) {
  const { t } = useTranslation('inspections')
  const texts = useEffectivenessTexts()
  const isMissed = missesTarget(rate)
  const interval = texts.interval(rate)
  return (
    <>
      <b className={isMissed ? css.warning : undefined}>
        {isMissed && <StatusMark status="attention" label={t('effectiveness-target-missed')} />}
        {texts.rate(rate)}
        {interval && <small>%</small>}
      </b>{' '}
      <span>
        {interval
          ? `${interval} · ${t('effectiveness-target', { target: HIT_RATE_TARGET })}`
          : rate.of > 0 && t('effectiveness-too-few')}
      </span>
    </>
  )
}

/** Announced inspections that ended without a weighing, by reason; those that may still be weighed apart. */
function Unweighed({ counts }: { counts: UnweighedResult }) {
  const { t } = useTranslation('inspections')
  const { whole } = useEffectivenessTexts()
  const ended = unweighedReasons.filter((reason) => reason !== 'open')
  const text = (reason: (typeof unweighedReasons)[number]) =>
    t(`effectiveness-reason-${reason}`, { number: whole(counts[reason]) })
  const reasons = ended.filter((reason) => counts[reason] > 0).map(text)
  return (
    <Count value={whole(ended.reduce((sum, reason) => sum + counts[reason], 0))}>
      {[reasons.join(', '), counts.open > 0 && text('open')].filter(Boolean).join('; ')}
    </Count>
  )
}

function RateFigure({ rate }: { rate: Rate }) {
  const { t } = useTranslation('inspections')
  const texts = useEffectivenessTexts()
  const interval = texts.interval(rate)
  if (!interval)
    return (
      <>
        <b>{texts.rate(rate)}</b> {rate.of > 0 && rate.part <= rate.of && <span>{t('effectiveness-too-few')}</span>}
      </>
    )
  return (
    <>
      <b>{texts.rate(rate)} %</b>{' '}
      <span>
        {texts.share(rate.part, rate.of)} · {interval}
      </span>
    </>
  )
}
