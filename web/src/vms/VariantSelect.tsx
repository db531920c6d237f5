import { Select } from '@mantine/core'
import type { Content, WireSignGroup } from '@rogatka/contract/vms.ts'
import { useTranslation } from 'react-i18next'
import { CheckIcon } from '../ui/icons.tsx'
import { SignImage } from './SignImage.tsx'
import { contentIn } from './signs.ts'
import { useContentTexts, useVariantTexts } from './useSignTexts.ts'
import css from './Vms.module.css'

type Props = {
  group: WireSignGroup
  contents: readonly Content[] | undefined
  variant: number | null
  onSelect: (variant: number) => void
}

/** Selects a variant of a group, with images of the signs' contents. */
export function VariantSelect({ group, contents, variant, onSelect }: Props) {
  const { t } = useTranslation('vms')
  const { variantName } = useVariantTexts(group)
  return (
    <Select
      className={css.select ?? ''}
      aria-label={t('variant-of', { group: group.group.description })}
      placeholder={t('no-variant')}
      data={group.variants.map((entry) => ({ value: String(entry.variant), label: variantName(entry.variant) }))}
      value={variant === null ? null : String(variant)}
      onChange={(value) => value !== null && onSelect(Number(value))}
      disabled={group.variants.length === 0}
      allowDeselect={false}
      maxDropdownHeight={420}
      comboboxProps={{ transitionProps: { duration: 0 }, width: 340, position: 'bottom-end', withinPortal: false }}
      renderOption={({ option, checked }) => (
        <span className={css.option}>
          <span className={css.optionName}>
            {option.label}
            {checked && <CheckIcon />}
          </span>
          <Previews group={group} contents={contents} variant={Number(option.value)} />
        </span>
      )}
    />
  )
}

/** Images of a variant's contents, each once. */
function Previews({ group, contents, variant }: Pick<Props, 'group' | 'contents'> & { variant: number }) {
  const { t } = useTranslation('vms')
  const { imageOf, textOf } = useContentTexts(contents)
  const ids = [...new Set(group.vms.flatMap((sign) => contentIn(sign, variant) ?? []))]
  if (ids.length === 0) return <small className={css.quiet}>{t('no-content')}</small>
  return (
    <span className={css.previews}>
      {ids.map((id) => (
        <SignImage key={id} link={imageOf(id)} alt={textOf(id)} none={textOf(id)} small />
      ))}
    </span>
  )
}
