// A step that cannot work says so in one line; the stack of it helps nobody.
export class Failure extends Error {}

// Runs a script's main function; a Failure becomes its line and exit code 1.
export async function main(script) {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
