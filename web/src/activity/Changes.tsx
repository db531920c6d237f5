import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import css from './Activity.module.css'
import type { Difference, Value } from './difference.ts'
import { useAuditTexts } from './useAuditTexts.ts'

/** Further changes are collapsed. */
const MAX_SHOWN = 4

/** Changed fields: old values struck through, new values plain. */
export function Changes({ changes, action }: { changes: readonly Difference[]; action: string }) {
  const { t } = useTranslation('activity')
  if (changes.length === 0) return MISSING
  const rest = changes.slice(MAX_SHOWN)
  return (
    <div className={css.changes}>
      <Lines changes={changes.slice(0, MAX_SHOWN)} action={action} />
      {rest.length > 0 && (
        <details>
          <summary>{t('more-changes', { count: rest.length })}</summary>
          <Lines changes={rest} action={action} />
        </details>
      )}
    </div>
  )
}

function Lines({ changes, action }: { changes: readonly Difference[]; action: string }) {
  const { fieldName } = useAuditTexts()
  return (
    <dl>
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{fieldName(change.field, action)}</dt>
          <dd>
            {'added' in change ? (
              <>
                <Old values={change.removed} field={change.field} />
                <New values={change.added} field={change.field} />
              </>
            ) : (
              <>
                {change.before !== null && <Old values={[change.before]} field={change.field} />}
                {change.after !== null && <New values={[change.after]} field={change.field} />}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Values = { values: readonly Value[]; field: string }

function Old({ values, field }: Values) {
  const { valueText } = useAuditTexts()
  return values.map((value) => (
    <del key={String(value)} className={css.old}>
      {valueText(field, value)}
    </del>
  ))
}

function New({ values, field }: Values) {
  const { valueText } = useAuditTexts()
  return values.map((value) => (
    <ins key={String(value)} className={css.new}>
      {valueText(field, value)}
    </ins>
  ))
}
