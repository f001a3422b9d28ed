/** The default town's objects, as a portrait lists them. */

import type { Thing } from "../../src/scenes/townlet/town";

function thing(id: string, x: number, y: number, stock: Record<string, number> = {}): Thing {
  const type = id.replace(/_\d+$/, "");
  return {
    id,
    type,
    position: [x, y],
    holder: null,
    queue: [],
    stock,
    closed: false,
    venue: null,
    power: ["shower", "stove"].includes(type),
    water: type === "shower",
  };
}

export function defaultThings(): Thing[] {
  const beds = Array.from({ length: 10 }, (_, i) =>
    thing(`bed_${i + 1}`, 4 + 4 * i, 4, { sleep_slots: 1 }),
  );
  return [
    ...beds,
    thing("shower_1", 20, 20),
    thing("shower_2", 22, 20),
    thing("fridge_1", 12, 24, { meals: 20 }),
    thing("fridge_2", 14, 24, { meals: 20 }),
    thing("stove_1", 12, 10, { raw_ingredients: 3 }),
    thing("stove_2", 28, 10, { raw_ingredients: 3 }),
    thing("shelf_1", 32, 24, { food_raw: 30 }),
    thing("till_1", 34, 24),
    thing("counter_1", 13, 28),
    thing("desk_1", 34, 34),
    thing("desk_2", 36, 34),
    thing("desk_3", 38, 34),
    thing("wardrobe_1", 24, 10),
    thing("bench_1", 24, 36),
    thing("bench_2", 26, 36),
  ];
}
