// Written by tools/gen.mjs from protocol/schema. Do not edit.

export type Action =
  | {
      /**
       * @maxItems 2
       */
      columns: number[];
      do: "draw";
    }
  | {
      do: "place";
      row: number;
      token: number;
    }
  | {
      do: "keep";
      token: number;
    }
  | {
      do: "discard";
      token: number;
    }
  | {
      do: "take";
      row: number;
    }
  | {
      do: "tower";
      tower: number;
    }
  | {
      do: "reveal";
      /**
       * @maxItems 2
       */
      keep: boolean[];
    };

export interface Deal {
  first_seat: number;
  towers: {
    /**
     * @maxItems 4
     */
    columns: string[][][];
    first: number;
  };
}

export type Event =
  | {
      /**
       * @maxItems 2
       */
      backs: ("light" | "shadow")[];
      /**
       * @maxItems 2
       */
      columns: number[];
      event: "drew";
      seat: number;
    }
  | {
      animal?: "rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf";
      event: "placed";
      row: number;
      seat: number;
      token: number;
    }
  | {
      event: "kept";
      seat: number;
      token: number;
    }
  | {
      event: "discarded";
      seat: number;
      token: number;
    }
  | {
      /**
       * @maxItems 20
       */
      animals: ("rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf")[];
      event: "took";
      row: number;
      seat: number;
    }
  | {
      boxed: {
        light: number;
        shadow: number;
      };
      event: "round_over";
      rock: number;
      round: number;
    }
  | {
      event: "tower";
      round: number;
      seat: number;
      tower: number;
    }
  | {
      event: "answered";
      seat: number;
    }
  | {
      boxed: number;
      event: "revealed";
      /**
       * @maxItems 2
       */
      light: ("rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf")[];
      seat: number;
      /**
       * @maxItems 15
       */
      shadow: ("rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf")[];
    }
  | {
      event: "over";
      /**
       * @maxItems 5
       */
      totals: number[];
      /**
       * @maxItems 5
       */
      winners: number[];
    };

export interface Mine {
  /**
   * @maxItems 2
   */
  down: ("rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf")[];
  /**
   * @maxItems 2
   */
  drawn: {
    animal?: "rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf";
    token: number;
  }[];
  seat: number;
  /**
   * @maxItems 15
   */
  shadow: ("rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf")[];
}

export interface Options {
  first_seat?: number;
  variant?: "base" | "wolves" | "duo";
}

export interface Table {
  box: {
    light: number;
    shadow: number;
  };
  pending?: {
    /**
     * @maxItems 2
     */
    tokens: number[];
    used?: "place" | "keep" | "discard";
  };
  phase: "turn" | "resolve" | "tower" | "reveal" | "over";
  rock: number;
  round: number;
  /**
   * @maxItems 5
   */
  rows: {
    taken_by?: number;
    /**
     * @maxItems 20
     */
    tokens: ("rabbit" | "owl" | "deer" | "boar" | "ram" | "bear" | "wolf")[];
  }[];
  /**
   * @maxItems 5
   */
  scores?: {
    counts: {
      bear?: number;
      boar?: number;
      deer?: number;
      owl?: number;
      rabbit?: number;
      ram?: number;
      wolf?: number;
    };
    points: {
      bear?: number;
      boar?: number;
      deer?: number;
      owl?: number;
      rabbit?: number;
      ram?: number;
      wolf?: number;
    };
    rock: number;
    tokens: number;
    total: number;
    trees: number;
  }[];
  /**
   * @maxItems 5
   */
  seats: {
    down: number;
    row?: number;
    shadow: number;
    trees: number;
    up: {
      bear?: number;
      boar?: number;
      deer?: number;
      owl?: number;
      rabbit?: number;
      ram?: number;
      wolf?: number;
    };
  }[];
  tower?: {
    id: number;
    /**
     * @maxItems 5
     */
    light: number[];
    /**
     * @maxItems 5
     */
    shadow: number[];
  };
  turn?: number;
  /**
   * @maxItems 3
   */
  waiting: number[];
  /**
   * @maxItems 5
   */
  winners?: number[];
}
