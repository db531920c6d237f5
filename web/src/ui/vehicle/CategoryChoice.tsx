import { type Category, categories } from '@rogatka/contract/vehicle.ts'
import { ChoiceTile } from '../ChoiceTile.tsx'
import css from './Choices.module.css'
import { Silhouette } from './Silhouette.tsx'

/** Number of a category [8+1]; null: not classified. */
export const categoryNumber = (category: Category) => (category === 'lack' ? null : Number(category))

type Props = {
  label: string
  selected: readonly Category[]
  onToggle: (category: Category) => void
  nameOf: (category: Category) => string
}

/** Categories [8+1] as tiles with silhouettes. */
export const CategoryChoice = ({ label, selected, onToggle, nameOf }: Props) => (
  <fieldset className={css.tiles} aria-label={label}>
    {categories.map((category) => (
      <ChoiceTile
        key={category}
        label={nameOf(category)}
        on={selected.includes(category)}
        onToggle={() => onToggle(category)}
      >
        <Silhouette category={categoryNumber(category)} height={24} />
      </ChoiceTile>
    ))}
  </fieldset>
)
