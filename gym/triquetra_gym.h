/* The gym for other languages: a C interface to batches of matches in this process. docs/GYM.md
 * tells what observations, acts and rewards are; gym/python is written on this alone.
 *
 * Texts are UTF-8 and JSON where nothing else is said. A text that is given back belongs to the
 * library, until the next call of the same thread. On a mistake functions give NULL or -1, and
 * triquetra_gym_error() says in words what it was; nothing was changed. A batch belongs to one thread
 * at a time; different batches share nothing. */
#ifndef TRIQUETRA_GYM_H
#define TRIQUETRA_GYM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct TriquetraBatch TriquetraBatch;

/* Where a step leaves what came of it: the caller's memory, a row for each slot. What is NULL is
 * not wanted. */
typedef struct TriquetraRows {
  float* observations; /* slots x cells: what the seat that is asked knows */
  uint8_t* masks;      /* slots x acts: 1 for each act open to it */
  int32_t* seats;      /* slots: which seat is asked; -1 if the match is over */
  float* rewards;      /* slots x seats: of a match that this step has ended */
  uint8_t* over;       /* slots: 1 where this step has ended a match */
} TriquetraRows;

/* What the last failure of this thread was, in words. */
const char* triquetra_gym_error(void);

/* Every game: [{"game", "rules", "min_seats", "max_seats", "variants", "cells", "acts"}, ...] */
const char* triquetra_gym_games(void);
/* Of each cell of an observation [name, lowest, highest]. */
const char* triquetra_gym_layout(const char* game);
/* The act of a number from 1 on, and the number of an act. 0 is no act: a window is left to its
 * clock. */
const char* triquetra_gym_act(const char* game, int32_t number);
int32_t triquetra_gym_number(const char* game, const char* act);

/* `players` is a list by seat: the level of a bot, or "" where the caller acts. With `restarts` a slot
 * whose match is over begins the next one in the same step. */
TriquetraBatch* triquetra_gym_make(const char* game, const char* options, int32_t slots,
                                   const char* players, int32_t restarts);
void triquetra_gym_free(TriquetraBatch* batch);

/* Begins a first match in every slot. The same seed and acts give the same matches. */
int32_t triquetra_gym_start(TriquetraBatch* batch, const char* seed, const TriquetraRows* rows);
/* One act by number for each slot; then bots act until the caller is asked. */
int32_t triquetra_gym_step(TriquetraBatch* batch, const int32_t* acts, int32_t slots,
                           const TriquetraRows* rows);

/* What a seat knows, whoever is asked, and its acts if it is the one: cells and acts numbers. */
int32_t triquetra_gym_observe(const TriquetraBatch* batch, int32_t slot, int32_t seat,
                              float* observation, uint8_t* mask);
/* The same as the view of the protocol. */
const char* triquetra_gym_view(const TriquetraBatch* batch, int32_t slot, int32_t seat);
/* An open act of each slot, each as likely; 0 where the match is over. */
int32_t triquetra_gym_draw(TriquetraBatch* batch, int32_t* acts, int32_t slots);
/* The number of the act that a bot of this level would make for the seat that is asked. */
int32_t triquetra_gym_choose(TriquetraBatch* batch, int32_t slot, const char* level);
/* Of the match that ended last in this slot. `names` is a list by seat. */
const char* triquetra_gym_result(const TriquetraBatch* batch, int32_t slot);
const char* triquetra_gym_record(const TriquetraBatch* batch, int32_t slot, const char* names);
/* Puts the match of one slot into another one too. */
int32_t triquetra_gym_copy(TriquetraBatch* batch, int32_t from, int32_t to);
/* Goes on in another world that this seat cannot tell from this one. */
int32_t triquetra_gym_imagine(TriquetraBatch* batch, int32_t slot, int32_t seat, const char* seed);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
