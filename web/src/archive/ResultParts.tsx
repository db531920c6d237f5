import { MISSING } from '../core/format.ts'
import violationCss from '../ui/vehicle/violation.module.css'
import { WhiteMark } from '../ui/vehicle/WhiteMark.tsx'
import css from './ResultParts.module.css'
import type { Row } from './useRow.ts'

/** Front image, or why there is none; dark while loading. */
export const Thumbnail = ({ image: { url, missing } }: Pick<Row, 'image'>) => (
  <span className={url === null ? `${css.thumbnail} ${css.missing}` : css.thumbnail}>
    {url === null ? missing : url && <img src={url} alt="" />}
  </span>
)

/** Findings that fit into a row. */
const MAX_FINDINGS = 3

/** List mark and findings with their excess; those that do not fit are counted. */
export function Findings({ findings, mark }: Pick<Row, 'findings' | 'mark'>) {
  if (findings.length === 0 && !mark) return <span className={css.none}>{MISSING}</span>
  const visible = findings.length > MAX_FINDINGS ? findings.slice(0, MAX_FINDINGS - 1) : findings
  return (
    <>
      {mark?.kind === 'white' && (
        <div className={css.mark}>
          <WhiteMark label={mark.label} description={mark.description} />
        </div>
      )}
      {mark?.kind === 'wanted' && (
        <p className={`${css.mark} ${css.wanted}`}>
          <strong>{mark.label}</strong>
          <span>{mark.description}</span>
        </p>
      )}
      {findings.length > 0 && (
        <ul className={css.findings}>
          {visible.map(({ name, short, excess }) => (
            <li key={name} className={violationCss.violation}>
              <span className={short ? css.long : undefined}>{name}</span>
              {short && <span className={css.short}>{short}</span>}
              {excess && <b className={violationCss.excess}>{excess}</b>}
            </li>
          ))}
          {visible.length < findings.length && <li className={css.more}>+{findings.length - visible.length}</li>}
        </ul>
      )}
    </>
  )
}
