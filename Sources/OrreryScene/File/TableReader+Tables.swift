// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

extension TableReader: SceneTableReading {}
