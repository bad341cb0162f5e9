// Drawing while a person goes on changing: the floorplan at once, the whole level after it, and never an old one.

import { Gone, isStale, levelOf, post } from "./api.js";
import { drawnPlan } from "./plan.js";
import { same } from "./store.js";

const PATIENCE = 250; // ms after which a floorplan that is out of date is given up

export class Drawing {
  /** `slot` is "a" or "b". `drawn(level, record)` and `failed(error, record)` are called for the newest record alone; `failed` returns whether it says why. */
  constructor(stage, slot, { pitchOf, drawn, failed, planned }) {
    Object.assign(this, { stage, slot, pitchOf, drawn, failed, planned });
    this.number = 0;
    this.wanted = null;
    this.planOf = null; // the record whose floorplan was drawn last
    this.specOf = null; // the spec whose level was drawn last
    this.plan = null; // the request that is under way: when it began, and what ends it
    this.level = null;
  }

  /** Draw a record; all that was asked for before is dropped. `told` is its level, if it is at hand. */
  async draw(record, told = null) {
    this.wanted = record;
    const number = ++this.number;
    this.level?.abort();
    this.stage.age(true);
    if (told) {
      this.plan?.end.abort();
      await this.#show(told, record, number);
      return;
    }
    if (this.plan) { // it goes on with the newest when it is done
      if (performance.now() - this.plan.since > PATIENCE) this.plan.end.abort();
      return;
    }
    await this.#make();
  }

  /** Draw the same again: its files have changed. What is shown stays until the new level is there. */
  redraw() {
    return this.wanted ? this.draw(this.wanted) : undefined;
  }

  #isFloorplanThere(record) {
    const made = ({ spec, values, seed }) => [spec, values, seed];
    return this.planOf !== null && same(made(record), made(this.planOf));
  }

  /** Floorplans, until that of the newest record is drawn, and its level. Late ones are drawn too, for a slider that keeps moving. */
  async #make() {
    for (let number = -1; number !== this.number;) {
      number = this.number;
      const record = this.wanted;
      if (!record) return;
      if (this.#isFloorplanThere(record)) continue;
      this.plan = { since: performance.now(), end: new AbortController() };
      try {
        const told = await post("/api/floorplan", { ...levelOf(record, this.slot), theme: "", rerolls: [] }, this.plan.end.signal);
        this.stage.showPlan({ ...drawnPlan(told, this.pitchOf(record)), colours: told.colours, signs: told.signs });
        this.planOf = record;
        this.planned?.(told, record);
      } catch (error) {
        if (number !== this.number || isStale(error)) continue;
        this.#fail(error, record);
        return;
      } finally {
        this.plan = null;
      }
    }
    await this.#finish();
  }

  async #finish() {
    const [number, record] = [this.number, this.wanted];
    this.level = new AbortController();
    try {
      const told = await post("/api/level", levelOf(record, this.slot), this.level.signal);
      await this.#show(told, record, number);
    } catch (error) {
      if (number === this.number && !isStale(error)) this.#fail(error, record);
    }
  }

  async #show(told, record, number) {
    await this.stage.showLevel(told, () => number === this.number);
    if (number !== this.number) return;
    this.planOf = record;
    this.specOf = record.spec;
    this.drawn(told, record);
  }

  /** Say why a record cannot even be asked for; all that was asked for before is dropped. */
  refuse(error, record) {
    this.wanted = null;
    this.number += 1;
    this.level?.abort();
    this.plan?.end.abort();
    this.#fail(error, record);
  }

  /** Say why a record cannot be drawn. A level of another spec is taken away: it would be shown under a wrong name. */
  #fail(error, record) {
    this.planOf = null;
    if (this.specOf !== record.spec) {
      this.specOf = null;
      this.stage.clear();
    }
    const isSaid = this.failed(error, record) || error instanceof Gone;
    this.stage.fail(isSaid ? "" : error.message);
  }
}
