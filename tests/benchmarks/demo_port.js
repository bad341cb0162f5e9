// A JavaScript port of the article's demo, for node: the same work as demo_port.py, line by line.
// node demo_port.js ROOMS PLANS prints the processor time of so many floorplans in microseconds.

function attempt(rooms) {
  const floor = new Array(110).fill(0);
  const queue = [];
  const ends = [];
  let count = 0;
  const neighbours = (i) => floor[i - 10] + floor[i - 1] + floor[i + 1] + floor[i + 10];
  const visit = (i) => {
    if (floor[i] || neighbours(i) > 1 || count >= rooms) return false;
    if (Math.random() < 0.5 && i !== 45) return false;
    queue.push(i);
    floor[i] = 1;
    count += 1;
    return true;
  };
  visit(45);
  for (let head = 0; head < queue.length; head++) {
    const i = queue[head];
    const x = i % 10;
    let created = false;
    if (x > 1) created = visit(i - 1) || created;
    if (x < 9) created = visit(i + 1) || created;
    if (i > 20) created = visit(i - 10) || created;
    if (i < 70) created = visit(i + 10) || created;
    if (!created) ends.push(i);
  }
  if (count < rooms || ends.length < 3) return null;
  const kinds = new Map(queue.map((i) => [i, "normal"]));
  const boss = ends.pop();
  kinds.set(boss, "boss");
  kinds.set(ends.splice(Math.floor(Math.random() * ends.length), 1)[0], "treasure");
  kinds.set(ends.splice(Math.floor(Math.random() * ends.length), 1)[0], "coin");
  for (let e = 0; e < 900; e++) {
    const i = (Math.floor(Math.random() * 8) + 2) * 10 + Math.floor(Math.random() * 9) + 1;
    if (i > 98 || floor[i] || [i - 1, i + 1, i - 10, i + 10].includes(boss)) continue;
    const beside = neighbours(i);
    if (beside >= 3 || (e > 300 && beside >= 2) || (e > 600 && beside >= 1)) {
      kinds.set(i, "secret");
      return kinds;
    }
  }
  return null;
}

function floorplan(rooms) {
  for (;;) {
    const plan = attempt(rooms);
    if (plan) return plan;
  }
}

const [rooms, plans] = process.argv.slice(2).map(Number);
let made = 0;
for (let i = 0; i < plans; i++) made += floorplan(rooms).size; // until the compiler has seen it all
const before = process.cpuUsage().user;
for (let i = 0; i < plans; i++) made += floorplan(rooms).size;
const took = process.cpuUsage().user - before;
if (made !== 2 * plans * (rooms + 1)) throw new Error("a floorplan has another number of rooms");
console.log(took);
