# SPDX-License-Identifier: Apache-2.0
"""The messages of Orrery's protobuf schema, made from the descriptor set beside this file: no generated code."""
from importlib import resources
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

# A pool of its own: a program may have messages of the same names from elsewhere.
_pool = descriptor_pool.DescriptorPool()
for _file in descriptor_pb2.FileDescriptorSet.FromString(
        resources.files(__package__).joinpath("orrery.binpb").read_bytes()).file:
    _pool.Add(_file)


def message(name: str) -> Any:
    """The class of a message: `message("SceneLayout").FromString(data)`."""
    return message_factory.GetMessageClass(_pool.FindMessageTypeByName("orrery." + name))


SceneLayout = message("SceneLayout")

# Numbers of orrery.Field, and what a field without a column is.
FIELDS: dict[str, int] = {"x": 1, "y": 2, "opacity": 3, "scale": 4, "rotation": 5, "blur": 6}
FIELD_NAMES: dict[int, str] = {number: name for name, number in FIELDS.items()}
DEFAULTS: dict[str, float] = {"x": 0, "y": 0, "opacity": 1, "scale": 1, "rotation": 0, "blur": 0}
