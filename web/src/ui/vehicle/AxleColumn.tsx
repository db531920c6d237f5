import { VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import css from './AxleColumn.module.css'
import { AxleLoad } from './AxleLoad.tsx'
import type { AxleDrawingProps } from './drawnAxles.ts'
import { Gauge } from './Gauge.tsx'

/** Height of an axle spacing in px, to scale within 18 to 56. */
const gapHeight = (cm: number) => Math.round(Math.min(56, Math.max(18, cm * 0.07)))

/** Axles from top to bottom in plan view, for narrow screens. */
export function AxleColumn({ axles, groups, texts, tonnes, metres, above = [], below = [] }: AxleDrawingProps) {
  const lines = [...above, ...below]
  const limitOf = (limit: number | null) => (limit === null ? '' : `/ ${tonnes(limit)}`)
  return (
    <table className={css.column}>
      <VisuallyHidden component="caption">{texts.title}</VisuallyHidden>
      <thead>
        <tr>
          <th scope="col">{texts.axle}</th>
          <th scope="col">{texts.load}</th>
          <th scope="col" className={css.end}>
            {texts.wheels ?? lines.map(({ name }) => name).join(' · ')}
          </th>
        </tr>
      </thead>
      <tbody>
        {axles.map(({ number, gap, load, limit, left, right, status, mark, isLifted }) => (
          <Fragment key={number}>
            {number > 1 && (
              <tr className={css.gap} style={{ height: gapHeight(gap) }}>
                <td colSpan={3}>{gap > 0 ? `${metres(gap)} m` : '–'}</td>
              </tr>
            )}
            <tr className={status === 'over' ? `${css.axle} ${css.over}` : css.axle}>
              <td className={css.beam}>
                <i className={css.wheel} />
                <b>
                  {number}
                  {mark}
                </b>
                <i className={css.wheel} />
              </td>
              <td className={`${css.load} ${css[status]}`}>
                <AxleLoad axle={{ load, status, isLifted: isLifted === true }} texts={texts} tonnes={tonnes} />
                <small>{limitOf(limit)}</small>
              </td>
              <td className={css.wheels}>
                {load !== null && limit !== null && <Gauge measured={load} limit={limit} status={status} />}
                <span>
                  {texts.wheels
                    ? left === null && right === null
                      ? '–'
                      : [left, right].map((kg) => (kg === null ? '–' : tonnes(kg))).join(' · ')
                    : lines.map(({ values }) => values[number - 1] ?? '–').join(' · ')}
                </span>
              </td>
            </tr>
          </Fragment>
        ))}
        {groups
          .filter((group) => group.axles.length > 1)
          .map(({ axles: numbers, text, status }) => (
            <tr key={numbers.join()} className={`${css.group} ${css[status]}`}>
              <td colSpan={3}>
                {texts.axles} {numbers[0]}–{numbers.at(-1)}: {text}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
