// What packs hold, as undercroft-pack.js reads them, or what its Error says; for tests in Node and in browsers.
export async function tellPack(UndercroftPack, base64) {
  try {
    const pack = await UndercroftPack.open(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)), "x.ucpack");
    const levels = [];
    for (let index = 0; index < pack.count; index++) {
      const about = { facts: pack.factsOf(index), seed: pack.seedOf(index), fingerprint: pack.fingerprintOf(index) };
      levels.push({ about, ...(await pack.build(index)) });
    }
    return { levels };
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
}

// Does something with an opened pack: `ask` is the body of a function of `pack`.
export async function askPack(UndercroftPack, base64, ask) {
  const pack = await UndercroftPack.open(await (await fetch(`data:;base64,${base64}`)).blob(), "x.ucpack");
  return await new Function("pack", `return (async () => { ${ask} })()`)(pack);
}

// Typed arrays as lists.
export const asJson = (told) =>
  JSON.stringify(told, (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value));
