// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The checker of schemas names each fault of a file.
@Suite struct JSONSchemaTests {
  private static let small = """
    {"type": "object", "additionalProperties": false, "required": ["a"], "$defs": {"n": {"type": "integer"}},
     "properties": {"a": {"type": "number", "exclusiveMinimum": 0, "maximum": 9},
       "b": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/n"}},
       "c": {"enum": ["x", 1]}, "d": {"type": "string", "minLength": 2}, "e": {"type": "boolean"},
       "f": {"minimum": 3}, "g": {"$ref": "#/$defs/none"}, "h": {"format": "x"},
       "i": {"const": 1, "description": "one"}, "j": {"type": "string", "maxLength": 2, "pattern": "^a"},
       "k": {"maxItems": 1}, "l": {"additionalProperties": {"type": "string"}}, "m": {"allOf": [{"minimum": 1}]},
       "n": {"anyOf": [{"minimum": 5}, {"maximum": 1}]}, "o": {"oneOf": [{"minimum": 1}, {"minimum": 5}]}}}
    """

  @Test(arguments: [
    #"{"a": 9}"#, #"{"a": 0.1, "b": [1], "c": "x", "d": "ab", "e": true, "f": 3}"#,
    #"{"a": 1, "c": 1, "e": false}"#, #"{"a": 1, "i": 1, "j": "ab", "k": [2], "l": {"x": "y"}}"#,
    #"{"a": 1, "m": 1, "n": 1, "o": 4}"#, #"{"a": 1, "n": 5, "l": {}}"#,
  ])
  func whatFitsHasNoFaults(text: String) throws {
    #expect(try JSONSchema(Data(Self.small.utf8)).faults(of: Data(text.utf8)) == [])
  }

  @Test(arguments: [
    ("[]", ": array instead of object"), (#"{}"#, ": no a"),
    (#"{"a": "1"}"#, "/a: string instead of number"),
    (#"{"a": true}"#, "/a: boolean instead of number"),
    (#"{"a": 0}"#, "/a: 0.0 against exclusiveMinimum"), (#"{"a": 10}"#, "/a: 10.0 against maximum"),
    (#"{"a": 1, "z": 1}"#, ": what is z?"), (#"{"a": 1, "b": []}"#, "/b: 0.0 against minItems"),
    (#"{"a": 1, "b": [1, 2.5]}"#, "/b/1: number instead of integer"),
    (#"{"a": 1, "c": "y"}"#, "/c: not in enum"),
    (#"{"a": 1, "d": "a"}"#, "/d: 1.0 against minLength"),
    (#"{"a": 1, "e": 1}"#, "/e: integer instead of boolean"),
    (#"{"a": 1, "f": 2}"#, "/f: 2.0 against minimum"), (#"{"a": 1, "g": 2}"#, "/g: no none"),
    (#"{"a": 1, "h": "x"}"#, "/h: what is format?"),
    (#"{"a": 1, "i": 2}"#, "/i: not the const"),
    (#"{"a": 1, "j": "abc"}"#, "/j: 3.0 against maxLength"),
    (#"{"a": 1, "j": "b"}"#, "/j: not as its pattern"),
    (#"{"a": 1, "k": [1, 2]}"#, "/k: 2.0 against maxItems"),
    (#"{"a": 1, "l": {"x": 1}}"#, "/l/x: integer instead of string"),
    (#"{"a": 1, "m": 0}"#, "/m: 0.0 against minimum"),
    (#"{"a": 1, "n": 3}"#, "/n: fits none of anyOf"),
    (#"{"a": 1, "o": 0}"#, "/o: fits 0 of oneOf"), (#"{"a": 1, "o": 5}"#, "/o: fits 2 of oneOf"),
    (#"{"a": 1, "e": null}"#, "/e: null instead of boolean"),
  ])
  func oneFaultIsNamed(text: String, fault: String) throws {
    #expect(try JSONSchema(Data(Self.small.utf8)).faults(of: Data(text.utf8)) == [fault])
  }
}
