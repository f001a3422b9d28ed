/** A battle made up for looking at: ships chase each other, fire, burn and sink. Nothing of it is
 * how Tidebreak decides, only how it tells. */

import { Dice, GUN_M, HULLS, SHELL_SPEED, TORPEDO_M, TORPEDO_SPEED, type HullName } from "./hulls";

export type Team = "blue" | "red";

export interface MadeUpShip {
  id: number;
  name: string;
  team: Team;
  hull: HullName;
  x: number;
  y: number;
  heading: number;
  speed: number;
  layer: number;
  transition: number;
  hp: number;
  fire: boolean;
  flooding: boolean;
  fate: string | null;
  gunReady: number;
  tubeReady: number;
  shells: number;
  torpedoes: number;
  target: number | null;
  /** The event of its last order: the root of what follows from it. */
  order: number;
}

export interface MadeUpRound {
  id: number;
  weapon: "medium_gun" | "light_torpedo";
  team: Team;
  shooter: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  aim: number;
  left: number;
  cause: number;
  trace: number;
}

export interface MadeUpEvent {
  id: number;
  cause: number;
  trace: number;
  kind: string;
  tick: number;
  source?: number;
  target?: number;
  x: number;
  y: number;
  value: number;
}

export interface Seen {
  quality: number;
  since: number;
  dx: number;
  dy: number;
}

export class Fight {
  tick = 0;
  readonly ships: MadeUpShip[] = [];
  rounds: MadeUpRound[] = [];
  decoys: { id: number; team: Team; x: number; y: number; left: number }[] = [];
  events: MadeUpEvent[] = [];
  /** Of each team, what it last saw of a ship. */
  readonly seen: Record<Team, Map<number, Seen>> = { blue: new Map(), red: new Map() };
  readonly dice: Dice;
  #nextId = 100;

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  add(team: Team, hull: HullName, name: string, x: number, y: number, heading: number): void {
    const { hp, torpedoes, speed } = HULLS[hull];
    this.ships.push({
      id: this.ships.length,
      name,
      team,
      hull,
      x,
      y,
      heading,
      speed: speed * 0.6,
      layer: hull === "attack_sub" ? 1 : 0,
      transition: 0,
      hp,
      fire: false,
      flooding: false,
      fate: null,
      gunReady: 0,
      tubeReady: 20,
      shells: 200,
      torpedoes,
      target: null,
      order: 0,
    });
  }

  step(): void {
    this.tick += 1;
    this.events = [];
    for (const ship of this.ships) if (ship.fate === null) this.#sail(ship);
    for (const ship of this.ships) if (ship.fate === null) this.#look(ship);
    for (const ship of this.ships) if (ship.fate === null) this.#shoot(ship);
    this.#fly();
    for (const ship of this.ships) if (ship.fate === null) this.#suffer(ship);
    this.decoys = this.decoys.filter((one) => (one.left -= 1) > 0);
  }

  #note(kind: string, at: { x: number; y: number }, more: Partial<MadeUpEvent>): MadeUpEvent {
    const id = this.tick * 2 ** 24 + this.events.length;
    const event = {
      id,
      cause: 0,
      trace: id,
      kind,
      tick: this.tick,
      x: at.x,
      y: at.y,
      value: 0,
      ...more,
    };
    this.events.push(event);
    return event;
  }

  #foes(ship: MadeUpShip): MadeUpShip[] {
    return this.ships
      .filter((one) => one.team !== ship.team && one.fate === null)
      .sort((a, b) => gap(a, ship) - gap(b, ship));
  }

  #sail(ship: MadeUpShip): void {
    const kind = HULLS[ship.hull];
    const foe = this.#foes(ship)[0];
    let course = ship.heading;
    if (ship.hull === "transport") course = 0.06 * Math.sin(this.tick / 90);
    else if (foe) {
      const bearing = Math.atan2(foe.y - ship.y, foe.x - ship.x);
      course = gap(foe, ship) > 4200 ? bearing : bearing + 1.35 * (ship.id % 2 === 0 ? 1 : -1);
    }
    const turn = ((course - ship.heading + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    ship.heading += Math.max(-0.06, Math.min(0.06, turn)) * (ship.hull === "transport" ? 0.3 : 1);
    const cap = kind.speed * (ship.flooding ? 0.7 : 1) * (ship.layer === 0 ? 1 : 0.8);
    ship.speed += Math.max(-0.6, Math.min(0.4, cap * 0.92 - ship.speed));
    ship.x += Math.cos(ship.heading) * ship.speed;
    ship.y += Math.sin(ship.heading) * ship.speed;
    if (ship.hull === "attack_sub" && this.tick % 400 > 300) this.#changeDepth(ship);
  }

  #changeDepth(ship: MadeUpShip): void {
    if (ship.transition === 0) this.#note("transition_began", ship, { target: ship.id });
    ship.transition += 1 / 45;
    if (ship.transition < 1) return;
    ship.transition = 0;
    ship.layer = ship.layer === 0 ? 1 : 0;
    this.#note("transition_ended", ship, { target: ship.id, value: ship.layer });
  }

  #look(ship: MadeUpShip): void {
    for (const foe of this.#foes(ship)) {
      const far = gap(foe, ship);
      const reach = foe.layer === 0 ? 11_000 : 4200;
      if (far > reach || this.dice.roll() > 1.1 - far / reach) continue;
      const known = this.seen[ship.team];
      if (!known.has(foe.id)) {
        // Nobody's true number is told, nor whom an order or a shot is meant for.
        this.#note("detected", foe, { source: ship.id, value: 1 });
      }
      const error = far * (far < reach * 0.55 ? 0.008 : 0.04);
      known.set(foe.id, {
        quality: far < reach * 0.55 ? 2 : far < reach * 0.8 ? 1 : 0,
        since: this.tick,
        dx: this.dice.between(-error, error),
        dy: this.dice.between(-error, error),
      });
    }
  }

  #shoot(ship: MadeUpShip): void {
    const known = this.seen[ship.team];
    const foe = this.#foes(ship).find((one) => (known.get(one.id)?.quality ?? 0) > 0);
    ship.gunReady = Math.max(0, ship.gunReady - 1);
    ship.tubeReady = Math.max(0, ship.tubeReady - 1);
    if ((foe?.id ?? null) !== ship.target) {
      ship.target = foe?.id ?? null;
      ship.order = this.#note("order", ship, { source: ship.id }).id;
    }
    if (!foe || ship.transition > 0) return;
    const far = gap(foe, ship);
    if (HULLS[ship.hull].guns > 0 && ship.gunReady === 0 && far < GUN_M && foe.layer === 0) {
      ship.gunReady = 6;
      ship.shells -= 1;
      this.#launch(ship, foe, "medium_gun", SHELL_SPEED, far);
    }
    if (ship.torpedoes > 0 && ship.tubeReady === 0 && far < TORPEDO_M) {
      ship.tubeReady = 60;
      ship.torpedoes -= 1;
      this.#launch(ship, foe, "light_torpedo", TORPEDO_SPEED, TORPEDO_M);
      if (this.dice.roll() < 0.4) {
        this.#note("decoy_dropped", foe, { source: foe.id });
        this.decoys.push({ id: this.#nextId++, team: foe.team, x: foe.x, y: foe.y, left: 40 });
      }
    }
  }

  #launch(
    ship: MadeUpShip,
    foe: MadeUpShip,
    weapon: MadeUpRound["weapon"],
    speed: number,
    left: number,
  ): void {
    const fired = this.#note("fired", ship, {
      source: ship.id,
      cause: ship.order,
      trace: ship.order,
    });
    const angle = Math.atan2(foe.y - ship.y, foe.x - ship.x) + this.dice.between(-0.02, 0.02);
    this.rounds.push({
      id: this.#nextId++,
      weapon,
      team: ship.team,
      shooter: ship.id,
      x: ship.x,
      y: ship.y,
      vx: Math.cos(angle) * speed,
      vy: Math.sin(angle) * speed,
      aim: foe.id,
      left,
      cause: fired.id,
      trace: fired.trace,
    });
  }

  #fly(): void {
    this.rounds = this.rounds.filter((round) => {
      const aim = this.ships[round.aim];
      const speed = Math.hypot(round.vx, round.vy);
      if (round.weapon === "light_torpedo" && aim && aim.fate === null) {
        const angle = Math.atan2(aim.y - round.y, aim.x - round.x);
        [round.vx, round.vy] = [Math.cos(angle) * speed, Math.sin(angle) * speed];
      }
      const way = Math.min(speed, round.left);
      round.x += (round.vx / speed) * way;
      round.y += (round.vy / speed) * way;
      round.left -= speed;
      const close =
        aim !== undefined && aim.fate === null && gap(aim, round) < (speed > 100 ? 130 : 40);
      if (close && (speed < 100 || this.dice.roll() < 0.45)) {
        this.#strike(round, aim);
        return false;
      }
      if (round.left <= 0) this.#miss(round);
      return round.left > 0;
    });
  }

  #miss(round: MadeUpRound): void {
    const { id, cause, trace } = round;
    this.#note("missed", round, { source: id, cause, trace });
  }

  #strike(round: MadeUpRound, ship: MadeUpShip): void {
    const damage = round.weapon === "medium_gun" ? 22 : 70;
    const more = { source: round.shooter, target: ship.id, trace: round.trace };
    const struck = { ...more, source: round.id, cause: round.cause, value: damage };
    const hit = this.#note("hit", round, struck);
    ship.hp -= damage;
    if (ship.hp <= 0) {
      ship.fate = "destroyed";
      ship.speed = 0;
      this.#note("destroyed", ship, { ...more, cause: hit.id });
    } else if (this.dice.roll() < 0.3) {
      const fire = round.weapon === "medium_gun";
      if (fire) ship.fire = true;
      else ship.flooding = true;
      this.#note(fire ? "fire_started" : "flooding_started", ship, { ...more, cause: hit.id });
    }
  }

  #suffer(ship: MadeUpShip): void {
    const most = HULLS[ship.hull].hp;
    if (ship.fire) ship.hp -= most * 0.001;
    if (ship.fire && this.dice.roll() < 0.03) {
      ship.fire = false;
      this.#note("fire_out", ship, { target: ship.id });
    }
    if (ship.flooding && this.dice.roll() < 0.01) {
      ship.flooding = false;
      this.#note("flooding_stopped", ship, { target: ship.id });
    }
    ship.hp = Math.max(1, ship.hp);
  }
}

export function gap(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
