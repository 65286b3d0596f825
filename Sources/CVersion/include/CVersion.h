// SPDX-License-Identifier: Apache-2.0
//
// What was built, and with what. Package.swift says where the two texts come from.

#ifndef CVERSION_H
#define CVERSION_H

// The first twelve digits of the commit, with a plus if files were changed; "unknown" without tools/build or git.
const char *version_commit(void);

// The version of the Swift compiler, as "6.3.1"; "unknown" without tools/build.
const char *version_swift(void);

#endif
