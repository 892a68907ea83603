import { unquotedUses } from '../../../src/shared/lint/unquoted-variables.js';

const names = ['DIR', 'OTHER'];

test.each([
  '$DIR/x.sh',
  `\${DIR}/x.sh`,
  `\${DIR%/}/x.sh`,
  'cd $DIR && ./x.sh',
  '"$OTHER"/$DIR/x.sh',
  '"a $(cat $DIR/x) b"',
  '"x" $DIR',
  "'quoted' $DIR",
  'A=1 $DIR/x.sh',
  'sh -c "x";$DIR/x.sh',
  '"a \\" b" $DIR',
])('in %s the shell splits DIR', (command) => expect(unquotedUses(command, names)).toEqual(['DIR']));

test.each([
  '"$DIR/x.sh"',
  `"\${DIR}"/x.sh`,
  "'$DIR'/x.sh",
  'D=$DIR; "$D"/x.sh',
  '\\$DIR/x.sh',
  '$DIRECTORY/x.sh',
  '$HOME/x.sh',
  '"a $(cat "$DIR/x") $DIR"',
  'echo "$(D=$DIR env)"',
  "'unclosed $DIR",
  '"unclosed $DIR',
  '$',
  '',
])('in %s it does not', (command) => expect(unquotedUses(command, names)).toEqual([]));

test('each is named once', () => {
  expect(unquotedUses('$DIR $OTHER $DIR', names)).toEqual(['DIR', 'OTHER']);
  expect(unquotedUses('$DIR', [])).toEqual([]);
});

test('a command of any length is read in no time', () => {
  expect(unquotedUses('$DIR'.repeat(100_000), names)).toEqual(['DIR']);
  expect(unquotedUses('"$('.repeat(100_000), names)).toEqual([]);
});
