import type { MouseEvent } from 'react'
import { keyLabel } from '../core/frame/keyLabel.ts'
import { Kbd } from '../ui/Kbd.tsx'
import css from './Palette.module.css'
import type { Row } from './rows.ts'

type Props = {
  id: string
  row: Row
  selected: boolean
  onSelect: () => void
  onOpen: (inNewTab: boolean) => void
}

const keysOf = (shortcut: string) => shortcut.split(' ').map(keyLabel).join(' ')

/** An option of the palette: what was found in bold, at the right the remark and the key. */
export function PaletteRow({ id, row, selected, onSelect, onOpen }: Props) {
  const { Icon, mark, drawing, detail, note, shortcut } = row
  const open = (event: MouseEvent) => onOpen(event.ctrlKey || event.metaKey)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, as the focus stays there
    // biome-ignore lint/a11y/useFocusableInteractive: active by aria-activedescendant
    <div
      id={id}
      ref={(option) => {
        if (selected) option?.scrollIntoView({ block: 'nearest' })
      }}
      role="option"
      aria-selected={selected}
      className={css.row}
      onMouseMove={() => !selected && onSelect()}
      onClick={open}
    >
      {drawing ?? (
        <>
          <span className={css.icon}>{mark ?? (Icon && <Icon size={16} />)}</span>
          <span className={css.label}>
            <Label row={row} />
          </span>
        </>
      )}
      {detail && <span className={css.label}>{detail}</span>}
      <span className={css.note}>{note}</span>
      {selected ? <Kbd>Enter</Kbd> : shortcut && <Kbd>{keysOf(shortcut)}</Kbd>}
    </div>
  )
}

function Label({ row: { label, ranges = [] } }: { row: Row }) {
  const ends = ranges.map(([, end]) => end)
  return (
    <>
      {ranges.map(([start, end], at) => (
        <span key={start}>
          {label.slice(at === 0 ? 0 : ends[at - 1], start)}
          <b>{label.slice(start, end)}</b>
        </span>
      ))}
      {label.slice(ends.at(-1) ?? 0)}
    </>
  )
}
