type Environment = Readonly<Record<string, string>>;

/** Reads the base environment of hooks at each event. It is copied only after a change, because reading takes less time than copying. */
export class ParentEnvironment {
  #names: readonly string[] = [];
  #values: readonly (string | undefined)[] = [];
  #copy: Environment = Object.freeze({});

  /** Returns the variables that have a value, in a new object. */
  read(source: Readonly<Record<string, string | undefined>>): Environment {
    const names = Object.keys(source);
    const values: (string | undefined)[] = [];
    let isSame = names.length === this.#names.length;
    for (const name of names) {
      const value = source[name];
      isSame &&= name === this.#names[values.length] && value === this.#values[values.length];
      values.push(value);
    }
    if (!isSame) {
      const given = names.flatMap((name, index) => (values[index] === undefined ? [] : [[name, values[index]]]));
      // Node copies an object that was frozen or made by a spread in a tenth of the time of others.
      this.#copy = Object.freeze({ ...Object.fromEntries(given) });
      this.#names = names;
      this.#values = values;
    }
    return { ...this.#copy };
  }
}
