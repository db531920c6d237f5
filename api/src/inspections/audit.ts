import type { Inspection } from '@rogatka/contract/inspections.ts'

/** The audit record of an inspection: what its steps change, and the plate, so that it can be masked. */
export const inspectionRecord = (inspection: Inspection) => ({
  state: inspection.state,
  selection: inspection.selection,
  plateLpr: inspection.plateLpr,
  officer: inspection.officer?.username ?? null,
  takenOverAt: inspection.takenOverAt,
  ctg8p1: inspection.ctg8p1,
  gross: inspection.static?.gross.load ?? null,
  axles: inspection.static?.axles?.map(({ load }) => load) ?? null,
  lifted: inspection.static?.lifted ?? null,
  groups: inspection.static?.axles ? null : (inspection.static?.groups.map(({ load }) => load) ?? null),
  scale: inspection.static && `${inspection.static.scale.name}, ${inspection.static.scale.certificate}`,
  confirmed: inspection.confirmed,
  results: inspection.results,
  fineAmount: inspection.fineAmount,
  carrier: inspection.carrier,
  taxId: inspection.taxId,
  declaration: inspection.declaration,
  note: inspection.note,
  explanation: inspection.reason,
})
