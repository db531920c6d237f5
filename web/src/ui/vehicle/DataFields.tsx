import { TextInput } from '@mantine/core'
import type { RangeField as Measure } from '@rogatka/contract/wire.ts'
import type { Ref } from 'react'
import { type Range, RangeField } from '../RangeField.tsx'
import css from './DataFields.module.css'

/** Bounds of one measured value, in the displayed unit. */
type DataRange = {
  field: Measure
  label: string
  unit: string
  decimals: number
  value: Range
  onChange: (value: Range) => void
}

export type DataFieldsProps = {
  /** Null: the user may not search by plate. */
  plate: string | null
  onPlate: (plate: string) => void
  /** Minimum similarity in percent; null: exact pattern. */
  similarity: number | null
  onSimilarity: (percent: number | null) => void
  ranges: readonly DataRange[]
  texts: { plate: string; plateHint: string; similarity: string; similarityHint: string; propose: string }
  /** Similarity in percent that allows one misread character. */
  suggestedSimilarity: number
  plateRef?: Ref<HTMLInputElement>
}

/** Whole percent of a typed text, at most 100; null without a digit other than 0. */
const percentOf = (text: string): number | null => Math.min(100, Number(text.replace(/\D/g, ''))) || null

/** Plate, by pattern or by similarity, and bounds of measured values. */
export const DataFields = ({
  plate,
  onPlate,
  similarity,
  onSimilarity,
  suggestedSimilarity: proposed,
  ranges,
  texts,
  plateRef,
}: DataFieldsProps) => (
  <>
    {plate !== null && (
      <div className={css.plate}>
        <TextInput
          ref={plateRef}
          label={texts.plate}
          description={texts.plateHint}
          inputWrapperOrder={['label', 'input', 'description']}
          maxLength={20}
          autoComplete="off"
          classNames={{ input: css.plateInput ?? '' }}
          value={plate}
          onChange={(event) => onPlate(event.currentTarget.value.toUpperCase())}
        />
        <TextInput
          label={texts.similarity}
          description={
            <>
              {texts.similarityHint}
              {similarity === null && plate !== '' && (
                <button type="button" className={css.propose} onClick={() => onSimilarity(proposed)}>
                  {texts.propose}
                </button>
              )}
            </>
          }
          inputWrapperOrder={['label', 'input', 'description']}
          placeholder={String(proposed)}
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          value={similarity ?? ''}
          onChange={(event) => onSimilarity(percentOf(event.currentTarget.value))}
        />
      </div>
    )}
    <div className={css.ranges}>
      {ranges.map(({ field, ...range }) => (
        <RangeField key={field} {...range} />
      ))}
    </div>
  </>
)
