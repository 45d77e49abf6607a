/**
 * The program cannot start. Its message is one line for the operator; the program prints it and
 * exits with 1.
 */
export class StartRefused extends Error {
  override name = 'StartRefused';
}

/** Another program uses the data folder. Unlike the other errors, a retry does not help. */
export class DataFolderInUse extends StartRefused {
  override name = 'DataFolderInUse';
}
