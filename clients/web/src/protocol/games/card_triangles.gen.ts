// Written by tools/gen.mjs from protocol/schema. Do not edit.

export type Action =
  | {
      do: "draw";
      from: "pile" | "discard";
    }
  | {
      card: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      };
      do: "discard";
    }
  | {
      do: "complete";
      /**
       * @maxItems 3
       */
      pieces: {
        card: {
          color: "pink" | "red" | "green";
          cut: "horizontal" | "vertical" | "centered";
          number: number;
        };
        from: "hand" | "saved";
      }[];
      /**
       * @maxItems 3
       */
      save: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number: number;
      }[];
    }
  | {
      card: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
      };
      do: "joker";
      steal?: {
        card: {
          color: "pink" | "red" | "green";
          cut: "horizontal" | "vertical" | "centered";
          number: number;
        };
        seat: number;
      };
    }
  | {
      do: "end";
      last_round: boolean;
    };

export interface Deal {
  /**
   * @maxItems 90
   */
  deck: string[];
  first_seat: number;
  /**
   * @maxItems 1000
   */
  reshuffles: string[][];
}

export type Event =
  | {
      card?: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      };
      event: "drew";
      from: "pile" | "discard";
      seat: number;
    }
  | {
      card?: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      };
      event: "discarded";
      seat: number;
    }
  | {
      /**
       * @maxItems 2
       */
      discarded: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      }[];
      event: "completed";
      /**
       * @maxItems 3
       */
      pieces: {
        card?: {
          color: "pink" | "red" | "green";
          cut: "horizontal" | "vertical" | "centered";
          number?: number;
        };
        from: "hand" | "saved";
      }[];
      pure: boolean;
      /**
       * @maxItems 3
       */
      saved: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      }[];
      seat: number;
    }
  | {
      card?: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      };
      event: "joker";
      seat: number;
    }
  | {
      card?: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      };
      event: "stole";
      seat: number;
      victim: number;
    }
  | {
      event: "ended";
      seat: number;
    }
  | {
      event: "last_round";
      seat: number;
    }
  | {
      event: "last_round_over";
      seat: number;
    }
  | {
      event: "dead_end";
      /**
       * @maxItems 2
       */
      hand: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      }[];
      /**
       * @maxItems 21
       */
      saved: {
        color: "pink" | "red" | "green";
        cut: "horizontal" | "vertical" | "centered";
        number?: number;
      }[];
      seat: number;
    }
  | {
      event: "turn";
      seat: number;
    }
  | {
      count: number;
      event: "reshuffled";
    }
  | {
      event: "over";
      reason: "played_out" | "last_standing" | "all_out" | "idle";
      /**
       * @maxItems 6
       */
      winners: number[];
    };

export interface Mine {
  drawn?: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number?: number;
  };
  /**
   * @maxItems 22
   */
  hand: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number?: number;
  }[];
  seat: number;
}

export interface Options {
  call?: "provable" | "free";
  caller_multi?: boolean;
  first_seat?: number;
}

export interface Table {
  caller?: number;
  /**
   * @maxItems 21
   */
  completed: {
    color?: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
  }[];
  discards: number;
  drew: boolean;
  idle_left: number;
  jokered: boolean;
  /**
   * @maxItems 9
   */
  jokers_played: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number?: number;
  }[];
  phase: "main" | "discard" | "over";
  pile: number;
  reason?: "played_out" | "last_standing" | "all_out" | "idle";
  /**
   * @maxItems 6
   */
  seats: {
    hand: number;
    out: boolean;
    /**
     * @maxItems 21
     */
    saved: {
      color: "pink" | "red" | "green";
      cut: "horizontal" | "vertical" | "centered";
      number?: number;
    }[];
  }[];
  top?: {
    color: "pink" | "red" | "green";
    cut: "horizontal" | "vertical" | "centered";
    number?: number;
  };
  turn?: number;
  turn_number: number;
  /**
   * @maxItems 6
   */
  winners?: number[];
}
