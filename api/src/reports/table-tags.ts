import { type HeaderScope, headerAttributes, type Structure } from './structure.ts'

/** Draws a cell; `scope` makes it a header. */
export type DrawCell = (draw: () => void, scope?: HeaderScope) => void

/** Tags a table while it is drawn, also over several pages: header row, rows and cells. */
export function createTableTags(structure: Structure) {
  const { begin, end } = structure
  let isOpen = false
  let part: 'THead' | 'TBody' | null = null

  function enter(next: 'THead' | 'TBody'): void {
    if (part === next) return
    if (part) end()
    if (!isOpen) begin('Table')
    isOpen = true
    begin(next)
    part = next
  }
  const endTable = (): void => {
    if (part) end()
    if (isOpen) end()
    isOpen = false
    part = null
  }
  const tagRow = (drawCells: (cell: DrawCell) => void): void => {
    begin('TR')
    drawCells((draw, scope) => {
      if (scope) begin('TH', headerAttributes(scope))
      else begin('TD')
      draw()
      end()
    })
    end()
  }

  return {
    header(drawCells: (cell: (draw: () => void) => void) => void): void {
      enter('THead')
      tagRow((cell) => drawCells((draw) => cell(draw, 'Column')))
    },
    /** Cells of all rows of a table are equally many, also empty ones. */
    row(drawCells: (cell: DrawCell) => void): void {
      if (structure.countRow()) {
        enter('TBody')
        tagRow(drawCells)
        return
      }
      endTable()
      begin('P')
      drawCells((draw) => draw())
      end()
    },
    /** Call it after the last row. */
    end: endTable,
  }
}
