/* The used parts of net-snmp, which has no types. */
declare module 'net-snmp' {
  export const Version1: number
  export const ObjectType: {
    Integer: number
    OctetString: number
    Null: number
    NoSuchObject: number
    NoSuchInstance: number
    EndOfMibView: number
  }
  export const ErrorStatus: { NoError: number; NoSuchName: number; BadValue: number; GeneralError: number }
  export const MibProviderType: { Scalar: number; Table: number }
  export const MaxAccess: { 'read-only': number; 'read-write': number; 'not-accessible': number }

  export type Varbind = { oid: string; type?: number; value?: number | string | Buffer }
  export type Answer = (error: Error | null, varbinds?: Varbind[]) => void

  export type Session = {
    get: (oids: string[], answer: Answer) => void
    set: (varbinds: Varbind[], answer: Answer) => void
    close: () => void
    on: (event: 'error', listener: (error: Error) => void) => void
  }
  export function createSession(
    target: string,
    community: string,
    options: { port: number; version: number; retries: number; timeout: number },
  ): Session
  export function isVarbindError(varbind: Varbind): boolean

  export type MibRequest = {
    oid: string
    instanceNode: { value: number | Buffer | string }
    /** Of a set request: the new value, first tested, then committed. */
    setValue?: number | Buffer | string
    testSet?: boolean
    commitSet?: boolean
    done: (error?: { errorStatus: number }) => void
  }
  type Handler = (request: MibRequest) => void
  export type Provider =
    | { name: string; type: number; oid: string; scalarType: number; maxAccess: number; handler: Handler }
    | {
        name: string
        type: number
        oid: string
        maxAccess: number
        tableColumns: { number: number; name: string; type: number; maxAccess: number }[]
        tableIndex: { columnNumber?: number; columnName?: string }[]
        handler: Handler
      }
  export type Agent = {
    registerProvider: (provider: Provider) => void
    getMib: () => {
      setScalarValue: (name: string, value: number | Buffer | string) => void
      addTableRow: (name: string, row: (number | Buffer | string)[]) => void
    }
    getAuthorizer: () => { addCommunity: (community: string) => void }
    setRequest: (socket: unknown, message: { pdu: { varbinds: Varbind[] } }, from: unknown) => void
    sendResponse: (
      socket: unknown,
      from: unknown,
      request: { pdu: { varbinds: Varbind[] } },
      response: { errorStatus?: number; errorIndex?: number; varbinds: { type?: number; value?: unknown }[] },
    ) => void
    close: (done?: () => void) => void
  }
  export function createAgent(
    options: { port: number; address: string; disableAuthorization: boolean; accessControlModelType?: number },
    callback: (error: Error | null) => void,
  ): Agent
}
