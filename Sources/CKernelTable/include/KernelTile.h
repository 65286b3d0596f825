// SPDX-License-Identifier: Apache-2.0
//
// A tile: one block of entities at consecutive ticks, computed by one call of a kernel.

#ifndef ORRERY_KERNEL_TILE_H
#define ORRERY_KERNEL_TILE_H

#include <stddef.h>
#include <stdint.h>

// Largest number of ticks in a tile.
#define KERNEL_TILE_TICKS 8

// Columns that a batch may fill.
#define KERNEL_FIELDS 6

// Format of a column: floats, or whole numbers of 16 bits that count units.
#define KERNEL_FLOAT32 0
#define KERNEL_FIXED16 1

// To be aligned to 64 bytes.
typedef struct kernel_tile {
  // Entities of the block.
  uint32_t count;
  // 1 ... KERNEL_TILE_TICKS.
  uint32_t ticks;
  // Ticks from that of the parameter columns to the tile's first one.
  uint32_t elapsed;
  // Orbits only: further ticks, which the kernel covers by turning; see `orbit`.
  uint32_t skipped;
  // One of the KERNEL_ formats: that of all columns of the tile.
  uint32_t format;
  // Not 0: stores go past the caches.
  uint32_t streams;
  // Bit t: the hash terms of the values of tick t are added to `hash`.
  uint32_t hash_ticks;
  // Number of the block's first entity, for the keys of hash terms.
  uint32_t first_entity;
  // Units per 1.0, if columns hold whole numbers; a power of two.
  float units;
  uint32_t field_key[KERNEL_FIELDS];
  uint32_t reserved[5];
  // Address of the block's first value, for each field and tick.
  void *_Nullable columns[KERNEL_FIELDS][KERNEL_TILE_TICKS];
  // Address of the block's first float at the tick before the tile's first one, for each field; or null.
  const float *_Nullable previous[KERNEL_FIELDS];
  // Hash terms of each tick, in eight partial sums.
  uint64_t hash[KERNEL_TILE_TICKS][8];
} kernel_tile;

_Static_assert(offsetof(kernel_tile, hash) % 64 == 0, "kernels load the sums of a tick at once");

// Swift imports arrays in structures as tuples, hence these accessors.
static inline void *_Nullable kernel_column(
  const kernel_tile *_Nonnull tile, intptr_t field, intptr_t tick) {
  return tile->columns[field][tick];
}

static inline void kernel_set_column(
  kernel_tile *_Nonnull tile, intptr_t field, intptr_t tick, void *_Nullable column) {
  tile->columns[field][tick] = column;
}

static inline const float *_Nullable kernel_previous(
  const kernel_tile *_Nonnull tile, intptr_t field) {
  return tile->previous[field];
}

static inline void kernel_set_previous(
  kernel_tile *_Nonnull tile, intptr_t field, const float *_Nullable column) {
  tile->previous[field] = column;
}

static inline uint32_t kernel_field_key(const kernel_tile *_Nonnull tile, intptr_t field) {
  return tile->field_key[field];
}

static inline void kernel_set_field_key(
  kernel_tile *_Nonnull tile, intptr_t field, uint32_t key) {
  tile->field_key[field] = key;
}

// Makes a field the first one, for kernels that compute one field; what was the first is lost.
static inline void kernel_move_field(kernel_tile *_Nonnull tile, intptr_t field) {
  tile->field_key[0] = tile->field_key[field];
  for (int tick = 0; tick < KERNEL_TILE_TICKS; tick++)
    tile->columns[0][tick] = tile->columns[field][tick];
}

// The eight partial sums of a tick.
static inline uint64_t *_Nonnull kernel_hash_sums(kernel_tile *_Nonnull tile, intptr_t tick) {
  return tile->hash[tick];
}

// Rotates the ticks: tick `first`, 0 ... 7, becomes the first, those before it become the last.
static inline void kernel_rotate_ticks(kernel_tile *_Nonnull tile, uint32_t first) {
  const kernel_tile old = *tile;
  for (uint32_t tick = 0; tick < KERNEL_TILE_TICKS; tick++) {
    const uint32_t from = (tick + first) % KERNEL_TILE_TICKS;
    for (int field = 0; field < KERNEL_FIELDS; field++)
      tile->columns[field][tick] = old.columns[field][from];
    for (int sum = 0; sum < 8; sum++) tile->hash[tick][sum] = old.hash[from][sum];
  }
  const uint32_t twice = old.hash_ticks | old.hash_ticks << KERNEL_TILE_TICKS;
  tile->hash_ticks = twice >> first & ((1u << KERNEL_TILE_TICKS) - 1);
}

#endif
