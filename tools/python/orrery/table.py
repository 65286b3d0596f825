# SPDX-License-Identifier: Apache-2.0
"""A table: named numpy columns of one length, and the same for Arrow, pandas and polars."""
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .errors import needed


class Table(Mapping[str, np.ndarray]):
    """Named columns: `table["x"]` is a numpy array, `len(table)` the count of columns, `table.row_count` of rows."""

    def __init__(self, columns: Mapping[str, Any]):
        self._columns = {name: np.asarray(values) for name, values in columns.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"Table({', '.join(self)}: {self.row_count} rows)"

    @property
    def row_count(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each row as a dict of Python values."""
        lists = [column.tolist() for column in self._columns.values()]
        return (dict(zip(self._columns, row)) for row in zip(*lists))

    def arrow(self) -> Any:
        """A `pyarrow.Table`. Raises: NotInstalled."""
        arrow = needed("pyarrow")
        return arrow.table({name: arrow.array(values) for name, values in self._columns.items()})

    def pandas(self) -> Any:
        """A `pandas.DataFrame`. Raises: NotInstalled."""
        return needed("pandas").DataFrame(self._columns)

    def polars(self) -> Any:
        """A `polars.DataFrame`. Raises: NotInstalled."""
        # polars takes objects for texts only as lists.
        return needed("polars").DataFrame(
            {name: values.tolist() if values.dtype == object else values for name, values in self._columns.items()})
