// SPDX-License-Identifier: Apache-2.0
//
// What traces need of three C libraries: LZ4 frames, Zstandard, and libdeflate's CRC-32.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#include <libdeflate.h>
#include <lz4frame.h>
#include <zstd.h>

#endif
