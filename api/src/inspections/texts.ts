import { createTexts } from '../core/texts.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

/** The texts of the record of an inspection, and of its weights on the evidence sheet. */
export const inspectionTexts = createTexts('inspections', { pl, en, lt, de, ro })
