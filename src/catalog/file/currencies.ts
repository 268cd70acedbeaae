/** The currencies of ISO 4217 in which homes can be priced. */

// Without those that were withdrawn (HRK, BGN), and without metals and units of account.
const current: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY
   COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR
   ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
   MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
   SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU
   UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`.split(/\s+/),
);

/** What was withdrawn most recently, and what took its place. */
const successors: Readonly<Record<string, string>> = {
  ANG: 'XCG',
  BGN: 'EUR',
  CUC: 'CUP',
  HRK: 'EUR',
  SLL: 'SLE',
  ZWL: 'ZWG',
};

const everKnown: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a currency is a current one of ISO 4217. */
export const isCurrency = (code: string): boolean => current.has(code);

/** Why a home cannot be priced in a currency. */
export function currencyProblem(code: string): string {
  const successor = successors[code];
  if (successor !== undefined) return `is a currency that was withdrawn; use ${successor}`;
  return everKnown.has(code)
    ? 'is not a current currency of ISO 4217'
    : 'is not a currency of ISO 4217';
}
