// SPDX-License-Identifier: Apache-2.0

#include "CVersion.h"

const char *version_commit(void) { return ORRERY_COMMIT; }

const char *version_swift(void) { return ORRERY_SWIFT; }
