import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { numberedAxles } from '@rogatka/domain/inspections/weighing.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { AxleDrawing } from '../ui/vehicle/AxleDrawing.tsx'
import type { DrawnAxle } from '../ui/vehicle/drawnAxles.ts'
import css from './Comparison.module.css'
import { useInspectionTexts } from './texts.ts'

/** The axles as they stood on the scale, with WIM, static load, difference and limit under each. */
export function ComparedAxles({ inspection }: { inspection: WireInspection }) {
  const { t } = useTranslation('inspections')
  const { tonnes, metres, excess, number } = useFormat()
  const { difference, axlesText } = useInspectionTexts()
  const { wim, static: weighing } = inspection
  if (!weighing?.axles || !weighing.gaps) return null
  const percentOf = (kind: 'axle' | 'group', axles: readonly number[]) =>
    weighing.excesses.find((it) => it.kind === kind && String(it.axles) === String(axles))?.percent ?? null
  const all = numberedAxles(weighing)
  const isSameCount = wim?.axles?.length === all.length
  const axles = all.map(({ number, weighed }): DrawnAxle => {
    const percent = percentOf('axle', [number])
    const { load, limit } = weighed ?? { load: null, limit: null }
    return {
      number,
      gap: number === 1 ? 0 : (weighing.gaps?.[number - 2] ?? 0),
      load,
      limit,
      left: null,
      right: null,
      isLifted: weighed === null,
      status: percent !== null ? 'over' : load !== null && limit !== null && load > limit ? 'tolerance' : 'ok',
      excess: percent === null ? null : excess(percent),
      mark: null,
    }
  })
  const measured = isSameCount ? wim?.axles?.map(({ totalLoad }) => totalLoad) : undefined
  const compared = (name: string, text: (wim: number, load: number | null) => string) =>
    measured ? [{ name, values: measured.map((load, at) => text(load, all[at]?.weighed?.load ?? null)) }] : []
  return (
    <section className={css.panel}>
      <header className={css.head}>
        <h2>{t('axles')}</h2>
        <span>{t('axles-hint')}</span>
      </header>
      <div className={css.drawing}>
        <AxleDrawing
          category={inspection.ctg8p1}
          axles={axles}
          groups={weighing.groups.map(({ axles, load, limit }) => {
            const percent = percentOf(axles.length > 1 ? 'group' : 'axle', axles)
            const ofLimit = limit === null ? '' : ` / ${tonnes(limit)}`
            return {
              axles,
              text:
                axles.length === 1
                  ? t('single')
                  : `${t('group-number', { axles: axlesText(axles) })}: ${tonnes(load)}${ofLimit}${percent === null ? '' : ` (${excess(percent)})`}`,
              status: percent !== null ? 'over' : limit !== null && load > limit ? 'tolerance' : 'ok',
            }
          })}
          trailer={null}
          outline={null}
          texts={{
            title: t('axles'),
            gap: t('gap'),
            axle: t('axle-name'),
            axles: t('axles'),
            load: `${t('static')} [t]`,
            lifted: t('lifted'),
            limit: `${t('limit-of')} [t]`,
            group: t('group-name'),
            over: t('status-over'),
            tolerance: t('status-accuracy'),
          }}
          above={compared('WIM [t]', tonnes)}
          below={[
            ...compared(`${t('difference')} [kg]`, (wim, load) =>
              load === null ? '–' : `${wim > load ? '+' : ''}${number(wim - load)}`,
            ),
            ...compared(`${t('difference')} [%]`, (wim, load) =>
              load === null ? '–' : difference(differenceOf({ wim, scale: load })),
            ),
          ]}
          tonnes={tonnes}
          metres={metres}
        />
      </div>
    </section>
  )
}
