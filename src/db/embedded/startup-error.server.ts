/**
 * The program cannot start. Its message is one line for the operator; the program prints it and
 * exits with 1.
 */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** Another program uses the data folder. Unlike the other errors, a retry does not help. */
export class DataFolderInUse extends StartupError {
  override name = 'DataFolderInUse';
}
