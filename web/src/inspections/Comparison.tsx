import { VisuallyHidden } from '@mantine/core'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { excessesOf, numberedAxles } from '@rogatka/domain/inspections/weighing.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import css from './Comparison.module.css'
import { useInspectionTexts } from './texts.ts'

/** What is compared: of an inspection, or of a vehicle with its latest static weights. */
export type ComparedWeights = Pick<WireInspection, 'static'> & {
  wim: Pick<NonNullable<WireInspection['wim']>, 'lane' | 'totalLoad' | 'axles' | 'axlesComplex' | 'tolerance'> | null
}

type ComparedLoad = {
  name: string
  wim: number | null
  /** Null: the axle was lifted. */
  load: number | null
  limit: number | null
  /** ± percent of the accuracy class of the lane. */
  tolerance: number | null
  /** Of the load without the accuracy of the scale; null: the limit is not exceeded for sure. */
  percent: number | null
}

/** WIM against the static scale: gross weight, groups and axles, those over their limit first. */
export function Comparison({ inspection }: { inspection: ComparedWeights }) {
  const { t } = useTranslation('inspections')
  const { tonnes, number, excess } = useFormat()
  const { loadName, liftedText } = useInspectionTexts()
  const { wim, static: weighing } = inspection
  if (!weighing) return null
  const { accuracyPercent } = weighing.scale
  const lines = linesOf(inspection, loadName)
  return (
    <section className={css.panel}>
      <header className={css.head}>
        <h2>{t('comparison')}</h2>
        <span>
          {t('difference-rule')}
          {wim?.lane.accuracyClass && (
            <>
              {' · '}
              <span className={css.unbroken}>{t('tolerance-of', { class: wim.lane.accuracyClass.name })}</span>
            </>
          )}
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <div className={css.scroll} tabIndex={0}>
        <table className={css.table}>
          <VisuallyHidden component="caption">{t('comparison')}</VisuallyHidden>
          <thead>
            <tr>
              <th scope="col">{t('quantity')}</th>
              <th scope="col">WIM [t]</th>
              <th scope="col">{t('static')} [t]</th>
              <th scope="col" className={css.wide}>
                {t('difference')} [kg]
              </th>
              <th scope="col">{t('difference')} [%]</th>
              <th scope="col" className={css.wide}>
                {t('class')} [%]
              </th>
              <th scope="col" className={css.wide}>
                {t('limit-of')} [t]
              </th>
              <th scope="col">{t('over-after', { percent: accuracyPercent })}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, wim, load, limit, tolerance, percent }) => (
              <tr key={name} data-over={percent !== null || undefined}>
                <th scope="row">{name}</th>
                <td className={css.quiet}>{tonnes(wim)}</td>
                <td className={css.static}>{load === null ? t('lifted') : tonnes(load)}</td>
                <td className={css.wide}>{wim === null || load === null ? '–' : signed(wim - load, number)}</td>
                <td>{wim === null || load === null ? '–' : signed(differenceOf({ wim, scale: load }), number, 1)}</td>
                <td className={`${css.quiet} ${css.wide}`}>{tolerance === null ? '–' : `±${number(tolerance)}`}</td>
                <td className={`${css.quiet} ${css.wide}`}>{tonnes(limit)}</td>
                <td className={css.over}>
                  {percent !== null ? excess(percent) : limit === null ? '–' : t('status-within')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css.foot}>
        {weighing.isScaleValid ? t('accuracy-deducted', { percent: accuracyPercent }) : t('scale-invalid')}
        {` · ${weighing.scale.name}, ${weighing.scale.certificate}`}
        {weighing.lifted && ` · ${liftedText(weighing)}`}
      </p>
    </section>
  )
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const signed = (value: number, format: (value: number, decimals?: number) => string, decimals = 0) =>
  `${value > 0 ? '+' : ''}${format(value, decimals)}`

function linesOf(
  { wim, static: weighing }: ComparedWeights,
  loadName: (of: { kind: 'gross' | 'group' | 'axle'; axles: number[] }) => string,
): ComparedLoad[] {
  if (!weighing) return []
  const { accuracyPercent } = weighing.scale
  const tolerance = wim?.tolerance ?? null
  const axles = numberedAxles(weighing)
  const isSameCount = axles.length === wim?.axles?.length
  const line = (
    of: { kind: 'gross' | 'group' | 'axle'; axles: number[] },
    { load, limit }: { load: number | null; limit: number | null },
    measured: number | null | undefined,
    allowed: number | null | undefined,
  ): ComparedLoad => {
    const [found] = excessesOf(
      { gross: { load: load ?? 0, limit }, axles: null, gaps: null, groups: [] },
      accuracyPercent,
    )
    const percent = weighing.isScaleValid ? (found?.percent ?? null) : null
    return { name: capitalised(loadName(of)), load, limit, wim: measured ?? null, tolerance: allowed ?? null, percent }
  }
  const groupOf = (axles: readonly number[]) =>
    wim?.axlesComplex?.axlesGroups.find((group) => String(group.axles) === String(axles))
  const lines = [
    line({ kind: 'gross', axles: [] }, weighing.gross, wim?.totalLoad, tolerance?.gross),
    ...weighing.groups
      .filter(({ axles }) => axles.length > 1)
      .map((group) =>
        line({ kind: 'group', axles: group.axles }, group, groupOf(group.axles)?.totalLoad, tolerance?.group),
      ),
    ...axles.map(({ number, weighed }) => {
      const isAlone = !weighing.groups.some(({ axles }) => axles.length > 1 && axles.includes(number))
      return line(
        { kind: 'axle', axles: [number] },
        weighed ?? { load: null, limit: null },
        isSameCount ? wim?.axles?.[number - 1]?.totalLoad : null,
        isAlone ? tolerance?.singleAxle : tolerance?.axleOfGroup,
      )
    }),
    ...(weighing.axles ? [] : weighing.groups.filter(({ axles }) => axles.length === 1)).map((group) =>
      line({ kind: 'axle', axles: group.axles }, group, groupOf(group.axles)?.totalLoad, tolerance?.singleAxle),
    ),
  ]
  return [...lines.filter(({ percent }) => percent !== null), ...lines.filter(({ percent }) => percent === null)]
}
