// Written by tools/gen.mjs from protocol/schema. Do not edit.

export type Action =
  | {
      card: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number: number;
      };
      do: "play";
      onto?: number;
    }
  | {
      do: "end";
    }
  | {
      do: "lapse";
    };

export interface Deal {
  /**
   * @maxItems 81
   */
  deck: string[];
  first_seat: number;
}

export type Event =
  | {
      card?: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number: number;
      };
      event: "play";
      fast: boolean;
      how: "start" | "extend" | "complete";
      seat: number;
      triangle: number;
    }
  | {
      /**
       * @maxItems 3
       */
      cards: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number: number;
      }[];
      event: "triangle";
      points?: number;
      pure?: boolean;
      seat: number;
      triangle: number;
    }
  | {
      event: "end";
      seat: number;
    }
  | {
      count: number;
      event: "draw";
      seat: number;
    }
  | {
      event: "skip";
      seat: number;
    }
  | {
      event: "turn";
      seat: number;
    }
  | {
      cards: number;
      event: "window_open";
      seat: number;
    }
  | {
      event: "window_close";
      reason: "move" | "lapse" | "spent";
      seat: number;
    }
  | {
      event: "over";
      /**
       * @maxItems 8
       */
      scores: number[];
      /**
       * @maxItems 8
       */
      winners: number[];
    };

export interface Mine {
  /**
   * @maxItems 3
   */
  drew: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number: number;
  }[];
  /**
   * @maxItems 3
   */
  fast: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number: number;
  }[];
  /**
   * @maxItems 3
   */
  hand: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number: number;
  }[];
  seat: number;
}

export interface Options {
  claims?: "checked" | "unchecked";
  first_seat?: number;
  window_ms?: number;
}

export interface Table {
  claims: "checked" | "unchecked";
  pile: number;
  played: number;
  /**
   * @maxItems 8
   */
  seats: {
    cards: number;
    sheet?: {
      left?: number;
      points: number;
      pure: number;
      unpure: number;
      wrong?: number;
    };
    triangles: number;
  }[];
  /**
   * @maxItems 81
   */
  triangles: {
    /**
     * @maxItems 2
     */
    cards: {
      color: "pink" | "red" | "green";
      cut: "horizontal" | "vertical" | "centered";
      number: number;
    }[];
    id: number;
  }[];
  turn?: number;
  window?: {
    cards: number;
    seat: number;
  };
  window_ms: number;
  /**
   * @maxItems 8
   */
  winners?: number[];
}
