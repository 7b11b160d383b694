// An error that is reported as one line, without a stack trace.
export class Failure extends Error {}

// Runs a script's main function. A Failure prints its line and sets exit code 1.
export async function main(script) {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
