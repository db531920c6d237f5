import { MISSING } from '../core/format.ts'
import { CheckIcon } from '../ui/icons.tsx'
import css from './ResultParts.module.css'
import type { Row } from './useRow.ts'

/** The vehicle from the front, or why there is no picture; the place is dark while it comes. */
export const Thumbnail = ({ photo: { url, missing } }: Pick<Row, 'photo'>) => (
  <span className={url === null ? `${css.thumbnail} ${css.missing}` : css.thumbnail}>
    {url === null ? missing : url && <img src={url} alt="" />}
  </span>
)

/** So many findings a row has place for. */
const MAX_FINDINGS = 3

/** What lists say of it, then what was found wrong, each with how much; what has no place is counted. */
export function Findings({ findings, mark }: Pick<Row, 'findings' | 'mark'>) {
  if (findings.length === 0 && !mark) return <span className={css.none}>{MISSING}</span>
  const shown = findings.length > MAX_FINDINGS ? findings.slice(0, MAX_FINDINGS - 1) : findings
  return (
    <>
      {mark && (
        <p className={mark.kind === 'wanted' ? css.wanted : css.white}>
          <strong>{mark.word}</strong>
          <span title={mark.description}>{mark.description}</span>
        </p>
      )}
      {findings.length > 0 && (
        <ul className={css.findings}>
          {shown.map(({ name, short, excess }) => (
            <li key={name}>
              <span className={short ? css.long : undefined}>{name}</span>
              {short && <span className={css.short}>{short}</span>}
              {excess && <b>{excess}</b>}
            </li>
          ))}
          {shown.length < findings.length && <li className={css.more}>+{findings.length - shown.length}</li>}
        </ul>
      )}
    </>
  )
}

/** The operator's own mark: there or not. */
export const TagButton = ({ tagged, tagText, tag }: Pick<Row, 'tagged' | 'tagText' | 'tag'>) => (
  <button
    type="button"
    className={tagged ? `${css.tag} ${css.on}` : css.tag}
    aria-pressed={tagged}
    aria-label={tagText}
    title={`${tagText} (T)`}
    onClick={tag}
  >
    <CheckIcon size={20} />
  </button>
)
