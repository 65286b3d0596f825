// SPDX-License-Identifier: Apache-2.0
//
// The parts of three C libraries that traces need: LZ4 frames, Zstandard, and libdeflate's CRC-32.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#include <libdeflate.h>
#include <lz4frame.h>
#include <zstd.h>

// Bytes that a compressor of a level takes at most. The header has it only for programs that link Zstandard
// statically, because it may change; the library has it since 1.0.
size_t ZSTD_estimateCCtxSize(int compressionLevel);

#endif
