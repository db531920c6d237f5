import type { WireHitDetail } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import css from './HitSheet.module.css'

/** Everything that was done about a hit, each with time and person. */
export function HitCourse({ detail: { course, location } }: { detail: WireHitDetail }) {
  const { t } = useTranslation('wanted')
  const textOf = ({ step, by, count, reason }: WireHitDetail['course'][number]) => {
    const values = { station: location.shortName, user: by?.username ?? '', count: count ?? 0 }
    return `${t(`step-${step}`, values)}${reason ? `: ${t(`reason-${reason}`)}` : ''}`
  }
  return (
    <section>
      <h3 className={css.heading}>{t('course')}</h3>
      <ol className={css.course}>
        {course.map((line) => (
          <li key={`${line.at} ${line.step} ${line.by?.id}`}>
            <b>{formatTime(line.at)}</b>
            {textOf(line)}
          </li>
        ))}
      </ol>
    </section>
  )
}
