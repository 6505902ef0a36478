// limit ends a wait for what does not come, in ms. It says nothing about speed.
export const limit = 1000 * Number(process.env.TRESTLE_WAIT_SECONDS ?? 120);

export const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

// until waits for f to give something, and returns it. What it waits for is a text, or a
// function that says what is missing.
export async function until(what, f, time = limit) {
  for (const end = Date.now() + time; ;) {
    const value = await f();
    if (value) return value;
    if (Date.now() > end) throw new Error(`there was no ${typeof what === 'function' ? what() : what} in ${time / 1000} s`);
    await pause(100);
  }
}
