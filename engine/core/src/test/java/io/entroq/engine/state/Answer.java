package io.entroq.engine.state;

import io.entroq.codec.result.ResultCodes;
import java.util.ArrayList;
import java.util.List;

/** What a state machine has said about one request; codes are those of {@link ResultCodes}. */
final class Answer {
  /** A failed item. */
  record Failure(int itemKind, int index, boolean claimed, int existingVersion) {}

  /** What a failed item met: a name, and an id that differs in its lower half. */
  record Existing(String name, long id) {}

  /** The item that a refusal is about. */
  record Item(int kind, int index) {}

  /** How a queue stands that may not have so many tasks. */
  record Full(long tasks, long tasksMax) {}

  final long requestSequence;
  final int code;
  final List<Shot> claimed = new ArrayList<>();
  final List<Shot> inserted = new ArrayList<>();
  final List<Shot> changed = new ArrayList<>();
  final List<Shot> failed = new ArrayList<>();
  final List<DocShot> docs = new ArrayList<>();
  final List<DocShot> sets = new ArrayList<>();
  final List<Failure> failures = new ArrayList<>();

  /** By failure. */
  final List<Existing> existing = new ArrayList<>();

  Item item;
  Full full;

  Answer(long requestSequence, int code) {
    this.requestSequence = requestSequence;
    this.code = code;
  }
}
