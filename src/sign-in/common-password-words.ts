/** The words of passwords in published lists of the most common ones, and of this product. */
export const commonPasswordWords: readonly string[] = `
  password passwort passwd passw pass senha contrasena motdepasse qwertyuiop qwerty qwertz azerty
  asdfghjkl asdfgh asdf zxcvbnm zxcvbn qwer qaz wsx edc rfv abcdefgh abcdef abcd abc aaa xxx admin
  administrator root user guest test testing demo default changeme change login signin welcome
  hello letmein secret access master super iloveyou loveyou love lovely princess sunshine monkey
  dragon shadow football baseball basketball soccer hockey superman batman spiderman michael
  jordan jennifer jessica daniel charlie ashley thomas andrea computer internet server samsung
  google pokemon starwars trustno freedom whatever killer ninja hunter cheese cookie pepper summer
  winter spring autumn monday friday january december company office manager reservations booking
  holiday vacation homes latchkey operator the my is this new for me you i a we no yes one two
`
  .trim()
  .split(/\s+/);
