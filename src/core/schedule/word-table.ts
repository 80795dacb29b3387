/** Short common English words, most of them one token in any vocabulary: the alphabet of text prompts. The order is frozen. */
export const WORDS: readonly string[] = [
  'able about above across act add after again age ago air all also always among and animal answer any apple area',
  'arm art ask away baby back bad ball bank base bear beat bed been before begin best better big bird black blue',
  'board boat body bone book born both bottom box boy bread break bring broad brown build burn busy buy call came',
  'camp can capital captain car card care carry case cat catch cause cell center century chair chance change',
  'chart check child choose church circle city class clean clear climb clock close cloth cloud coast coat cold',
  'color come common cook cool copy corn corner cost cotton count country course cover cow cross crowd cry',
  'current cut dance dark day deal dear decide deep desert design dictionary differ direct discuss distant divide',
  'doctor dog dollar door double down draw dream dress drink drive drop dry duck during each ear early earth ease',
  'east eat edge effect egg eight either electric else end energy engine enough enter equal even evening event',
  'ever every exact example except excite exercise expect experience eye face fact fair fall family famous far',
  'farm fast father favor fear feed feel feet fell felt few field fight figure fill final find fine finger finish',
  'fire first fish fit five flat floor flow flower fly follow food foot for force forest form forward found four',
  'fraction free fresh friend from front fruit full fun game garden gas gather gave general gentle get girl give',
  'glad glass go gold good got govern',
]
  .join(' ')
  .split(' ')
