// SPDX-License-Identifier: Apache-2.0
//
// The parts of three C libraries that traces need: LZ4 frames, Zstandard, and libdeflate's CRC-32.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#include <libdeflate.h>
#include <lz4frame.h>
#include <zstd.h>

#endif
