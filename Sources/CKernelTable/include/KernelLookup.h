// SPDX-License-Identifier: Apache-2.0
//
// Operations that Swift's SIMD types lack: conversions, stores past the caches, and looking up rows of a
// table for sixteen lanes at once. Also operations that Swift compiles to sixteen scalar ones, which the
// optimiser may or may not combine again.
//
// No function here both multiplies and adds: C would contract the product and the sum.

#ifndef ORRERY_KERNEL_LOOKUP_H
#define ORRERY_KERNEL_LOOKUP_H

#include <stdint.h>

// Imported as SIMD16<Float> and SIMD16<UInt32>.
typedef float kernel_lanes __attribute__((ext_vector_type(16)));
typedef uint32_t kernel_words __attribute__((ext_vector_type(16)));
typedef int32_t kernel_integers __attribute__((ext_vector_type(16)));
typedef uint16_t kernel_halves __attribute__((ext_vector_type(16)));
typedef float kernel_half_lanes __attribute__((ext_vector_type(8)));
typedef double kernel_wides __attribute__((ext_vector_type(8)));
typedef uint64_t kernel_wide_words __attribute__((ext_vector_type(8)));
typedef int64_t kernel_wide_integers __attribute__((ext_vector_type(8)));
typedef float kernel_row __attribute__((ext_vector_type(4)));
typedef uint8_t kernel_bytes __attribute__((ext_vector_type(64)));
typedef uint16_t kernel_few_halves __attribute__((ext_vector_type(8)));
typedef uint32_t kernel_few_words __attribute__((ext_vector_type(8)));
typedef uint64_t kernel_row_words __attribute__((ext_vector_type(4)));
typedef _Bool kernel_byte_flags __attribute__((ext_vector_type(64)));
typedef _Bool kernel_flags __attribute__((ext_vector_type(16)));
typedef _Bool kernel_wide_flags __attribute__((ext_vector_type(8)));

#define KERNEL_INLINE static inline __attribute__((always_inline))

// Everything here is inlined, so no calling convention depends on the instruction set.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

KERNEL_INLINE kernel_lanes kernel_product(kernel_lanes a, kernel_lanes b) { return a * b; }
KERNEL_INLINE kernel_lanes kernel_sum(kernel_lanes a, kernel_lanes b) { return a + b; }
KERNEL_INLINE kernel_lanes kernel_difference(kernel_lanes a, kernel_lanes b) { return a - b; }

// Chooses lane by lane: `second` where the word's uppermost bit is set, else `first`.
KERNEL_INLINE kernel_lanes kernel_choice(
  kernel_words words, kernel_lanes first, kernel_lanes second) {
  return (kernel_integers)words < 0 ? second : first;
}

// Chooses lane by lane: `second` where the word is 0, else `first`.
KERNEL_INLINE kernel_lanes kernel_choice_at_0(
  kernel_words words, kernel_lanes first, kernel_lanes second) {
  return words == 0 ? second : first;
}

// Whether any two words differ.
KERNEL_INLINE _Bool kernel_differ(kernel_words a, kernel_words b) {
  const kernel_flags flags = __builtin_convertvector(a != b, kernel_flags);
  uint16_t bits;
  __builtin_memcpy(&bits, &flags, sizeof bits);
  return bits != 0;
}

// The same operations on eight numbers of 64 bits.
KERNEL_INLINE kernel_wides kernel_wide_product(kernel_wides a, kernel_wides b) { return a * b; }
KERNEL_INLINE kernel_wides kernel_wide_sum(kernel_wides a, kernel_wides b) { return a + b; }
KERNEL_INLINE kernel_wides kernel_wide_difference(kernel_wides a, kernel_wides b) { return a - b; }

KERNEL_INLINE kernel_wides kernel_wide_choice(
  kernel_wide_words words, kernel_wides first, kernel_wides second) {
  return (kernel_wide_integers)words < 0 ? second : first;
}

KERNEL_INLINE kernel_wide_words kernel_wide_word_choice(
  kernel_wide_words words, kernel_wide_words first, kernel_wide_words second) {
  return (kernel_wide_integers)words < 0 ? second : first;
}

// Whether the uppermost bit of any number is set.
KERNEL_INLINE int kernel_wide_any(kernel_wide_words words) {
  const kernel_wide_flags flags =
    __builtin_convertvector((kernel_wide_integers)words < 0, kernel_wide_flags);
  uint8_t bits;
  __builtin_memcpy(&bits, &flags, sizeof bits);
  return bits != 0;
}

KERNEL_INLINE kernel_wides kernel_wide_quotient(kernel_wides a, kernel_wides b) { return a / b; }

// Converts whole numbers to the nearest doubles.
KERNEL_INLINE kernel_wides kernel_wide_floats(kernel_wide_words words) {
  return __builtin_convertvector(words, kernel_wides);
}

// The lower halves of eight numbers, as floats.
KERNEL_INLINE kernel_half_lanes kernel_low_floats(kernel_wide_words words) {
  return (kernel_half_lanes)__builtin_convertvector(words, kernel_few_words);
}

// Loads eight numbers of 16 bits, aligned to 16 bytes.
KERNEL_INLINE kernel_wide_words kernel_load_wide(const uint16_t *_Nonnull address) {
  return __builtin_convertvector(*(const kernel_few_halves *)address, kernel_wide_words);
}

// Stores the lower 16 bits of eight numbers, aligned to 16 bytes.
KERNEL_INLINE void kernel_store_wide(uint16_t *_Nonnull address, kernel_wide_words words) {
  *(kernel_few_halves *)address = __builtin_convertvector(words, kernel_few_halves);
}

// Loads two rows of four numbers, aligned to 32 bytes, side by side.
KERNEL_INLINE kernel_wide_words kernel_two_rows(
  const void *_Nonnull table, uint32_t first, uint32_t second) {
  const kernel_row_words *rows = (const kernel_row_words *)table;
  return __builtin_shufflevector(rows[first], rows[second], 0, 1, 2, 3, 4, 5, 6, 7);
}

// Transposes rows that lie side by side in two steps: numbers, by these two functions, then pairs of
// numbers, by the two below.
KERNEL_INLINE kernel_wide_words kernel_even_numbers(kernel_wide_words a, kernel_wide_words b) {
  return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
}

KERNEL_INLINE kernel_wide_words kernel_odd_numbers(kernel_wide_words a, kernel_wide_words b) {
  return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

KERNEL_INLINE kernel_wide_words kernel_even_pairs(kernel_wide_words a, kernel_wide_words b) {
  return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
}

KERNEL_INLINE kernel_wide_words kernel_odd_pairs(kernel_wide_words a, kernel_wide_words b) {
  return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}

// Compares 64 bytes, aligned to 64 bytes: bit i is set if byte i is in first ... first + span, modulo 256.
KERNEL_INLINE uint64_t kernel_bytes_within(
  const uint8_t *_Nonnull address, uint8_t first, uint8_t span) {
  const kernel_bytes since = *(const kernel_bytes *)address - first;
  const kernel_byte_flags flags = __builtin_convertvector(since <= span, kernel_byte_flags);
  uint64_t bits;
  __builtin_memcpy(&bits, &flags, sizeof bits);
  return bits;
}

// Converts eight floats to doubles, and eight doubles to the nearest floats.
KERNEL_INLINE kernel_wides kernel_wide(kernel_half_lanes lanes) {
  return __builtin_convertvector(lanes, kernel_wides);
}

KERNEL_INLINE kernel_half_lanes kernel_narrow(kernel_wides wides) {
  return __builtin_convertvector(wides, kernel_half_lanes);
}

// Converts signed whole numbers to the nearest floats.
KERNEL_INLINE kernel_lanes kernel_floats(kernel_words words) {
  return __builtin_convertvector((kernel_integers)words, kernel_lanes);
}

// Exchanges neighbouring words: 0 and 1, 2 and 3, and so on.
KERNEL_INLINE kernel_words kernel_swap(kernel_words words) {
  return __builtin_shufflevector(
    words, words, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}

// Stores sixteen words, aligned to 64 bytes.
KERNEL_INLINE void kernel_store(void *_Nonnull address, kernel_words words) {
  *(kernel_words *)address = words;
}

// Stores sixteen words past the caches; `kernel_store_fence` orders them before later stores.
KERNEL_INLINE void kernel_stream(void *_Nonnull address, kernel_words words) {
  __builtin_nontemporal_store(words, (kernel_words *)address);
}

// Brings a line into the cache.
KERNEL_INLINE void kernel_prefetch(const void *_Nonnull address) { __builtin_prefetch(address); }

// The same for a line that will be written.
KERNEL_INLINE void kernel_prefetch_store(const void *_Nonnull address) {
  __builtin_prefetch(address, 1);
}

KERNEL_INLINE void kernel_store_fence(void) {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#else
  __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

// Loads sixteen numbers of 16 bits, aligned to 32 bytes, as words.
KERNEL_INLINE kernel_words kernel_load_halves(const void *_Nonnull address) {
  return __builtin_convertvector(*(const kernel_halves *)address, kernel_words);
}

// Stores the lower halves of sixteen words, aligned to 32 bytes.
KERNEL_INLINE void kernel_store_halves(void *_Nonnull address, kernel_words words) {
  kernel_halves halves = __builtin_convertvector(words, kernel_halves);
#if defined(__AVX2__)
  // Narrow in a register first: one instruction that narrows and stores is slower than two.
  __asm__("" : "+x"(halves));
#endif
  *(kernel_halves *)address = halves;
}

// Hides a register's contents from the optimiser, which would turn shuffles of shuffles into sixteen
// insertions of one lane each.
#if defined(__AVX512F__)
#define KERNEL_OPAQUE(lanes) __asm__("" : "+v"(lanes))
#elif defined(__AVX2__)
#define KERNEL_OPAQUE(lanes)                                \
  do {                                                      \
    kernel_half_lanes low = (lanes).lo, high = (lanes).hi; \
    __asm__("" : "+x"(low), "+x"(high));                   \
    (lanes).lo = low;                                       \
    (lanes).hi = high;                                      \
  } while (0)
#else
#define KERNEL_OPAQUE(lanes)
#endif

// Loads the rows of lanes first, first + 4, first + 8 and first + 12, side by side.
KERNEL_INLINE kernel_lanes kernel_four_rows(
  const float *_Nonnull table, kernel_words index, const int first) {
  const kernel_row *rows = (const kernel_row *)table;
  kernel_lanes four = __builtin_shufflevector(
    __builtin_shufflevector(rows[index[first]], rows[index[first + 4]], 0, 1, 2, 3, 4, 5, 6, 7),
    __builtin_shufflevector(
      rows[index[first + 8]], rows[index[first + 12]], 0, 1, 2, 3, 4, 5, 6, 7),
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  KERNEL_OPAQUE(four);
  return four;
}

// Transposes four rows in two steps: pairs, by these two functions, then halves, by the two below.
KERNEL_INLINE kernel_lanes kernel_low_pairs(kernel_lanes a, kernel_lanes b) {
  kernel_lanes pairs =
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  KERNEL_OPAQUE(pairs);
  return pairs;
}

KERNEL_INLINE kernel_lanes kernel_high_pairs(kernel_lanes a, kernel_lanes b) {
  kernel_lanes pairs =
    __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  KERNEL_OPAQUE(pairs);
  return pairs;
}

KERNEL_INLINE kernel_lanes kernel_first_halves(kernel_lanes a, kernel_lanes b) {
  return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
}

KERNEL_INLINE kernel_lanes kernel_second_halves(kernel_lanes a, kernel_lanes b) {
  return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}

// Lane groups that the registers hold.
#if defined(__AVX512F__)
#define KERNEL_REGISTER_GROUPS 32
#elif defined(__AVX2__) || defined(__aarch64__)
#define KERNEL_REGISTER_GROUPS 8
#else
#define KERNEL_REGISTER_GROUPS 4
#endif

// Looks up a table that lies in registers, by the lower bits of each lane's index: sixteen values in one
// register, or 32 in two.
#if defined(__AVX512F__)
#define KERNEL_REGISTER_ROWS_MAX 32
typedef float kernel_plain_lanes __attribute__((__vector_size__(64)));
typedef int kernel_plain_words __attribute__((__vector_size__(64)));

KERNEL_INLINE kernel_lanes kernel_of_16(kernel_lanes table, kernel_words index) {
  return (kernel_lanes)__builtin_ia32_permvarsf512(
    (kernel_plain_lanes)table, (kernel_plain_words)index);
}

KERNEL_INLINE kernel_lanes kernel_of_32(
  kernel_lanes first, kernel_lanes second, kernel_words index) {
  return (kernel_lanes)__builtin_ia32_vpermi2varps512(
    (kernel_plain_lanes)first, (kernel_plain_words)index, (kernel_plain_lanes)second);
}
#else
#if defined(__AVX2__)
#define KERNEL_REGISTER_ROWS_MAX 16
typedef uint32_t kernel_half_words __attribute__((ext_vector_type(8)));
typedef float kernel_plain_half_lanes __attribute__((__vector_size__(32)));
typedef int kernel_plain_half_words __attribute__((__vector_size__(32)));

KERNEL_INLINE kernel_half_lanes kernel_half_of_16(kernel_lanes table, kernel_half_words index) {
  kernel_plain_half_words words = (kernel_plain_half_words)index;
  kernel_plain_half_lanes low = __builtin_ia32_permvarsf256(
    (kernel_plain_half_lanes)(kernel_half_lanes)table.lo, words);
  kernel_plain_half_lanes high = __builtin_ia32_permvarsf256(
    (kernel_plain_half_lanes)(kernel_half_lanes)table.hi, words);
  // The sign bit chooses: the shift moves bit 3 of the index there.
  return (kernel_half_lanes)__builtin_ia32_blendvps256(
    low, high, (kernel_plain_half_lanes)(index << 28));
}

KERNEL_INLINE kernel_lanes kernel_of_16(kernel_lanes table, kernel_words index) {
  return __builtin_shufflevector(
    kernel_half_of_16(table, index.lo), kernel_half_of_16(table, index.hi), 0, 1, 2, 3, 4, 5, 6, 7,
    8, 9, 10, 11, 12, 13, 14, 15);
}
#else
// There is no such instruction, and nothing calls this.
#define KERNEL_REGISTER_ROWS_MAX 0
KERNEL_INLINE kernel_lanes kernel_of_16(kernel_lanes table, kernel_words index) { return table; }
#endif

KERNEL_INLINE kernel_lanes kernel_of_32(
  kernel_lanes first, kernel_lanes second, kernel_words index) {
  return first;
}
#endif

#pragma clang diagnostic pop

#endif
